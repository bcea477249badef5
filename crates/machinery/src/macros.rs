//! Macros that implement traits for generated types.

/// Implements [`Message`](crate::wire::Message) and the traits that follow from it for a type with a constant
/// `EMPTY`.
///
/// The functions are `#[inline]`: they are compiled where a program uses them, not for each of a thousand types.
///
/// The type implements [`Fields`](crate::wire::Fields) and names the `static` that holds its
/// [`Descriptor`](crate::wire::Descriptor).
#[macro_export]
macro_rules! message {
    ($name:ident, $descriptor:ident) => {
        impl $crate::wire::Message for $name {
            const DESCRIPTOR: &'static $crate::wire::Descriptor = &$descriptor;
        }

        $crate::payload!($name);

        impl $crate::schema::Schema for $name {
            #[inline]
            fn schema() -> $crate::Json {
                $crate::schema::of_message(&$descriptor, &|text| {
                    <Self as $crate::wire::Message>::from_json(text).is_ok()
                })
            }
        }

        impl $crate::apply::Apply for $name {
            type Configuration = $crate::Json;
        }

        impl $crate::StaticDefault for $name {
            #[inline]
            fn static_default() -> &'static Self {
                static EMPTY: $name = $name::EMPTY;
                &EMPTY
            }
        }

        impl ::core::default::Default for $name {
            #[inline]
            fn default() -> Self {
                Self::EMPTY
            }
        }

        impl ::core::fmt::Debug for $name {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::wire::debug_message(self, f)
            }
        }

        impl $crate::wire::serde::Serialize for $name {
            fn serialize<S: $crate::wire::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::wire::serialize_message(self, serializer)
            }
        }

        impl<'de> $crate::wire::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::wire::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::wire::deserialize_message(deserializer)
            }
        }
    };
}

/// Implements [`Payload`](crate::wire::Payload) for a [`Message`](crate::wire::Message).
///
/// Not a blanket implementation, which would exclude the types of other crates.
#[macro_export]
macro_rules! payload {
    ($name:ident) => {
        impl $crate::wire::Payload for $name {
            #[inline]
            fn formats() -> &'static [$crate::wire::Format] {
                $crate::wire::formats_of::<Self>()
            }

            #[inline]
            fn wire_kind() -> ::core::option::Option<&'static str> {
                <Self as $crate::wire::Message>::DESCRIPTOR.type_meta.map(|type_meta| type_meta.kind)
            }

            #[inline]
            fn decode(
                format: $crate::wire::Format,
                bytes: &[u8],
                cx: &mut $crate::wire::Decoding,
            ) -> ::core::result::Result<Self, $crate::wire::DecodeError> {
                $crate::wire::decode_message(format, bytes, cx)
            }

            #[inline]
            fn decode_item(
                format: $crate::wire::Format,
                bytes: &[u8],
                cx: &mut $crate::wire::Decoding,
            ) -> ::core::result::Result<Self, $crate::wire::DecodeError> {
                $crate::wire::decode_message_item(format, bytes, cx)
            }

            #[inline]
            fn decode_front(
                text: &[u8],
                cx: &mut $crate::wire::Decoding,
            ) -> ::core::option::Option<
                ::core::result::Result<(Self, ::core::primitive::usize), $crate::wire::DecodeError>,
            > {
                ::core::option::Option::Some($crate::wire::decode_message_front(text, cx))
            }

            #[inline]
            fn encode(&self, format: $crate::wire::Format) -> ::std::vec::Vec<u8> {
                $crate::wire::encode_message(self, format)
            }

            #[inline]
            fn differs(&self, other: &Self) -> ::core::primitive::bool {
                $crate::wire::messages_differ(self, other)
            }
        }
    };
}
