//! Objects of any kind on the wire.

use super::{Unstructured, UnstructuredList};
use crate::wire::{DecodeError, DecodeErrorKind, Decoding, Format, Payload};

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
    /// An object of any kind: only JSON, because protobuf cannot be read without its type.
    Unstructured

    fn set_type_from_list(&mut self, api_version: &str, kind: &str) {
        // A plain `List` may contain any kinds, which its items name.
        let Some(kind) = kind.strip_suffix("List").filter(|kind| !kind.is_empty()) else { return };
        if self.kind().is_empty() && self.api_version().is_empty() {
            self.set_api_version(api_version);
            self.set_kind(kind);
        }
    }
}

json_alone! {
    /// Objects of any kind: only JSON.
    UnstructuredList
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_of_no_kind_gets_the_kind_that_the_list_implies() {
        for (list, item, expected) in [
            ("PodList", "{}", ("v1", "Pod")),
            ("List", "{}", ("", "")),
            ("", "{}", ("", "")),
            ("PodList", r#"{"apiVersion":"a/v2","kind":"Other"}"#, ("a/v2", "Other")),
        ] {
            let mut item = Unstructured::from_json(item.as_bytes()).unwrap();
            item.set_type_from_list("v1", list);
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
