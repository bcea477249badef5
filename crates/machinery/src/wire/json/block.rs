//! Scans 64 bytes of JSON at once: one bit per relevant byte.
//!
//! # Soundness
//! Functions that require SSE2 are compiled only if the whole target has SSE2, as every x86-64 has: they run on every
//! such processor. They load sixteen bytes through a reference to as many, with the instruction that requires no
//! alignment. The other unsafe call makes a `str` of bytes that are all below 0x80: ASCII, and so UTF-8.
#![allow(unsafe_code)]

/// How many bytes are looked at together: one for each bit of a word.
pub(super) const BLOCK: usize = 64;

/// Where in a block the bytes are that framing cares for; the lowest bit is the first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) quotes: u64,
    pub(super) backslashes: u64,
    /// `{` and `[`.
    pub(super) opening: u64,
    /// `}` and `]`.
    pub(super) closing: u64,
}

impl Marks {
    /// Whether this machine finds them faster than byte by byte: it has instructions that compare sixteen bytes.
    pub(super) const FAST: bool = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[inline]
    pub(super) fn of(block: &[u8; BLOCK]) -> Self {
        // SAFETY: the target has SSE2.
        unsafe { Self::by_sixteens(block) }
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[target_feature(enable = "sse2")]
    #[inline]
    fn by_sixteens(block: &[u8; BLOCK]) -> Self {
        use std::arch::x86_64::{
            __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
        };
        let find = |bytes: __m128i, byte: u8| {
            let equal = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte.cast_signed()));
            u64::from(_mm_movemask_epi8(equal).cast_unsigned())
        };
        let mut marks = Self::default();
        for (number, sixteen) in block.as_chunks::<16>().0.iter().enumerate() {
            // SAFETY: the reference is to sixteen bytes, and the load requires no alignment.
            let bytes = unsafe { _mm_loadu_si128(sixteen.as_ptr().cast()) };
            // `[` and `{`, `]` and `}` differ in this bit alone, and no other byte becomes one of them.
            let folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
            marks.quotes |= find(bytes, b'"') << (16 * number);
            marks.backslashes |= find(bytes, b'\\') << (16 * number);
            marks.opening |= find(folded, b'{') << (16 * number);
            marks.closing |= find(folded, b'}') << (16 * number);
        }
        marks
    }

    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    pub(super) fn of(block: &[u8; BLOCK]) -> Self {
        Self::plain(block)
    }

    /// Byte by byte.
    #[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
    fn plain(block: &[u8; BLOCK]) -> Self {
        let mut marks = Self::default();
        for (place, byte) in block.iter().enumerate() {
            let bit = 1 << place;
            match byte {
                b'"' => marks.quotes |= bit,
                b'\\' => marks.backslashes |= bit,
                b'{' | b'[' => marks.opening |= bit,
                b'}' | b']' => marks.closing |= bit,
                _ => {}
            }
        }
        marks
    }

    /// Returns the bytes that follow a backslash that is not itself escaped. `carry` is the same fact for the first
    /// byte, and then for the first byte of the next block.
    #[inline]
    pub(super) fn escaped(&self, carry: &mut bool) -> u64 {
        let mut escaped = u64::from(*carry);
        *carry = false;
        let mut left = self.backslashes & !escaped;
        while left != 0 {
            let place = left.trailing_zeros();
            if place == 63 {
                *carry = true;
                break;
            }
            escaped |= 2 << place;
            // Neither this one nor the byte behind it begins an escape any more.
            left &= !(3 << place);
        }
        escaped
    }
}

/// The quotes, backslashes and control characters among sixteen bytes; the lowest bit is the first byte.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline]
pub(super) fn special(bytes: &[u8; 16]) -> u32 {
    // SAFETY: the target has SSE2.
    unsafe { marked::<false>(bytes) }
}

/// Returns the text in front of a closing quote, if it is plain: ASCII without escapes and control characters.
/// Returns `None` if it is not, or if the scan would pass the end of `bytes`.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline]
pub(super) fn plain_text(bytes: &[u8]) -> Option<&str> {
    let mut from = 0;
    loop {
        let sixteen = bytes.get(from..)?.first_chunk()?;
        // SAFETY: the target has SSE2.
        let marked = unsafe { marked::<true>(sixteen) };
        if marked == 0 {
            from += 16;
            continue;
        }
        let (text, rest) = bytes.split_at_checked(from + marked.trailing_zeros() as usize)?;
        // SAFETY: all that is not ASCII is marked, and nothing before the first mark is.
        return (rest.first() == Some(&b'"')).then_some(unsafe { str::from_utf8_unchecked(text) });
    }
}

/// The same for other targets, where other ways are as fast.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
#[inline]
pub(super) fn plain_text(_bytes: &[u8]) -> Option<&str> {
    None
}

/// Finds quotes, backslashes and control characters, and with `ASCII` also bytes that are not ASCII.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[target_feature(enable = "sse2")]
#[inline]
fn marked<const ASCII: bool>(bytes: &[u8; 16]) -> u32 {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
    };
    // SAFETY: the reference is to sixteen bytes, and the load requires no alignment.
    let bytes = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
    let quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'"'.cast_signed()));
    let backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\\'.cast_signed()));
    // Bytes up to the greatest control character.
    let control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
    let special = _mm_or_si128(control, _mm_or_si128(quote, backslash));
    // The mask is made of the highest bits, which a byte that is not ASCII has set.
    let marked = if ASCII { _mm_or_si128(special, bytes) } else { special };
    _mm_movemask_epi8(marked).cast_unsigned()
}

/// Each bit is the parity of the bits up to and including it: between quotes, ones.
#[inline]
pub(super) const fn parity(mut bits: u64) -> u64 {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^ (bits << 32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn marks_are_those_of_a_plain_look(block in prop::collection::vec(any::<u8>(), BLOCK)) {
            let block: [u8; BLOCK] = block.try_into().unwrap();
            prop_assert_eq!(Marks::of(&block), Marks::plain(&block));
        }
    }

    #[test]
    fn every_byte_is_classified() {
        for byte in 0..=u8::MAX {
            let block = [byte; BLOCK];
            assert_eq!(Marks::of(&block), Marks::plain(&block), "{byte}");
        }
    }

    #[test]
    fn plain_text_ends_at_its_quote_and_is_ascii() {
        for place in 0..60 {
            for byte in 0..=u8::MAX {
                let mut bytes = vec![b'x'; 100];
                bytes[place] = byte;
                bytes[70] = b'"';
                let plain = match byte {
                    b'"' => Some(place),
                    b'\\' | ..0x20 | 0x80.. => None,
                    _ => Some(70),
                };
                let plain = plain.filter(|_| Marks::FAST);
                assert_eq!(plain_text(&bytes).map(str::len), plain, "{byte} at {place}");
            }
        }
        assert_eq!(plain_text(b"fifteen bytes\"."), None);
    }

    #[test]
    fn backslashes_escape_in_pairs_and_over_the_edge() {
        let mut block = [b'x'; BLOCK];
        block[..6].copy_from_slice(br#"\\\"\x"#);
        block[63] = b'\\';
        let mut carry = false;
        assert_eq!(Marks::of(&block).escaped(&mut carry), 0b10_1010);
        assert!(carry);
        assert_eq!(Marks::of(&[b'\\'; BLOCK]).escaped(&mut carry) & 0b1111, 0b0101);
        assert!(carry, "64 bytes behind an escape: the last begins one");
    }

    #[test]
    fn parity_is_on_between_quotes() {
        assert_eq!(parity(0b0100_0100), 0b0011_1100);
        assert_eq!(parity(1), u64::MAX);
    }
}
