//! [`Packer`]: blocks from objects.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use client_rs_machinery::Object;

use super::block::{ALONE, Block, Facts, PLAIN};
use super::compress::{CCtx, Enabled, compress_bound, get_error_name};
use super::dictionary::{Digest, LEVEL};
use super::unpacker::{MAGIC, UnpackError, Unpacker};
use crate::store::layout::Codec;
use crate::transform::panic_message;

/// Makes blocks of objects. Each thread has its own.
pub(crate) struct Packer<K> {
    codec: Arc<dyn Codec<K>>,
    digest: Option<Arc<Digest>>,
    /// Made at the first use.
    context: Option<CCtx<'static>>,
    buffer: Vec<u8>,
    enabled: Enabled,
}

/// A block, and its number of raw bytes.
pub(crate) struct Packed {
    pub(crate) block: Block,
    pub(crate) raw: usize,
}

/// Objects of fewer bytes are not compressed.
const TINY: usize = 32;
/// A buffer larger than this is not kept.
const KEEP: usize = 64 << 10;

impl<K: Object> Packer<K> {
    pub(crate) fn new(codec: Arc<dyn Codec<K>>, digest: Option<Arc<Digest>>, enabled: Enabled) -> Self {
        Self { codec, digest, context: None, buffer: Vec::new(), enabled }
    }

    pub(crate) fn digest(&self) -> Option<&Arc<Digest>> {
        self.digest.as_ref()
    }

    /// Returns the proof, for another packer of the same store.
    pub(crate) fn enabled(&self) -> Enabled {
        self.enabled
    }

    pub(crate) fn set_digest(&mut self, digest: Arc<Digest>) {
        self.digest = Some(digest);
    }

    /// Packs an object; `None` if that fails, which is logged. The object then stays decoded.
    pub(crate) fn pack(&mut self, object: &K) -> Option<Packed> {
        let bytes = encode(&*self.codec, object)?;
        let meta = object.meta();
        self.compress(&bytes, meta.namespace(), meta.name(), meta.resource_version())
    }

    /// Repacks an object with the newest dictionary; `None` if it already uses that, or does not decode.
    pub(crate) fn repack(&mut self, block: &Block, unpacker: &Unpacker<K>) -> Option<Packed> {
        let facts = block.facts()?;
        if facts.dictionary == self.digest.as_ref()?.number() {
            return None;
        }
        let packed = unpacker.read(block, |bytes| {
            let again = self.compress(bytes, facts.namespace, facts.name, facts.resource_version);
            again.ok_or(UnpackError::Malformed)
        });
        packed.ok()
    }

    fn compress(&mut self, bytes: &[u8], namespace: &str, name: &str, version: &str) -> Option<Packed> {
        let mut facts = Facts {
            dictionary: PLAIN,
            len: bytes.len(),
            namespace,
            name,
            resource_version: version,
            body: bytes,
        };
        if bytes.len() >= TINY {
            if self.context.is_none() {
                self.context = CCtx::try_create();
            }
            let context = self.context.as_mut()?;
            self.buffer.clear();
            self.buffer.reserve(compress_bound(bytes.len()));
            let done = match &self.digest {
                Some(digest) => context.compress_using_cdict(&mut self.buffer, bytes, digest.cdict()),
                None => context.compress(&mut self.buffer, bytes, LEVEL),
            };
            if let Err(code) = done {
                let error = get_error_name(code);
                tracing::error!(namespace, name, error, "object can't be compressed");
                return None;
            }
            if let Some(body) = self.buffer.strip_prefix(&MAGIC).filter(|body| body.len() < bytes.len()) {
                facts.dictionary = self.digest.as_ref().map_or(ALONE, |digest| digest.number());
                facts.body = body;
            }
        }
        let block = Block::new(&facts);
        if self.buffer.capacity() > KEEP {
            self.buffer = Vec::new();
        }
        Some(Packed { block, raw: bytes.len() })
    }
}

/// Returns the wire bytes of an object; `None` if its type panics, which is logged.
pub(crate) fn encode<K: Object>(codec: &dyn Codec<K>, object: &K) -> Option<Vec<u8>> {
    catch_unwind(AssertUnwindSafe(|| codec.encode(object)))
        .inspect_err(|panic| {
            let panic = panic_message(&**panic);
            tracing::error!(object = %object.key(), panic, "object can't be encoded, it stays decoded");
        })
        .ok()
}

impl<K> fmt::Debug for Packer<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packer").field("digest", &self.digest).finish_non_exhaustive()
    }
}
