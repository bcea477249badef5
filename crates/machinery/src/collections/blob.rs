use super::List;
use base64::{
    alphabet,
    display::Base64Display,
    engine::{DecodePaddingMode, Engine, GeneralPurpose, GeneralPurposeConfig},
};
use bytes::Bytes;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{borrow::Borrow, borrow::Cow, fmt, ops::Deref};

/// Bytes, one word wide, cheap to clone.
///
/// ```
/// use client_rs_machinery::Blob;
///
/// let password = Blob::from(b"hunter2".to_vec());
/// assert_eq!(serde_json::to_string(&password).unwrap(), r#""aHVudGVyMg==""#);
/// assert!(!format!("{password:?}").contains("hunter2"));
/// assert!(serde_json::from_str::<Blob>(r#""not base64""#).is_err());
/// ```
///
/// A [`List`] of bytes: clones share one heap block of 8 bytes and the content; empty ones have no block. To edit,
/// call [`make_mut`](Self::make_mut) or create a new one.
///
/// `Debug` prints only the length, because the content may be secret. In JSON and every other serde format it is
/// base64 text, in the standard alphabet with padding, as in Go; line breaks inside are skipped.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Blob(List<u8>);

impl Blob {
    /// No bytes, and no heap.
    pub const EMPTY: Self = Self(List::EMPTY);

    /// Returns the bytes.
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }

    /// Returns the bytes for editing. Copies them first if another handle shares them.
    #[inline]
    pub fn make_mut(&mut self) -> &mut [u8] {
        self.0.make_mut()
    }

    /// Returns the bytes as a `Vec`: always a copy.
    pub fn into_vec(self) -> Vec<u8> {
        self.as_slice().to_vec()
    }

    /// Whether both share one heap block, or are empty. Equal blobs may lie in different blocks.
    #[inline]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }

    /// Whether no other handle shares the heap block. An empty blob is not shared.
    #[inline]
    pub fn is_unique(&self) -> bool {
        self.0.is_unique()
    }

    /// Bytes that the block takes on the heap, shared or not.
    pub fn heap_size(&self) -> usize {
        self.0.heap_size()
    }
}

impl Deref for Blob {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Blob {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Borrow<[u8]> for Blob {
    #[inline]
    fn borrow(&self) -> &[u8] {
        self
    }
}

impl From<&[u8]> for Blob {
    #[inline]
    fn from(bytes: &[u8]) -> Self {
        Self(List::copy_of(bytes))
    }
}

impl<const N: usize> From<&[u8; N]> for Blob {
    fn from(bytes: &[u8; N]) -> Self {
        bytes[..].into()
    }
}

impl<const N: usize> From<[u8; N]> for Blob {
    fn from(bytes: [u8; N]) -> Self {
        bytes[..].into()
    }
}

impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Self {
        bytes[..].into()
    }
}

impl From<Bytes> for Blob {
    fn from(bytes: Bytes) -> Self {
        bytes[..].into()
    }
}

impl From<&str> for Blob {
    fn from(text: &str) -> Self {
        text.as_bytes().into()
    }
}

impl From<String> for Blob {
    fn from(text: String) -> Self {
        text.as_bytes().into()
    }
}

impl From<List<u8>> for Blob {
    fn from(bytes: List<u8>) -> Self {
        Self(bytes)
    }
}

impl From<Blob> for Vec<u8> {
    fn from(blob: Blob) -> Self {
        blob.into_vec()
    }
}

impl From<Blob> for Bytes {
    fn from(blob: Blob) -> Self {
        Bytes::copy_from_slice(&blob)
    }
}

impl FromIterator<u8> for Blob {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
        Self(bytes.into_iter().collect())
    }
}

macro_rules! compare {
    ($([$($param:tt)*] $other:ty),*) => {$(
        impl<$($param)*> PartialEq<$other> for Blob {
            #[inline]
            fn eq(&self, other: &$other) -> bool {
                self.as_slice() == &other[..]
            }
        }

        impl<$($param)*> PartialEq<Blob> for $other {
            #[inline]
            fn eq(&self, other: &Blob) -> bool {
                other == self
            }
        }
    )*};
}

compare!([] [u8], [] &[u8], [const N: usize] [u8; N], [const N: usize] &[u8; N], [] Vec<u8>);

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blob({} bytes)", self.len())
    }
}

/// The base64 that Go's `encoding/json` accepts: padding is required, unused bits of the last digit may be set.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

impl Serialize for Blob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Base64Display::new(self, &BASE64))
    }
}

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_option(BlobVisitor)
        } else {
            deserializer.deserialize_str(BlobVisitor)
        }
    }
}

struct BlobVisitor;

impl<'de> de::Visitor<'de> for BlobVisitor {
    type Value = Blob;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("base64 text")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Blob, E> {
        let line_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let digits = if text.as_bytes().iter().any(line_break) {
            Cow::Owned(text.bytes().filter(|byte| !line_break(byte)).collect())
        } else {
            Cow::Borrowed(text.as_bytes())
        };
        // The error names the place and the digit, never the content around it.
        BASE64.decode(digits).map(Blob::from).map_err(E::custom)
    }

    fn visit_none<E: de::Error>(self) -> Result<Blob, E> {
        Ok(Blob::EMPTY)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Blob, E> {
        Ok(Blob::EMPTY)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Blob, D::Error> {
        deserializer.deserialize_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::testing::send_sync, *};
    use base64::prelude::BASE64_STANDARD;
    use proptest::prelude::*;

    const _: () = send_sync::<Blob>();

    #[test]
    fn one_word_with_a_niche() {
        assert_eq!(size_of::<Option<Blob>>(), size_of::<usize>());
        assert_eq!((Blob::EMPTY.heap_size(), Blob::from(b"hello").heap_size()), (0, 13));
    }

    #[test]
    fn debug_shows_no_content() {
        let secret = Blob::from("hunter2");
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "Blob(7 bytes) Some(Blob(7 bytes))");
    }

    #[test]
    fn clones_share_until_one_is_edited() {
        let mut one = Blob::from(vec![1, 2]);
        let two = one.clone();
        assert!(one.ptr_eq(&two) && !two.is_unique());
        one.make_mut()[0] = 9;
        assert!(one == [9, 2] && two == [1, 2] && two.is_unique());
    }

    #[test]
    fn converts_from_and_to_bytes() {
        let blob = Blob::from("text");
        assert_eq!(blob, Blob::from(Bytes::from_static(b"text")));
        assert_eq!(blob, Blob::from("text".to_owned()));
        assert_eq!(blob, Blob::from(*b"text"));
        assert_eq!(blob, b"text".iter().copied().collect::<Blob>());
        assert_eq!(blob, Blob::from(List::from(*b"text")));
        assert_eq!(blob, b"text");
        assert_eq!(b"text", blob);
        assert_eq!(blob, b"text".to_vec());
        assert_ne!(blob, b"texts"[..]);
        assert_eq!(Bytes::from(blob.clone()), Bytes::from_static(b"text"));
        assert_eq!(Vec::from(blob), b"text");
    }

    #[test]
    fn json_equals_that_of_go() {
        let read = |json: &str| serde_json::from_str::<Blob>(json).map(Blob::into_vec);
        assert_eq!(serde_json::to_string(&Blob::from(&[0xfb, 0xff, 0xfe, 1])).unwrap(), r#""+//+AQ==""#);
        assert_eq!(read(r#""+//+AQ==""#).unwrap(), [0xfb, 0xff, 0xfe, 1]);
        assert_eq!(read(r#""""#).unwrap(), b"");
        assert_eq!(read("null").unwrap(), b"");
        assert_eq!(read(r#""aGVs\r\nbG8=\n""#).unwrap(), b"hello");
        assert_eq!(read(r#""aGVsbG9=""#).unwrap(), b"hello", "Go ignores the unused bits");
        for bad in [r#""aGVsbG8""#, r#""aGVs bG8=""#, r#""-__-""#, "1", r#""=""#] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn json_round_trip(bytes: Vec<u8>) {
            let json = serde_json::to_string(&Blob::from(&bytes[..])).unwrap();
            prop_assert_eq!(&json, &format!("\"{}\"", BASE64_STANDARD.encode(&bytes)));
            prop_assert_eq!(serde_json::from_str::<Blob>(&json).unwrap(), bytes);
        }
    }
}
