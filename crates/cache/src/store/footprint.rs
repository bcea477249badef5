//! [`Footprint`]: the memory use of a store.

use std::sync::PoisonError;

use client_rs_machinery::Object;

use super::packed::packer::encode;
use super::shared::Shared;

/// The memory use of a store; see [`Indexer::footprint`](super::Indexer::footprint).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Footprint {
    /// `decoded` or `packed`.
    pub layout: &'static str,
    /// Objects in the store.
    pub objects: usize,
    /// Bytes of tables and indexes.
    pub table_bytes: usize,
    /// Packed: the bytes of packed objects and dictionaries, exactly as requested from the allocator.
    pub packed_bytes: usize,
    /// Packed: the number of objects that are still decoded and wait to be packed.
    pub unpacked: usize,
    /// Packed: whether a thread is training a dictionary or packing objects.
    pub packing: bool,
    /// Packed: dictionaries in use, usually one.
    pub dictionaries: usize,
    /// Packed: how often packed bytes did not decode. Such an object is missing from reads. It happens only if
    /// the wire format of the type cannot read its own output.
    pub unpack_errors: u64,
    /// Decoded: the wire size of the objects, estimated from some of them. In memory they take more or less,
    /// depending on how much they share. `None` if the store does not know the wire format: see
    /// [`Layout::decoded`](super::Layout::decoded).
    pub wire_bytes: Option<usize>,
}

/// The number of objects for the estimate of the wire size.
const SAMPLE: usize = 64;

impl<K: Object> Shared<K> {
    pub(super) fn footprint(&self) -> Footprint {
        let ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        let content = self.snapshot();
        let mut footprint = Footprint {
            layout: self.layout.name(),
            objects: content.len(),
            table_bytes: content.table_bytes(&ledger),
            packing: ledger.packing.as_ref().is_some_and(|packing| packing.running),
            ..Footprint::default()
        };
        let digest = ledger.packing.as_ref().and_then(|packing| packing.packer.digest().cloned());
        drop(ledger);
        if let Some(rows) = content.objects.packed() {
            let dictionaries = rows.unpacker().dictionaries();
            footprint.packed_bytes = rows.block_bytes()
                + dictionaries.iter().map(|dictionary| dictionary.heap_size()).sum::<usize>()
                + digest.map_or(0, |digest| digest.heap_size());
            footprint.unpacked = rows.fresh_len();
            footprint.dictionaries = dictionaries.len();
            footprint.unpack_errors = rows.unpacker().errors();
        } else if let Some(codec) = self.layout.codec() {
            let objects = content.iter().step_by((content.len() / SAMPLE).max(1)).take(SAMPLE);
            let (mut count, mut bytes) = (0, 0);
            for object in objects.filter_map(|held| held.object()) {
                bytes += encode(&**codec, &**object).map_or(0, |bytes| bytes.len());
                count += 1;
            }
            footprint.wire_bytes = Some(bytes.checked_div(count).unwrap_or(0) * content.len());
        }
        footprint
    }
}

impl Footprint {
    /// Returns the known bytes and their kind: `heap`, exact except for objects that wait to be packed, or
    /// `wire`, an estimate of the encoded size. `None` if the store keeps decoded objects whose wire format it
    /// does not know.
    pub fn bytes(&self) -> Option<(usize, &'static str)> {
        match self.layout {
            "packed" => Some((self.table_bytes + self.packed_bytes, "heap")),
            _ => self.wire_bytes.map(|bytes| (bytes, "wire")),
        }
    }
}
