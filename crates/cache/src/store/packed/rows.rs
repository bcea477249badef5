//! [`PackedRows`]: the objects of a packed store by slot.

use std::sync::Arc;

use client_rs_machinery::Object;

use super::{Block, Dictionary, Enabled, Unpacker};
use crate::store::cow_vec::CowVec;
use crate::store::stored::{Held, Stored};
use crate::store::table::{Free, Table};

/// Blocks by slot and by key, and separately the objects that are not packed yet. Clones share unchanged parts.
pub(crate) struct PackedRows<K> {
    /// A slot with the placeholder block has its object in `fresh`.
    blocks: Table<Block>,
    fresh: CowVec<Arc<K>>,
    fresh_len: usize,
    unpacker: Arc<Unpacker<K>>,
    /// The size of all blocks.
    bytes: usize,
    enabled: Enabled,
}

impl<K: Object> PackedRows<K> {
    pub(crate) fn new(unpacker: Arc<Unpacker<K>>) -> Self {
        let enabled = unpacker.enabled();
        Self { blocks: Table::default(), fresh: CowVec::default(), fresh_len: 0, unpacker, bytes: 0, enabled }
    }

    /// Returns an empty table with the same unpacker.
    pub(crate) fn emptied(&self) -> Self {
        Self::new(self.unpacker.clone())
    }

    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    pub(crate) fn slots(&self) -> usize {
        self.blocks.slots()
    }

    /// Returns the number of objects that are not packed.
    pub(crate) fn fresh_len(&self) -> usize {
        self.fresh_len
    }

    /// Returns the bytes of the blocks, as requested from the allocator.
    pub(crate) fn block_bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the bytes of the tables.
    pub(crate) fn table_bytes(&self) -> usize {
        self.blocks.heap_size() + self.fresh.heap_size()
    }

    pub(crate) fn unpacker(&self) -> &Arc<Unpacker<K>> {
        &self.unpacker
    }

    pub(crate) fn get(&self, slot: u32) -> Option<Held<'_, K>> {
        let block = self.blocks.get(slot)?;
        self.held(slot, block)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, Held<'_, K>)> {
        self.blocks.iter().filter_map(|(slot, block)| Some((slot, self.held(slot, block)?)))
    }

    pub(crate) fn find(&self, hash: u32, namespace: &str, name: &str) -> Option<(u32, Held<'_, K>)> {
        let (slot, block) = self.blocks.find(hash, |slot, block| {
            if !block.is_none() {
                return block.is(namespace, name);
            }
            let fresh = self.fresh.get(slot as usize);
            fresh.is_some_and(|object| object.name() == name && object.namespace() == namespace)
        })?;
        Some((slot, self.held(slot, block)?))
    }

    /// Adds a new object; without a block it stays decoded for now.
    pub(crate) fn insert(&mut self, hash: u32, object: Arc<K>, block: Option<Block>, free: &mut Free) -> u32 {
        let block = block.unwrap_or(Block::NONE);
        self.bytes += block.heap_size();
        let is_fresh = block.is_none();
        let slot = self.blocks.insert(hash, block, free);
        if is_fresh {
            self.set_fresh(slot, object);
        }
        slot
    }

    /// Replaces the object of a slot by another one with the same key, and returns the old one.
    pub(crate) fn replace(&mut self, slot: u32, object: Arc<K>, block: Option<Block>) -> Option<Stored<K>> {
        let block = block.unwrap_or(Block::NONE);
        self.bytes += block.heap_size();
        let is_fresh = block.is_none();
        let old = self.blocks.replace(slot, block)?;
        let old = self.taken(slot, old);
        if is_fresh {
            self.set_fresh(slot, object);
        }
        old
    }

    pub(crate) fn remove(&mut self, hash: u32, slot: u32, free: &mut Free) -> Option<Stored<K>> {
        let old = self.blocks.remove(hash, slot, free)?;
        self.taken(slot, old)
    }

    /// Copies an object into an empty slot.
    pub(crate) fn copy(&mut self, hash: u32, held: &Held<'_, K>, free: &mut Free) -> u32 {
        match held {
            Held::Decoded(object) => self.insert(hash, Arc::clone(object), None, free),
            Held::Packed(block, ..) => {
                self.bytes += block.heap_size();
                self.blocks.insert(hash, (*block).clone(), free)
            }
        }
    }

    /// Replaces an object by its block, if the slot still has that object.
    pub(crate) fn pack(&mut self, slot: u32, was: &Stored<K>, block: Block) {
        if self.get(slot).is_none_or(|held| !held.to_stored().ptr_eq(was)) {
            return;
        }
        self.bytes += block.heap_size();
        if let Some(old) = self.blocks.replace(slot, block) {
            // The decoded object is dropped here.
            let _ = self.taken(slot, old);
        }
    }

    /// Adds a dictionary.
    pub(crate) fn add_dictionary(&mut self, dictionary: Arc<Dictionary>) {
        let mut dictionaries = self.unpacker.dictionaries().to_vec();
        dictionaries.push(dictionary);
        self.unpacker = Arc::new(self.unpacker.with(dictionaries));
    }

    /// Returns the dictionaries that the blocks need, and the newest. Reads every block.
    pub(crate) fn needed_dictionaries(&self, newest: u8) -> Vec<Arc<Dictionary>> {
        let mut used = [false; 256];
        used[usize::from(newest)] = true;
        for facts in self.blocks.iter().filter_map(|(_, block)| block.facts()) {
            used[usize::from(facts.dictionary)] = true;
        }
        let known = self.unpacker.dictionaries().iter();
        known.filter(|dictionary| used[usize::from(dictionary.number())]).cloned().collect()
    }

    /// Sets the dictionaries. Snapshots keep theirs.
    pub(crate) fn set_dictionaries(&mut self, dictionaries: Vec<Arc<Dictionary>>) {
        self.unpacker = Arc::new(self.unpacker.with(dictionaries));
    }

    fn held<'a>(&'a self, slot: u32, block: &'a Block) -> Option<Held<'a, K>> {
        if block.is_none() {
            return self.fresh.get(slot as usize).map(Held::Decoded);
        }
        Some(Held::Packed(block, &self.unpacker, self.enabled))
    }

    fn set_fresh(&mut self, slot: u32, object: Arc<K>) {
        if self.fresh.set(slot as usize, object).is_none() {
            self.fresh_len += 1;
        }
    }

    /// Returns the object of a slot whose block was removed.
    fn taken(&mut self, slot: u32, block: Block) -> Option<Stored<K>> {
        if !block.is_none() {
            self.bytes -= block.heap_size();
            return Some(Stored::packed(block, self.unpacker.clone()));
        }
        let object = self.fresh.take(slot as usize)?;
        self.fresh_len -= 1;
        if self.fresh_len == 0 {
            // Its empty leaves also take memory.
            self.fresh = CowVec::default();
        }
        Some(object.into())
    }
}

impl<K> Clone for PackedRows<K> {
    fn clone(&self) -> Self {
        Self {
            blocks: self.blocks.clone(),
            fresh: self.fresh.clone(),
            fresh_len: self.fresh_len,
            unpacker: self.unpacker.clone(),
            bytes: self.bytes,
            enabled: self.enabled,
        }
    }
}
