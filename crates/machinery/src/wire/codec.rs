//! Types that travel: what a client needs to know of a type to send and receive it.

use super::{DecodeError, Decoding, Format};

/// A type that can be sent to an API server and received from it.
///
/// Generated types implement it in both formats; dynamic objects, and types of other crates that bring serde,
/// in JSON alone.
pub trait Codec: Sized + Send + Sync + 'static {
    /// Whether [`Format::Protobuf`] is understood: a client asks for it first where it is.
    const PROTOBUF: bool;

    /// Decodes a root object: JSON text, or a protobuf envelope.
    fn decode(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError>;

    /// Decodes an object as it stands in a list: JSON text, or the bare protobuf message.
    fn decode_item(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError>;

    /// Encodes a root object; a format that is not understood gives JSON.
    fn encode(&self, format: Format) -> Vec<u8>;
}
