//! [`Payload`]: a type that a client can send and receive.

use super::{DecodeError, Decoding, Format};

/// An object that goes over the wire.
///
/// Every [`Message`](super::Message) implements it through the [`message!`](crate::message) macro. Another type, such
/// as one of another crate with serde's traits, implements it with functions that read and write its JSON;
/// [`formats`](Self::formats) then returns only JSON.
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

    /// Gives an item the type of its list. The API server leaves `apiVersion` and `kind` out of the items of a
    /// `PodList`; what has no kind of its own takes it from there. Default: does nothing.
    fn set_type_from_list(&mut self, _api_version: &str, _kind: &str) {}

    /// Encodes an object that stands by itself. Only [`formats`](Self::formats) are asked for.
    fn encode(&self, format: Format) -> Vec<u8>;
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
}
