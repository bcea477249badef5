//! Bytes as text, for strings that are mostly short and mostly ASCII.
//!
//! The standard library checks short input byte by byte. Nearly all strings of an object are a dozen bytes of ASCII,
//! for which one check per word is enough.
//!
//! # Soundness
//! The only unsafe call makes a `str` of bytes that are all below 0x80, which [`<[u8]>::is_ascii`] has just
//! confirmed. ASCII is valid UTF-8.
#![allow(unsafe_code)]

use std::str::Utf8Error;

/// Returns the bytes as a `str`: the same result as [`std::str::from_utf8`], but faster.
#[inline]
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Utf8Error> {
    if bytes.is_ascii() {
        // SAFETY: ASCII is UTF-8.
        return Ok(unsafe { str::from_utf8_unchecked(bytes) });
    }
    str::from_utf8(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_the_standard_library(bytes in prop::collection::vec(prop_oneof![4 => 0u8..0x80, 1 => any::<u8>()], 0..64)) {
            prop_assert_eq!(super::text(&bytes), std::str::from_utf8(&bytes));
        }

        #[test]
        fn as_the_standard_library_for_text(text in ".{0,40}") {
            prop_assert_eq!(super::text(text.as_bytes()), Ok(text.as_str()));
        }
    }
}
