//! [`Block`]: one packed object.

use client_rs_machinery::{Blob, ObjectKey};

/// An object's key and version as they are, and its wire bytes compressed, in one piece of heap. One word; clones share.
///
/// ```text
/// dictionary │ length of the bytes │ lengths of namespace, name, version │ namespace │ name │ version │ compressed bytes
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Block(Blob);

/// A block, read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facts<'a> {
    /// The number of the dictionary, or one of the two marks.
    pub(super) dictionary: u8,
    /// How many bytes there are when they are not compressed.
    pub(super) len: usize,
    pub(super) namespace: &'a str,
    pub(super) name: &'a str,
    pub(super) resource_version: &'a str,
    /// The bytes, compressed.
    pub(super) body: &'a [u8],
}

/// The bytes are not compressed.
pub(super) const PLAIN: u8 = 0;
/// The bytes are compressed without a dictionary.
pub(super) const ALONE: u8 = u8::MAX;

impl Block {
    /// Stands for an object that is not packed: it is kept elsewhere. No heap.
    pub(super) const NONE: Self = Self(Blob::EMPTY);

    pub(super) fn new(facts: &Facts<'_>) -> Self {
        let texts = [facts.namespace, facts.name, facts.resource_version];
        let size = texts.iter().map(|text| text.len()).sum::<usize>() + facts.body.len() + 16;
        let mut bytes = Vec::with_capacity(size);
        bytes.push(facts.dictionary);
        put_number(&mut bytes, facts.len);
        for text in texts {
            put_number(&mut bytes, text.len());
        }
        for text in texts {
            bytes.extend_from_slice(text.as_bytes());
        }
        bytes.extend_from_slice(facts.body);
        Self(Blob::from(&bytes[..]))
    }

    pub(super) fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether both are the very same.
    pub(crate) fn ptr_eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }

    /// Bytes asked of the allocator.
    pub(crate) fn heap_size(&self) -> usize {
        self.0.heap_size()
    }

    /// What it says; nothing of what no block can be.
    pub(super) fn facts(&self) -> Option<Facts<'_>> {
        let (dictionary, mut rest) = self.0.split_first()?;
        let len = take_number(&mut rest)?;
        let lengths = [take_number(&mut rest)?, take_number(&mut rest)?, take_number(&mut rest)?];
        let mut texts = [""; 3];
        for (text, length) in texts.iter_mut().zip(lengths) {
            let (bytes, behind) = rest.split_at_checked(length)?;
            *text = str::from_utf8(bytes).ok()?;
            rest = behind;
        }
        let [namespace, name, resource_version] = texts;
        Some(Facts { dictionary: *dictionary, len, namespace, name, resource_version, body: rest })
    }

    /// Whether it is the object of this key.
    pub(super) fn is(&self, namespace: &str, name: &str) -> bool {
        self.facts().is_some_and(|facts| facts.name == name && facts.namespace == namespace)
    }

    pub(crate) fn key(&self) -> ObjectKey {
        let facts = self.facts();
        facts.map_or(ObjectKey::EMPTY, |facts| ObjectKey::new(facts.namespace, facts.name))
    }

    pub(crate) fn namespace(&self) -> &str {
        self.facts().map_or("", |facts| facts.namespace)
    }

    pub(crate) fn resource_version(&self) -> &str {
        self.facts().map_or("", |facts| facts.resource_version)
    }
}

/// Seven bits a byte, the lowest first; the high bit says that more follow.
#[allow(clippy::cast_possible_truncation)]
fn put_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> Option<usize> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_word_and_none_has_no_heap() {
        assert_eq!(size_of::<Block>(), size_of::<usize>());
        assert_eq!((Block::NONE.heap_size(), Block::NONE.is_none(), Block::NONE.facts()), (0, true, None));
        assert_eq!((Block::NONE.key(), Block::NONE.resource_version()), (ObjectKey::EMPTY, ""));
    }

    proptest! {
        #[test]
        fn says_what_was_put_in(
            dictionary: u8, len in 0..usize::MAX, namespace in ".{0,200}", name in ".{0,200}",
            resource_version in "[0-9]{0,20}", body: Vec<u8>,
        ) {
            let facts = Facts {
                dictionary, len, namespace: &namespace, name: &name, resource_version: &resource_version, body: &body,
            };
            let block = Block::new(&facts);
            prop_assert_eq!(block.facts(), Some(facts));
            prop_assert!(block.is(&namespace, &name) && !block.is_none());
            prop_assert_eq!(block.key(), ObjectKey::new(namespace.as_str(), name.as_str()));
        }

        #[test]
        fn what_is_no_block_says_nothing(bytes: Vec<u8>) {
            // It may by chance be one; it must not panic.
            let _ = Block(Blob::from(&bytes[..])).facts();
        }
    }
}
