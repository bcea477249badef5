//! UTF-8 in one word.

use super::{Filling, Slot, TooLong};
use std::str;

/// Immutable text. Up to [`INLINE`](Self::INLINE) bytes lie in the word itself, longer text in a block: one text has one
/// form, with unused bytes zero, so equal words are equal texts, and an inline one equals no other word.
///
/// The tag byte is the word's least significant one: the first in memory on little-endian machines, the last on
/// big-endian ones. It holds `len << 1 | 1`; the text has the other bytes.
#[derive(Clone)]
pub(in super::super) struct Text(Slot<u8>);

impl Text {
    /// The longest text that needs no block.
    pub(in super::super) const INLINE: usize = size_of::<usize>() - 1;

    pub(in super::super) const EMPTY: Self = Self(Slot::NONE);

    /// Text that needs no block. Panics if it is longer than that.
    #[inline]
    pub(in super::super) const fn inline(text: &str) -> Self {
        Self(Slot::immediate(word(text.as_bytes())))
    }

    #[inline]
    pub(in super::super) fn try_new(text: &str) -> Result<Self, TooLong> {
        if text.len() <= Self::INLINE {
            return Ok(Self::inline(text));
        }
        Self::in_block(text)
    }

    // One function for all callers, which are many in generated code.
    #[inline(never)]
    fn in_block(text: &str) -> Result<Self, TooLong> {
        let mut filling = Filling::try_with_capacity(text.len())?;
        filling.append_copy(text.as_bytes());
        Ok(Self(filling.finish()))
    }

    #[inline]
    pub(in super::super) fn as_str(&self) -> &str {
        let bytes = match self.0.immediate_bytes() {
            Some(word) => {
                // The mask changes nothing; it shows the compiler that the slice is in bounds.
                let len = usize::from(word[TAG] >> 1) & Self::INLINE;
                &word[START..][..len]
            }
            None => self.0.as_slice(),
        };
        // SAFETY: both constructors take `&str`, whole, and the text is immutable: there is no way to edit the slot.
        unsafe { str::from_utf8_unchecked(bytes) }
    }

    #[inline]
    pub(in super::super) fn same(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }

    #[inline]
    pub(in super::super) fn is_unique(&self) -> bool {
        self.0.is_unique()
    }

    #[inline]
    pub(in super::super) fn holders(&self) -> usize {
        self.0.holders()
    }

    #[inline]
    pub(in super::super) fn heap_size(&self) -> usize {
        self.0.heap_size()
    }
}

/// The word of inline text.
#[inline]
const fn word(bytes: &[u8]) -> usize {
    let len = bytes.len();
    assert!(len <= Text::INLINE, "longer than Str::INLINE");
    // The bytes as a little-endian number, without a loop: ends that may overlap.
    #[allow(clippy::cast_possible_truncation)] // A number of at most INLINE bytes fits a word.
    let number = match len {
        0 => 0,
        1..=3 => {
            bytes[0] as usize
                | (bytes[len / 2] as usize) << (len / 2 * 8)
                | (bytes[len - 1] as usize) << ((len - 1) * 8)
        }
        _ => {
            let head = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as u64;
            let tail = [bytes[len - 4], bytes[len - 3], bytes[len - 2], bytes[len - 1]];
            (head | (u32::from_le_bytes(tail) as u64) << ((len - 4) * 8)) as usize
        }
    };
    let placed = if cfg!(target_endian = "little") { number << 8 } else { number.swap_bytes() };
    placed | len << 1 | 1
}

/// Where in the word the tag byte is, and where the text starts.
const TAG: usize = if cfg!(target_endian = "little") { 0 } else { Text::INLINE };
const START: usize = if cfg!(target_endian = "little") { 1 } else { 0 };

// Also checked where tests don't run: on the big-endian and 32-bit machines that this is built for.
const _: () = {
    let bytes = word(b"abc").to_ne_bytes();
    assert!(bytes[TAG] == 3 << 1 | 1);
    assert!(bytes[START] == b'a' && bytes[START + 1] == b'b' && bytes[START + 2] == b'c');
};

impl PartialEq for Text {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        if self.same(other) {
            return true;
        }
        // One text has one form: an inline one would have been the same word.
        !self.0.is_immediate() && !other.0.is_immediate() && self.0.as_slice() == other.0.as_slice()
    }
}

impl Eq for Text {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_around_the_inline_limit_reads_back() {
        let all = "\0aÿ€𝄞bcdefghij";
        for end in (0..=all.len()).filter(|end| all.is_char_boundary(*end)) {
            let text = &all[..end];
            let made = Text::try_new(text).unwrap();
            assert_eq!(made.as_str(), text);
            assert_eq!(made.heap_size(), if end <= Text::INLINE { 0 } else { 8 + end });
        }
    }

    #[test]
    fn texts_that_differ_in_trailing_zeros_differ() {
        let texts: Vec<_> =
            ["", "\0", "\0\0", "a", "a\0", "a\0\0\0\0\0", "a\0\0\0\0\0\0"].map(Text::inline).into();
        for (i, a) in texts.iter().enumerate() {
            for (j, b) in texts.iter().enumerate() {
                assert_eq!(a == b, i == j);
                assert_eq!(a.same(b), i == j);
            }
        }
        assert!(texts[0].same(&Text::EMPTY));
    }
}
