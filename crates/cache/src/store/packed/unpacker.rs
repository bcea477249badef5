//! [`Unpacker`]: objects from blocks.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use client_rs_machinery::labels::Selector;
use client_rs_machinery::wire::{DecodeError, Format, Peek};

use super::block::{ALONE, Block, PLAIN};
use super::compress::{DCtx, Enabled, get_error_name};
use super::dictionary::Dictionary;
use crate::store::layout::Codec;

/// Unpacks blocks. It holds the dictionaries of every block that it may get: a snapshot keeps the unpacker of
/// its time, and with it the dictionaries of its objects.
pub(crate) struct Unpacker<K> {
    codec: Arc<dyn Codec<K>>,
    dictionaries: Vec<Arc<Dictionary>>,
    errors: Arc<AtomicU64>,
    enabled: Enabled,
}

/// The error of unpacking a block. Only a bug in this crate or in the wire format of the type can cause it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnpackError {
    /// The block is malformed.
    #[error("the packed object is malformed")]
    Malformed,
    /// Its dictionary is missing.
    #[error("dictionary {0} is missing")]
    NoDictionary(u8),
    /// zstd cannot decompress it.
    #[error("the packed object can't be decompressed: {0}")]
    Decompress(&'static str),
    /// Its bytes do not decode.
    #[error("the packed object does not decode: {0}")]
    Decode(DecodeError),
}

// Not a source, because the text already contains it.
impl From<DecodeError> for UnpackError {
    fn from(error: DecodeError) -> Self {
        Self::Decode(error)
    }
}

/// The working memory for unpacking: one per thread, some 100 KB.
struct Workspace {
    context: DCtx<'static>,
    frame: Vec<u8>,
    bytes: Vec<u8>,
}

/// The magic number at the start of zstd's format. Blocks omit it.
pub(super) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Buffers larger than this are not kept.
const KEEP: usize = 64 << 10;

thread_local! {
    static WORKSPACE: Cell<Option<Box<Workspace>>> = const { Cell::new(None) };
}

impl<K> Unpacker<K> {
    pub(crate) fn new(codec: Arc<dyn Codec<K>>, enabled: Enabled) -> Self {
        Self { codec, dictionaries: Vec::new(), errors: Arc::default(), enabled }
    }

    /// Returns an unpacker with these dictionaries.
    pub(crate) fn with(&self, dictionaries: Vec<Arc<Dictionary>>) -> Self {
        Self { codec: self.codec.clone(), dictionaries, errors: self.errors.clone(), enabled: self.enabled }
    }

    pub(crate) fn dictionaries(&self) -> &[Arc<Dictionary>] {
        &self.dictionaries
    }

    pub(crate) fn enabled(&self) -> Enabled {
        self.enabled
    }

    pub(crate) fn codec(&self) -> &Arc<dyn Codec<K>> {
        &self.codec
    }

    /// Returns how often a block did not unpack.
    pub(crate) fn errors(&self) -> u64 {
        self.errors.load(Ordering::Relaxed)
    }

    /// Unpacks an object; `None` if that fails, which is logged and counted.
    pub(crate) fn object(&self, block: &Block) -> Option<Arc<K>> {
        let decoded = self.read(block, |bytes| Ok(self.codec.decode(bytes)?));
        self.noted(block, decoded).map(Arc::new)
    }

    /// Returns whether a selector matches the labels of the object. Decodes only the labels.
    pub(crate) fn matches(&self, block: &Block, selector: &Selector) -> bool {
        let matched = self.read(block, |bytes| Ok(selector.matches(&self.peek(bytes))));
        self.noted(block, matched).unwrap_or(false)
    }

    /// Returns whether the object has this UID.
    pub(crate) fn has_uid(&self, block: &Block, uid: &str) -> bool {
        let same = self.read(block, |bytes| Ok(self.peek(bytes).uid() == uid));
        self.noted(block, same).unwrap_or(false)
    }

    /// Returns the UID of the object.
    pub(crate) fn uid(&self, block: &Block) -> Option<String> {
        let uid = self.read(block, |bytes| Ok(self.peek(bytes).uid().to_owned()));
        self.noted(block, uid)
    }

    /// Calls a function with the bytes of the object.
    pub(crate) fn read<R>(
        &self,
        block: &Block,
        look: impl FnOnce(&[u8]) -> Result<R, UnpackError>,
    ) -> Result<R, UnpackError> {
        let facts = block.facts().ok_or(UnpackError::Malformed)?;
        if facts.dictionary == PLAIN {
            return look(facts.body);
        }
        // Taken out meanwhile, because the function may be user code that unpacks another object.
        let mut workspace = match WORKSPACE.take() {
            Some(workspace) => workspace,
            None => Workspace::new().ok_or(UnpackError::Decompress("no memory for a context"))?,
        };
        let Workspace { context, frame, bytes } = &mut *workspace;
        frame.clear();
        frame.extend_from_slice(&MAGIC);
        frame.extend_from_slice(facts.body);
        bytes.clear();
        bytes.reserve_exact(facts.len);
        let done = if facts.dictionary == ALONE {
            context.decompress(bytes, frame)
        } else {
            let dictionary = self.dictionaries.iter().find(|known| known.number() == facts.dictionary);
            let dictionary = dictionary.ok_or(UnpackError::NoDictionary(facts.dictionary))?;
            context.decompress_using_ddict(bytes, frame, dictionary.ddict())
        };
        let outcome = match done {
            Ok(_) => look(bytes),
            Err(code) => Err(UnpackError::Decompress(get_error_name(code))),
        };
        if bytes.capacity().max(frame.capacity()) <= KEEP {
            WORKSPACE.set(Some(workspace));
        }
        outcome
    }

    fn peek<'a>(&self, bytes: &'a [u8]) -> Peek<'a> {
        match self.codec.format() {
            Format::Json => Peek::json(bytes),
            Format::Protobuf => Peek::envelope(bytes),
        }
    }

    fn noted<R>(&self, block: &Block, outcome: Result<R, UnpackError>) -> Option<R> {
        outcome
            .inspect_err(|error| {
                self.errors.fetch_add(1, Ordering::Relaxed);
                tracing::error!(key = %block.key(), %error, "packed object can't be unpacked");
            })
            .ok()
    }
}

impl Workspace {
    fn new() -> Option<Box<Self>> {
        Some(Box::new(Self { context: DCtx::try_create()?, frame: Vec::new(), bytes: Vec::new() }))
    }
}

impl<K> fmt::Debug for Unpacker<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unpacker").field("dictionaries", &self.dictionaries).finish_non_exhaustive()
    }
}
