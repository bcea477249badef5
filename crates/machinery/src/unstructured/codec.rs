//! Dynamic objects travel as JSON: an API server has protobuf only for its own types.

use super::{Unstructured, UnstructuredList};
use crate::wire::{Codec, DecodeError, DecodeErrorKind, Decoding, Format};

macro_rules! json_codec {
    ($name:ident) => {
        impl Codec for $name {
            const PROTOBUF: bool = false;

            fn decode(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
                match format {
                    Format::Json => Self::from_json_with(bytes, cx),
                    Format::Protobuf => Err(DecodeError::new(DecodeErrorKind::UnsupportedEncoding(
                        "protobuf, which a dynamic object has no schema for".to_owned(),
                    ))),
                }
            }

            fn decode_item(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
                Self::decode(format, bytes, cx)
            }

            fn encode(&self, _: Format) -> Vec<u8> {
                self.to_json()
            }
        }
    };
}

json_codec!(Unstructured);
json_codec!(UnstructuredList);
