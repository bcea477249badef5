//! [`Layout`]: how a store keeps its objects.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::Object;
use client_rs_machinery::wire::{DecodeError, Decoding, Format, Payload};

use super::packed::Enabled;

/// How a store keeps its objects. What a reader can ask is the same for both.
///
/// - **Decoded**, the default: `Arc<K>`. A read is a pointer's clone, and objects that come from one decode pool share what
///   they have in common.
/// - **Packed**, with the feature `packed`: the object's wire bytes (protobuf where the type has it, else JSON), compressed with a dictionary that is
///   trained on the store's own objects. A tenth to a twentieth of the memory. Each read decodes: some 20 µs for a pod,
///   and every time another `Arc`. Keys, versions, indexes and label selectors need no decode.
///
/// Packed is for large collections of which little is read at a time: all pods of a cluster for a controller that looks
/// up one by one. Where a controller lists thousands of objects a second, decoded is the better one.
///
/// ```
/// use client_rs_cache::store::Layout;
/// use client_rs_cache::InformerOptions;
/// use client_rs_machinery::meta::v1::PartialObjectMetadata;
///
/// let options = InformerOptions::<PartialObjectMetadata>::default().with_layout(Layout::packed());
/// assert_eq!(options.layout.name(), "packed");
/// ```
///
/// How packing goes on, since it is not for an async worker to do thousands at a time: what a watch brings is packed as it
/// is stored, which takes less than its decode did. What a list brings is kept decoded at first; a thread of its own
/// trains the dictionary, packs, and ends. It runs again when a later list brings much that is new, and when compression
/// has become worse than it was, as happens when a collection changes its character.
pub struct Layout<K> {
    packed: Option<Enabled>,
    codec: Option<Arc<dyn Codec<K>>>,
}

/// How an object becomes bytes and back.
pub(super) trait Codec<K>: Send + Sync {
    fn format(&self) -> Format;
    fn encode(&self, object: &K) -> Vec<u8>;
    fn decode(&self, bytes: &[u8]) -> Result<K, DecodeError>;
}

/// A type's own wire format, the preferred one.
struct Wire;

impl<K: Payload> Codec<K> for Wire {
    fn format(&self) -> Format {
        K::formats().first().copied().unwrap_or(Format::Json)
    }

    fn encode(&self, object: &K) -> Vec<u8> {
        object.encode(Codec::<K>::format(self))
    }

    fn decode(&self, bytes: &[u8]) -> Result<K, DecodeError> {
        K::decode(Codec::<K>::format(self), bytes, &mut Decoding::new())
    }
}

impl<K: Object + Payload> Layout<K> {
    /// Objects as they are. Unlike the default it knows how large they are on the wire, for the state dump.
    pub fn decoded() -> Self {
        Self { packed: None, codec: Some(Arc::new(Wire)) }
    }

    /// Objects as compressed wire bytes.
    #[cfg(feature = "packed")]
    pub fn packed() -> Self {
        Self { packed: Some(Enabled::YES), codec: Some(Arc::new(Wire)) }
    }
}

impl<K> Layout<K> {
    /// `decoded` or `packed`.
    pub fn name(&self) -> &'static str {
        if self.is_packed() { "packed" } else { "decoded" }
    }

    /// Whether objects are packed.
    pub fn is_packed(&self) -> bool {
        self.packed.is_some()
    }

    /// How objects become bytes, if that is known.
    pub(super) fn codec(&self) -> Option<&Arc<dyn Codec<K>>> {
        self.codec.as_ref()
    }

    /// Nothing unless objects are to be packed.
    pub(super) fn packing(&self) -> Option<(Arc<dyn Codec<K>>, Enabled)> {
        self.codec.clone().zip(self.packed)
    }
}

/// Objects as they are.
impl<K> Default for Layout<K> {
    fn default() -> Self {
        Self { packed: None, codec: None }
    }
}

impl<K> Clone for Layout<K> {
    fn clone(&self) -> Self {
        Self { packed: self.packed, codec: self.codec.clone() }
    }
}

impl<K> fmt::Debug for Layout<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layout({})", self.name())
    }
}
