//! [`Block`]: one packed object.

use client_rs_machinery::{Blob, ObjectKey};

/// Key and version of an object, and its compressed wire bytes, in one allocation. One word; clones share it.
///
/// ```text
/// dictionary │ length of the bytes │ lengths of namespace, name, version │ namespace │ name │ version │ compressed bytes
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Block(Blob);

/// A parsed block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facts<'a> {
    /// The number of the dictionary, or one of two marks.
    pub(super) dictionary: u8,
    /// The size of the uncompressed bytes.
    pub(super) len: usize,
    pub(super) namespace: &'a str,
    pub(super) name: &'a str,
    pub(super) resource_version: &'a str,
    /// The compressed bytes.
    pub(super) body: &'a [u8],
}

/// Marks bytes that are not compressed.
pub(super) const PLAIN: u8 = 0;
/// Marks bytes that are compressed without a dictionary.
pub(super) const ALONE: u8 = u8::MAX;

impl Block {
    /// The placeholder of an object that is not packed and is stored elsewhere. No heap.
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

    /// Returns whether both are the same allocation.
    pub(crate) fn ptr_eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }

    /// Returns the bytes requested from the allocator.
    pub(crate) fn heap_size(&self) -> usize {
        self.0.heap_size()
    }

    /// Parses the block; `None` if it is malformed.
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

    /// Returns whether it is the object of this key.
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

/// Seven bits per byte, the lowest first; the high bit marks that more follow.
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
        fn a_block_keeps_its_facts(
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
        fn malformed_bytes_do_not_panic(bytes: Vec<u8>) {
            // It may be a valid block by chance; it must not panic.
            let _ = Block(Blob::from(&bytes[..])).facts();
        }
    }
}
