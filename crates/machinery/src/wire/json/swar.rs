//! Looks through a string's bytes, eight or sixteen at a time.
//!
//! Most strings of an object are a dozen bytes long: calling a vectorised search costs more than it finds.
//! So the first bytes are looked at here, inline, and only long strings go on to `memchr`.

use memchr::memchr2;

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// How many bytes are looked at before `memchr` takes over.
const INLINE: usize = 32;
/// The longest text that is searched in one piece.
const PIECE: usize = 128;

/// The first `"` or `\`.
#[inline]
pub(super) fn find_quote(bytes: &[u8]) -> Option<usize> {
    find(bytes, |word| equal(word, b'"') | equal(word, b'\\')).unwrap_or_else(|from| {
        let rest = bytes.get(from..)?;
        memchr2(b'"', b'\\', rest).map(|at| from + at)
    })
}

/// The first `"` or `\`, or the first control character if that comes earlier.
#[inline]
pub(super) fn find_special(bytes: &[u8]) -> Option<usize> {
    let by_word = |bytes| find(bytes, |word| equal(word, b'"') | equal(word, b'\\') | control(word));
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    let found = find_sixteens(bytes, super::block::special).or_else(|from| {
        // At most fifteen are left, or more than `memchr` is quicker at.
        if from == INLINE { Err(from) } else { shift(by_word(&bytes[from..]), from) }
    });
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    let found = by_word(bytes);
    found.unwrap_or_else(|from| {
        let rest = bytes.get(from..)?;
        let found = if rest.len() > PIECE { special_in_long(rest) } else { special_in(rest) };
        found.map(|at| from + at)
    })
}

/// As [`find_special`], in two searches: for control characters in what comes before the first of the others.
fn special_in(bytes: &[u8]) -> Option<usize> {
    let end = memchr2(b'"', b'\\', bytes);
    let plain = &bytes[..end.unwrap_or(bytes.len())];
    // Checked as a whole first, which vectorises; the place matters only when there is one.
    if plain.iter().any(|byte| *byte < 0x20) {
        return plain.iter().position(|byte| *byte < 0x20);
    }
    end
}

/// The same, piece by piece. Each is twice as long as the one before: otherwise every line of a long text would cost a look at the
/// whole rest of it.
fn special_in_long(bytes: &[u8]) -> Option<usize> {
    let (mut from, mut length) = (0, PIECE);
    while from < bytes.len() {
        let rest = &bytes[from..];
        let piece = &rest[..length.min(rest.len())];
        if let Some(at) = special_in(piece) {
            return Some(from + at);
        }
        from += piece.len();
        length *= 2;
    }
    None
}

/// The first byte that `marks` marks; `Err` with the place from which nothing has been looked at.
#[inline]
fn find(bytes: &[u8], marks: impl Fn(u64) -> u64) -> Result<Option<usize>, usize> {
    let mut from = 0;
    while from < INLINE {
        let Some(word) = bytes.get(from..).and_then(<[u8]>::first_chunk) else { break };
        let marked = marks(u64::from_le_bytes(*word));
        if marked != 0 {
            return Ok(Some(from + (marked.trailing_zeros() / 8) as usize));
        }
        from += 8;
    }
    Err(from)
}

/// Like [`find`], by sixteen bytes.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline]
fn find_sixteens(bytes: &[u8], marks: impl Fn(&[u8; 16]) -> u32) -> Result<Option<usize>, usize> {
    let mut from = 0;
    while from < INLINE {
        let Some(sixteen) = bytes.get(from..).and_then(<[u8]>::first_chunk) else { break };
        let marked = marks(sixteen);
        if marked != 0 {
            return Ok(Some(from + marked.trailing_zeros() as usize));
        }
        from += 16;
    }
    Err(from)
}

/// Places counted from `from` on.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline]
fn shift(found: Result<Option<usize>, usize>, from: usize) -> Result<Option<usize>, usize> {
    found.map(|at| at.map(|at| from + at)).map_err(|at| from + at)
}

/// The high bit of each byte that equals `byte`; bits above the lowest such byte may be wrong.
#[inline]
const fn equal(word: u64, byte: u8) -> u64 {
    let difference = word ^ (LOW * byte as u64);
    difference.wrapping_sub(LOW) & !difference & HIGH
}

/// The high bit of each byte below a space; bits above the lowest such byte may be wrong.
#[inline]
const fn control(word: u64) -> u64 {
    word.wrapping_sub(LOW * 0x20) & !word & HIGH
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_byte_at_every_place() {
        for byte in 0..=u8::MAX {
            for place in 0..80 {
                let mut bytes = vec![b'x'; 80];
                bytes[place] = byte;
                let quote = matches!(byte, b'"' | b'\\').then_some(place);
                assert_eq!(find_quote(&bytes), quote, "{byte} at {place}");
                let special = matches!(byte, b'"' | b'\\' | 0..0x20).then_some(place);
                assert_eq!(find_special(&bytes), special, "{byte} at {place}");
            }
        }
    }

    #[test]
    fn long_texts_are_searched_piece_by_piece() {
        for byte in [b'"', b'\\', b'\n'] {
            for place in [127, 128, 159, 160, 161, 415, 416, 1_000, 4_095] {
                let mut bytes = vec![b'x'; 4_096];
                bytes[place] = byte;
                assert_eq!(find_special(&bytes), Some(place), "{byte} at {place}");
                // The first one counts, in either search.
                let other = if byte == b'\n' { b'"' } else { b'\n' };
                bytes[place / 2] = other;
                assert_eq!(find_special(&bytes), Some(place / 2), "{other} before {byte}");
            }
        }
        assert_eq!(find_special(&[b'x'; 4_096]), None);
    }

    proptest! {
        #[test]
        fn as_a_plain_search(bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'a'), 0x20u8..], 0..100)) {
            let quote = bytes.iter().position(|byte| matches!(byte, b'"' | b'\\'));
            prop_assert_eq!(find_quote(&bytes), quote);
            let special = bytes.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
            prop_assert_eq!(find_special(&bytes), special);
        }
    }
}
