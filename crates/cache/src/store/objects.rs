//! [`Objects`]: the objects of a store by slot and by key, in either layout.

use std::hint::black_box;
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey};

use super::packed::{Block, PackedRows, Unpacker};
use super::stored::{Held, Stored};
use super::table::{Free, Table};

/// The objects of a store. Clones share unchanged parts.
pub(super) enum Objects<K> {
    Decoded(Table<Row<K>>),
    Packed(PackedRows<K>),
}

/// An object and its key, which shares the texts of the object. With the key next to the pointer, a lookup does
/// not touch other objects.
pub(super) struct Row<K> {
    key: ObjectKey,
    object: Arc<K>,
}

/// An iterator that is one of two.
enum Either<A, B> {
    A(A),
    B(B),
}

impl<K: Object> Objects<K> {
    /// Makes an empty table; packed if there is an unpacker.
    pub(super) fn new(unpacker: Option<Arc<Unpacker<K>>>) -> Self {
        match unpacker {
            None => Self::Decoded(Table::default()),
            Some(unpacker) => Self::Packed(PackedRows::new(unpacker)),
        }
    }

    /// Returns an empty table with the same layout.
    pub(super) fn emptied(&self) -> Self {
        match self {
            Self::Decoded(_) => Self::Decoded(Table::default()),
            Self::Packed(rows) => Self::Packed(rows.emptied()),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Decoded(rows) => rows.len(),
            Self::Packed(rows) => rows.len(),
        }
    }

    /// Returns one more than the highest slot that was ever in use.
    pub(super) fn slots(&self) -> usize {
        match self {
            Self::Decoded(rows) => rows.slots(),
            Self::Packed(rows) => rows.slots(),
        }
    }

    pub(super) fn get(&self, slot: u32) -> Option<Held<'_, K>> {
        match self {
            Self::Decoded(rows) => rows.get(slot).map(|row| Held::Decoded(&row.object)),
            Self::Packed(rows) => rows.get(slot),
        }
    }

    /// Iterates over the objects with their slots, by slot.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, Held<'_, K>)> {
        match self {
            Self::Decoded(rows) => {
                Either::A(rows.iter().map(|(slot, row)| (slot, Held::Decoded(&row.object))))
            }
            Self::Packed(rows) => Either::B(rows.iter()),
        }
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = ObjectKey> {
        match self {
            Self::Decoded(rows) => Either::A(rows.iter().map(|(_, row)| row.key.clone())),
            Self::Packed(rows) => Either::B(rows.iter().map(|(_, held)| held.key())),
        }
    }

    #[inline]
    pub(super) fn find(&self, hash: u32, namespace: &str, name: &str) -> Option<(u32, Held<'_, K>)> {
        match self {
            Self::Decoded(rows) => {
                let (slot, row) = rows.find(hash, |_, row: &Row<K>| {
                    // The reference count will be raised: fetch its cache line while the texts are compared, not after.
                    black_box(Arc::strong_count(&row.object));
                    is_same(&row.key.name, name) && is_same(&row.key.namespace, namespace)
                })?;
                Some((slot, Held::Decoded(&row.object)))
            }
            Self::Packed(rows) => rows.find(hash, namespace, name),
        }
    }

    /// Adds a new object. A packed store keeps it decoded for now if there is no block.
    pub(super) fn insert(&mut self, hash: u32, object: Arc<K>, block: Option<Block>, free: &mut Free) -> u32 {
        match self {
            Self::Decoded(rows) => rows.insert(hash, Row::new(object), free),
            Self::Packed(rows) => rows.insert(hash, object, block, free),
        }
    }

    /// Replaces the object of a slot by another one with the same key, and returns the old one.
    pub(super) fn replace(&mut self, slot: u32, object: Arc<K>, block: Option<Block>) -> Option<Stored<K>> {
        match self {
            Self::Decoded(rows) => rows.replace(slot, Row::new(object)).map(|row| row.object.into()),
            Self::Packed(rows) => rows.replace(slot, object, block),
        }
    }

    pub(super) fn remove(&mut self, hash: u32, slot: u32, free: &mut Free) -> Option<Stored<K>> {
        match self {
            Self::Decoded(rows) => rows.remove(hash, slot, free).map(|row| row.object.into()),
            Self::Packed(rows) => rows.remove(hash, slot, free),
        }
    }

    /// Copies an object from another table of the same layout.
    pub(super) fn copy(&mut self, hash: u32, held: &Held<'_, K>, free: &mut Free) -> Option<u32> {
        match (self, held) {
            (Self::Decoded(rows), Held::Decoded(object)) => {
                Some(rows.insert(hash, Row::new(Arc::clone(object)), free))
            }
            (Self::Packed(rows), held) => Some(rows.copy(hash, held, free)),
            (Self::Decoded(_), Held::Packed(..)) => None,
        }
    }

    pub(super) fn packed(&self) -> Option<&PackedRows<K>> {
        match self {
            Self::Decoded(_) => None,
            Self::Packed(rows) => Some(rows),
        }
    }

    pub(super) fn packed_mut(&mut self) -> Option<&mut PackedRows<K>> {
        match self {
            Self::Decoded(_) => None,
            Self::Packed(rows) => Some(rows),
        }
    }

    /// Returns the bytes of the tables, without the objects.
    pub(super) fn table_bytes(&self) -> usize {
        match self {
            Self::Decoded(rows) => rows.heap_size(),
            Self::Packed(rows) => rows.table_bytes(),
        }
    }
}

/// Whether two texts are equal. Most keys share their texts with the stored object, so mostly a look at the address is enough.
#[inline]
fn is_same(one: &str, other: &str) -> bool {
    std::ptr::eq(one, other) || one == other
}

impl<T, A: Iterator<Item = T>, B: Iterator<Item = T>> Iterator for Either<A, B> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match self {
            Self::A(items) => items.next(),
            Self::B(items) => items.next(),
        }
    }

    // Internal iteration branches once, and not for each item.
    fn fold<R, F: FnMut(R, T) -> R>(self, start: R, each: F) -> R {
        match self {
            Self::A(items) => items.fold(start, each),
            Self::B(items) => items.fold(start, each),
        }
    }
}

impl<K: Object> Row<K> {
    fn new(object: Arc<K>) -> Self {
        Self { key: object.key(), object }
    }
}

impl<K> Clone for Row<K> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), object: self.object.clone() }
    }
}

impl<K> Clone for Objects<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Decoded(rows) => Self::Decoded(rows.clone()),
            Self::Packed(rows) => Self::Packed(rows.clone()),
        }
    }
}
