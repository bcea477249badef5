//! [`PartialObjectMeta`]: the metadata of an object of a known kind.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use client_rs_machinery::meta::v1::{ObjectMeta, PartialObjectMetadata};
use client_rs_machinery::wire::{DecodeError, Decoding, Format, Payload};
use client_rs_machinery::{GroupVersionKind, Metadata, Object, Resource};

/// The metadata of an object of kind `K`, without its other fields.
///
/// On the wire it is a [`PartialObjectMetadata`], which knows no kind. This type keeps the kind in Rust: the metadata of a pod is
/// not mistaken for that of a service, and [`kind`](Object::kind) is `Pod`, as owner references and events need it.
///
/// ```
/// use client_rs_api::core::v1::Pod;
/// use client_rs_client::PartialObjectMeta;
/// use client_rs_machinery::{Object, meta::v1::ObjectMeta};
///
/// let pod = PartialObjectMeta::<Pod>::new(ObjectMeta { name: "web".into(), ..ObjectMeta::EMPTY });
/// assert_eq!((pod.api_version(), pod.kind(), pod.name()), ("v1", "Pod", "web"));
/// ```
pub struct PartialObjectMeta<K> {
    /// The metadata.
    pub metadata: ObjectMeta,
    kind: PhantomData<fn() -> K>,
}

impl<K> PartialObjectMeta<K> {
    /// Declares that this is the metadata of an object of kind `K`. Nothing is checked.
    pub fn new(metadata: ObjectMeta) -> Self {
        Self { metadata, kind: PhantomData }
    }
}

impl<K: Resource> PartialObjectMeta<K> {
    /// Returns the group, version and kind of the object.
    pub fn gvk() -> GroupVersionKind {
        K::gvk()
    }
}

impl<K: Resource> Object for PartialObjectMeta<K> {
    fn meta(&self) -> &dyn Metadata {
        &self.metadata
    }

    fn api_version(&self) -> &str {
        api_version(K::INFO.group, K::INFO.version)
    }

    fn kind(&self) -> &str {
        K::INFO.kind
    }
}

/// Joins group and version. Each text is made once and kept: there are as many as the program has kinds.
fn api_version(group: &'static str, version: &'static str) -> &'static str {
    static TEXTS: Mutex<BTreeMap<(&str, &str), &str>> = Mutex::new(BTreeMap::new());
    if group.is_empty() {
        return version;
    }
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    texts.entry((group, version)).or_insert_with(|| Box::leak(format!("{group}/{version}").into_boxed_str()))
}

/// On the wire it is a [`PartialObjectMetadata`].
impl<K: Resource> Payload for PartialObjectMeta<K> {
    fn formats() -> &'static [Format] {
        PartialObjectMetadata::formats()
    }

    fn wire_kind() -> Option<&'static str> {
        <PartialObjectMetadata as Payload>::wire_kind()
    }

    fn decode_item(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
        PartialObjectMetadata::decode_item(format, bytes, cx).map(Self::from)
    }

    fn decode_front(text: &[u8], cx: &mut Decoding) -> Option<Result<(Self, usize), DecodeError>> {
        let front = PartialObjectMetadata::decode_front(text, cx)?;
        Some(front.map(|(object, read)| (object.into(), read)))
    }

    fn decode(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
        <PartialObjectMetadata as Payload>::decode(format, bytes, cx).map(Self::from)
    }

    fn encode(&self, format: Format) -> Vec<u8> {
        Payload::encode(&PartialObjectMetadata { metadata: self.metadata.clone() }, format)
    }
}

impl<K> From<PartialObjectMetadata> for PartialObjectMeta<K> {
    fn from(object: PartialObjectMetadata) -> Self {
        Self::new(object.metadata)
    }
}

impl<K> From<PartialObjectMeta<K>> for PartialObjectMetadata {
    fn from(object: PartialObjectMeta<K>) -> Self {
        Self { metadata: object.metadata }
    }
}

impl<K> Clone for PartialObjectMeta<K> {
    fn clone(&self) -> Self {
        Self::new(self.metadata.clone())
    }
}

impl<K> PartialEq for PartialObjectMeta<K> {
    fn eq(&self, other: &Self) -> bool {
        self.metadata == other.metadata
    }
}

impl<K> Default for PartialObjectMeta<K> {
    fn default() -> Self {
        Self::new(ObjectMeta::EMPTY)
    }
}

impl<K> fmt::Debug for PartialObjectMeta<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartialObjectMeta").field("metadata", &self.metadata).finish()
    }
}
