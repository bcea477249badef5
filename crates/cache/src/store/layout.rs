//! [`Layout`]: how a store keeps its objects.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::Object;
use client_rs_machinery::wire::{DecodeError, Decoding, Format, Payload};

use super::packed::Enabled;

/// How a store keeps its objects. Both layouts answer the same reads.
///
/// - **Decoded**, the default: `Arc<K>`. A read clones a pointer, and objects from one decode pool share equal
///   parts.
/// - **Packed**, with the feature `packed`: the wire bytes of the object (protobuf if the type has it, else
///   JSON), compressed with a dictionary that is trained on the store's own objects. It takes a tenth to a
///   twentieth of the memory. Each read decodes: some 20 µs for a pod, and every time into a new `Arc`. Keys,
///   versions, indexes and label selectors need no decoding.
///
/// Use packed for large collections that a program reads little at a time: all pods of a cluster, for a
/// controller that looks up one by one. Use decoded if a controller lists thousands of objects per second.
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
/// Packing thousands of objects at once must not block an async worker. So the object of a watch event is
/// packed when it is stored, which takes less time than its decoding did. The objects of a list are stored
/// decoded at first; a thread trains the dictionary, packs them, and ends. It runs again when a later list
/// brings many new objects, and when compression has become worse than it was, which happens when the content
/// of a collection changes.
pub struct Layout<K> {
    packed: Option<Enabled>,
    codec: Option<Arc<dyn Codec<K>>>,
}

/// Encodes and decodes objects.
pub(super) trait Codec<K>: Send + Sync {
    fn format(&self) -> Format;
    fn encode(&self, object: &K) -> Vec<u8>;
    fn decode(&self, bytes: &[u8]) -> Result<K, DecodeError>;
}

/// The preferred wire format of a type.
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
    /// Stores decoded objects. Unlike the default, this layout knows the wire size of the objects, for the
    /// state dump.
    ///
    /// ```
    /// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
    /// # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
    /// #     let mut pod = PartialObjectMetadata::default();
    /// #     pod.metadata.namespace = "default".into();
    /// #     pod.metadata.name = name.into();
    /// #     pod.metadata.resource_version = version.to_string().into();
    /// #     pod
    /// # }
    /// # use client_rs_cache::{Indexer, IndexerOptions, Layout};
    /// let options = IndexerOptions::<PartialObjectMetadata>::default().with_layout(Layout::decoded());
    /// let (mut writer, indexer) = Indexer::with_options(options);
    /// writer.add(pod("web", 1))?;
    /// assert!(indexer.footprint().wire_bytes.is_some_and(|bytes| bytes > 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decoded() -> Self {
        Self { packed: None, codec: Some(Arc::new(Wire)) }
    }

    /// Stores objects as compressed wire bytes.
    #[cfg(feature = "packed")]
    pub fn packed() -> Self {
        Self { packed: Some(Enabled::YES), codec: Some(Arc::new(Wire)) }
    }
}

impl<K> Layout<K> {
    /// Returns `decoded` or `packed`.
    pub fn name(&self) -> &'static str {
        if self.is_packed() { "packed" } else { "decoded" }
    }

    /// Returns whether objects are packed.
    pub fn is_packed(&self) -> bool {
        self.packed.is_some()
    }

    /// Returns the codec, if the layout has one.
    pub(super) fn codec(&self) -> Option<&Arc<dyn Codec<K>>> {
        self.codec.as_ref()
    }

    /// Returns the codec of a packed layout; `None` for decoded.
    pub(super) fn packing(&self) -> Option<(Arc<dyn Codec<K>>, Enabled)> {
        self.codec.clone().zip(self.packed)
    }
}

/// Stores decoded objects.
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
