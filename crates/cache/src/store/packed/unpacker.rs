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

/// Makes objects of blocks. Holds the dictionaries of every block that it may be asked for: a snapshot keeps the unpacker
/// of its moment, and with it the dictionaries of its objects.
pub(crate) struct Unpacker<K> {
    codec: Arc<dyn Codec<K>>,
    dictionaries: Vec<Arc<Dictionary>>,
    errors: Arc<AtomicU64>,
    enabled: Enabled,
}

/// Why a block gives no object. Only a mistake in this crate or in the type's wire format can cause one.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnpackError {
    /// The block itself can't be read.
    #[error("the packed object can't be read")]
    Malformed,
    /// Its dictionary is gone.
    #[error("dictionary {0} is not there")]
    NoDictionary(u8),
    /// zstd refuses it.
    #[error("it can't be decompressed: {0}")]
    Decompress(&'static str),
    /// Its bytes don't decode.
    #[error("it was stored in a form that does not decode: {0}")]
    Decode(DecodeError),
}

// Not a source: the text has it.
impl From<DecodeError> for UnpackError {
    fn from(error: DecodeError) -> Self {
        Self::Decode(error)
    }
}

/// What unpacking needs besides the block: kept by each thread that unpacks, some 100 KB.
struct Workspace {
    context: DCtx<'static>,
    frame: Vec<u8>,
    bytes: Vec<u8>,
}

/// What compressed bytes begin with in zstd's format. Not kept in blocks.
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

    /// The same, with these dictionaries.
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

    /// How many times no object could be made of a block.
    pub(crate) fn errors(&self) -> u64 {
        self.errors.load(Ordering::Relaxed)
    }

    /// The object. Nothing if that fails, which is logged and counted.
    pub(crate) fn object(&self, block: &Block) -> Option<Arc<K>> {
        let decoded = self.read(block, |bytes| Ok(self.codec.decode(bytes)?));
        self.noted(block, decoded).map(Arc::new)
    }

    /// Whether a selector matches the object's labels, which are read without decoding the rest.
    pub(crate) fn matches(&self, block: &Block, selector: &Selector) -> bool {
        let matched = self.read(block, |bytes| Ok(selector.matches(&self.peek(bytes))));
        self.noted(block, matched).unwrap_or(false)
    }

    /// Whether the object has this identity.
    pub(crate) fn has_uid(&self, block: &Block, uid: &str) -> bool {
        let same = self.read(block, |bytes| Ok(self.peek(bytes).uid() == uid));
        self.noted(block, same).unwrap_or(false)
    }

    /// The object's identity.
    pub(crate) fn uid(&self, block: &Block) -> Option<String> {
        let uid = self.read(block, |bytes| Ok(self.peek(bytes).uid().to_owned()));
        self.noted(block, uid)
    }

    /// Has the object's bytes looked at.
    pub(crate) fn read<R>(
        &self,
        block: &Block,
        look: impl FnOnce(&[u8]) -> Result<R, UnpackError>,
    ) -> Result<R, UnpackError> {
        let facts = block.facts().ok_or(UnpackError::Malformed)?;
        if facts.dictionary == PLAIN {
            return look(facts.body);
        }
        // Taken out for the time: what looks may be foreign code that unpacks something else.
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
                tracing::error!(key = %block.key(), %error, "a packed object can't be unpacked");
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
