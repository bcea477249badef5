//! What a client can send and receive, whatever its Rust type.

use super::{DecodeError, DecodeErrorKind, Decoding, Format};
use crate::{Unstructured, UnstructuredList};

/// An object that goes over the wire.
///
/// Every [`Message`](super::Message) is one, by the [`message!`](crate::message) macro. A type that is none, such as one of another crate with serde's traits, becomes
/// one by saying how its JSON is read and written; [`formats`](Self::formats) then names JSON alone.
pub trait Payload: Sized + Send + Sync + 'static {
    /// The formats that the type has, the preferred one first; never empty.
    fn formats() -> &'static [Format];

    /// The kind that stands on the wire, where the type is of one kind.
    fn wire_kind() -> Option<&'static str>;

    /// Decodes an object that stands inside another, such as an item of a list: in protobuf, without envelope.
    fn decode_item(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError>;

    /// Decodes the object that JSON text begins with, whatever follows it, and says how many bytes it has: for a list
    /// that need not look for the end of an item first. Any failure means that the text must be looked at with care.
    /// Default: `None`, for a type that can't.
    fn decode_front(_text: &[u8], _cx: &mut Decoding) -> Option<Result<(Self, usize), DecodeError>> {
        None
    }

    /// Decodes an object that stands by itself: in protobuf, with its envelope.
    fn decode(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError>;

    /// Tells an item what its list is. The API server leaves `apiVersion` and `kind` out of the items of a
    /// `PodList`; what has no kind of its own takes it from there. Default: does nothing.
    fn came_in_list(&mut self, _api_version: &str, _kind: &str) {}

    /// Encodes an object that stands by itself. Only [`formats`](Self::formats) are asked for.
    fn encode(&self, format: Format) -> Vec<u8>;
}

macro_rules! json_alone {
    ($(#[$doc:meta])* $name:ident $($more:tt)*) => {
        $(#[$doc])*
        impl Payload for $name {
            fn formats() -> &'static [Format] {
                &[Format::Json]
            }

            fn wire_kind() -> Option<&'static str> {
                None
            }

            fn decode_item(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
                match format {
                    Format::Json => Self::from_json_with(bytes, cx),
                    Format::Protobuf => {
                        let encoding = DecodeErrorKind::UnsupportedEncoding(format.media_type().into());
                        Err(DecodeError::new(encoding).in_type(stringify!($name)))
                    }
                }
            }

            fn decode(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
                Self::decode_item(format, bytes, cx)
            }

            fn encode(&self, _: Format) -> Vec<u8> {
                self.to_json()
            }

            $($more)*
        }
    };
}

json_alone! {
    /// An object of any kind: JSON alone, as protobuf can't be read without its type.
    Unstructured

    fn came_in_list(&mut self, api_version: &str, kind: &str) {
        // A plain `List` is of any kinds, which its items say.
        let Some(kind) = kind.strip_suffix("List").filter(|kind| !kind.is_empty()) else { return };
        if self.kind().is_empty() && self.api_version().is_empty() {
            self.set_api_version(api_version);
            self.set_kind(kind);
        }
    }
}

json_alone! {
    /// Objects of any kind: JSON alone.
    UnstructuredList
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Message;
    use crate::wire::testing::Probe;

    #[test]
    fn a_message_goes_over_the_wire_in_both_formats() {
        let probe = Probe::named("default", "a");
        assert_eq!(Probe::formats(), [Format::Protobuf, Format::Json]);
        assert_eq!(<Probe as Payload>::wire_kind(), Some("Probe"));
        for format in [Format::Json, Format::Protobuf] {
            let bytes = probe.encode(format);
            assert_eq!(Probe::decode(format, &bytes, &mut Decoding::new()), Ok(probe.clone()));
        }
        let item = probe.to_protobuf();
        assert_eq!(Probe::decode_item(Format::Protobuf, &item, &mut Decoding::new()), Ok(probe));
    }

    #[test]
    fn an_item_of_no_kind_gets_the_kind_that_the_list_implies() {
        for (list, item, expected) in [
            ("PodList", "{}", ("v1", "Pod")),
            ("List", "{}", ("", "")),
            ("", "{}", ("", "")),
            ("PodList", r#"{"apiVersion":"a/v2","kind":"Other"}"#, ("a/v2", "Other")),
        ] {
            let mut item = Unstructured::from_json(item.as_bytes()).unwrap();
            item.came_in_list("v1", list);
            assert_eq!((item.api_version(), item.kind()), expected, "{list}");
        }
    }

    #[test]
    fn an_object_of_any_kind_is_json() {
        let object = Unstructured::new("v1", "Probe", "a");
        assert_eq!((Unstructured::formats(), Unstructured::wire_kind()), ([Format::Json].as_slice(), None));
        let bytes = object.encode(Format::Json);
        assert_eq!(Unstructured::decode(Format::Json, &bytes, &mut Decoding::new()), Ok(object));
        let error = Unstructured::decode(Format::Protobuf, &bytes, &mut Decoding::new()).unwrap_err();
        assert!(matches!(error.kind(), DecodeErrorKind::UnsupportedEncoding(_)), "{error}");
    }
}
