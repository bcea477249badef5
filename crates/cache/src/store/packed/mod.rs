//! Objects as compressed wire bytes.
//!
//! - a block is one object: its key, its version and its compressed bytes (`block`);
//! - a dictionary is the common content of objects, trained on some of them (`dictionary`);
//! - an unpacker decodes blocks: it holds every dictionary that a block may need (`unpacker`);
//! - a packer makes blocks (`packer`), and a gauge decides when a new dictionary is worth it (`gauge`);
//! - rows are the blocks of a store by slot, and the objects that are not packed yet (`rows`).

pub(super) mod block;
pub(super) mod compress;
pub(super) mod dictionary;
pub(super) mod gauge;
pub(super) mod packer;
pub(super) mod rows;
pub(super) mod unpacker;

pub(super) use block::Block;
pub(super) use compress::Enabled;
pub(super) use dictionary::Dictionary;
pub(super) use packer::Packer;
pub(super) use rows::PackedRows;
pub(super) use unpacker::Unpacker;
