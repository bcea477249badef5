//! One index: its values, and for each the slots of the objects that have it.

use std::hash::BuildHasher;

use client_rs_machinery::Str;
use client_rs_machinery::hash::{HashMap, RandomState};

use super::slot_set::SlotSet;
use super::table::{Free, Table};

/// The values of an index. Part of snapshots: clones share unchanged parts.
#[derive(Clone, Debug)]
pub(super) struct Postings {
    pub(super) name: Str,
    values: Table<Posting>,
}

#[derive(Clone, Debug)]
struct Posting {
    value: Str,
    slots: SlotSet,
}

/// The values of each slot, for the writer only. With it an object leaves an index without another call of the
/// index function, so a function with changing results leaves no stale values.
#[derive(Debug, Default)]
pub(super) struct Holdings {
    /// By slot: the number of its value, or one of two marks.
    one: Vec<u32>,
    /// For slots marked `SEVERAL`.
    several: HashMap<u32, Box<[u32]>>,
    free: Free,
    old: Vec<u32>,
    new: Vec<u32>,
}

const NONE: u32 = u32::MAX;
const SEVERAL: u32 = u32::MAX - 1;

impl Postings {
    pub(super) fn new(name: Str) -> Self {
        Self { name, values: Table::default() }
    }

    /// Returns the slots that have a value.
    pub(super) fn slots(&self, value: &str, hasher: &RandomState) -> Option<&SlotSet> {
        let found = self.values.find(hash_text(value, hasher), |_, posting| posting.value == value);
        found.map(|(_, posting)| &posting.slots)
    }

    /// Iterates over all values that an object has.
    pub(super) fn values(&self) -> impl Iterator<Item = &Str> {
        self.values.iter().map(|(_, posting)| &posting.value)
    }

    /// Bytes of heap.
    pub(super) fn heap_size(&self) -> usize {
        let posting = |posting: &Posting| posting.slots.heap_size() + posting.value.heap_size();
        self.values.heap_size() + self.values.iter().map(|(_, value)| posting(value)).sum::<usize>()
    }

    /// Sets the values of a slot.
    pub(super) fn assign(&mut self, slot: u32, values: &[Str], held: &mut Holdings, hasher: &RandomState) {
        if held.is_same(slot, values, self) {
            return;
        }
        let mut old = std::mem::take(&mut held.old);
        let mut new = std::mem::take(&mut held.new);
        old.clear();
        old.extend_from_slice(held.get(slot));
        new.clear();
        for value in values {
            let hash = hash_text(value, hasher);
            let found = self.values.find(hash, |_, posting| posting.value == *value).map(|(id, _)| id);
            new.push(found.unwrap_or_else(|| {
                let posting = Posting { value: value.clone(), slots: SlotSet::default() };
                self.values.insert(hash, posting, &mut held.free)
            }));
        }
        new.sort_unstable();
        new.dedup();
        for id in new.iter().filter(|id| !old.contains(id)) {
            if let Some(posting) = self.values.get_mut(*id) {
                posting.slots.insert(slot);
            }
        }
        for id in old.iter().filter(|id| !new.contains(id)) {
            let Some(posting) = self.values.get_mut(*id) else { continue };
            posting.slots.remove(slot);
            if posting.slots.is_empty() {
                let hash = hash_text(&posting.value, hasher);
                self.values.remove(hash, *id, &mut held.free);
            }
        }
        held.set(slot, &new);
        (held.old, held.new) = (old, new);
    }

    /// Adds the values of a slot to `values`.
    pub(super) fn collect(&self, slot: u32, held: &Holdings, values: &mut Vec<Str>) {
        let postings = held.get(slot).iter().filter_map(|id| self.values.get(*id));
        values.extend(postings.map(|posting| posting.value.clone()));
    }
}

impl Holdings {
    /// Returns whether the values are unchanged. Most updates leave them so, and that costs one comparison.
    fn is_same(&self, slot: u32, values: &[Str], postings: &Postings) -> bool {
        match (self.get(slot), values) {
            ([], []) => true,
            ([id], [value]) => postings.values.get(*id).is_some_and(|posting| posting.value == *value),
            _ => false,
        }
    }

    /// Bytes of heap.
    pub(super) fn heap_size(&self) -> usize {
        let several: usize = self.several.values().map(|ids| size_of_val(&**ids)).sum();
        self.one.capacity() * size_of::<u32>() + self.several.allocation_size() + several
    }

    fn get(&self, slot: u32) -> &[u32] {
        match self.one.get(slot as usize) {
            None | Some(&NONE) => &[],
            Some(&SEVERAL) => self.several.get(&slot).map_or(&[], |ids| ids),
            Some(id) => std::slice::from_ref(id),
        }
    }

    fn set(&mut self, slot: u32, ids: &[u32]) {
        let at = slot as usize;
        if self.one.get(at) == Some(&SEVERAL) {
            self.several.remove(&slot);
        }
        let mark = match ids {
            [] => NONE,
            [id] => *id,
            ids => {
                self.several.insert(slot, ids.into());
                SEVERAL
            }
        };
        if self.one.len() <= at {
            self.one.resize(at + 1, NONE);
        }
        self.one[at] = mark;
    }
}

#[allow(clippy::cast_possible_truncation)]
pub(super) fn hash_text(text: &str, hasher: &RandomState) -> u32 {
    hasher.hash_one(text) as u32
}
