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

    /// Returns the kind on the wire, if the type has only one.
    fn wire_kind() -> Option<&'static str>;

    /// Decodes an object inside another, such as an item of a list: in protobuf, without envelope.
    fn decode_item(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError>;

    /// Decodes the object that JSON text begins with, ignores the rest, and returns the number of its bytes. A list
    /// uses it to avoid a scan for the end of each item. Any failure means that the text needs the slow path.
    /// Default: `None`, for a type that does not support it.
    fn decode_front(_text: &[u8], _cx: &mut Decoding) -> Option<Result<(Self, usize), DecodeError>> {
        None
    }

    /// Decodes a whole object: in protobuf, with its envelope.
    fn decode(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError>;

    /// Sets the type of an item from its list. The API server leaves `apiVersion` and `kind` out of the items of a
    /// `PodList`; an item without a kind takes that of its list. Default: does nothing.
    fn set_type_from_list(&mut self, _api_version: &str, _kind: &str) {}

    /// Encodes a whole object in one of its [`formats`](Self::formats).
    fn encode(&self, format: Format) -> Vec<u8>;

    /// Whether the encodings of two objects are certain to differ, found out without encoding them. False if that is not
    /// known. Default: false.
    fn differs(&self, _other: &Self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Message;
    use crate::wire::testing::Probe;

    #[test]
    fn a_message_round_trips_in_both_formats() {
        let probe = Probe::named("default", "a");
        assert_eq!(Probe::formats(), [Format::Protobuf, Format::Json]);
        assert_eq!(<Probe as Payload>::wire_kind(), Some("Probe"));
        for format in [Format::Json, Format::Protobuf] {
            let bytes = probe.encode(format);
            assert_eq!(Probe::decode(format, &bytes, &mut Decoding::new()), Ok(probe.clone()));
        }
        let other = Probe::named("default", "b");
        assert!(!probe.differs(&probe.clone()) && !probe.differs(&other), "only the metadata differs");
        for other in
            [Probe { count: probe.count + 1, ..probe.clone() }, Probe { text: "b".into(), ..probe.clone() }]
        {
            assert!(probe.differs(&other) && other.differs(&probe));
        }
        let item = probe.to_protobuf();
        assert_eq!(Probe::decode_item(Format::Protobuf, &item, &mut Decoding::new()), Ok(probe));
    }
}
