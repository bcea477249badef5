use super::raw::{Text, TooLong};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{
    borrow::{Borrow, Cow},
    cmp::Ordering,
    convert::Infallible,
    ffi::OsStr,
    fmt,
    hash::{Hash, Hasher},
    ops::Deref,
    path::Path,
    str::{self, FromStr, Utf8Error},
};

/// Immutable text, one word wide, cheap to clone.
///
/// Up to [`Str::INLINE`] bytes (7 on 64-bit machines) lie in the word itself. Longer text lies in one heap block of
/// 8 bytes and the text, which clones share. `Option<Str>` is one word too.
///
/// It reads as a `&str`; ordering and hashing are those of `str`, so a `Str` key is found by `&str`. There is no editing in
/// place: assign a new one.
///
/// ```
/// use client_rs_machinery::Str;
///
/// let name: Str = "coredns-6f6b679f8f-x7k2p".into();
/// let copy = name.clone();
/// assert!(copy.starts_with("coredns") && copy.ptr_eq(&name));
/// assert_eq!(size_of::<Option<Str>>(), size_of::<usize>());
/// ```
#[derive(Clone)]
pub struct Str(Text);

impl Str {
    /// The empty text: no heap.
    pub const EMPTY: Self = Self(Text::EMPTY);

    /// The most bytes that need no heap.
    pub const INLINE: usize = Text::INLINE;

    /// Copies `text`.
    ///
    /// # Panics
    ///
    /// If `text` is longer than `u32::MAX` bytes (4 GiB), as `Vec` does when its capacity overflows. Use
    /// [`try_new`](Self::try_new) where that can be.
    #[inline]
    pub fn new(text: &str) -> Self {
        Self::try_new(text).unwrap_or_else(|too_long| too_long.panic())
    }

    /// Copies `text`, unless it is longer than `u32::MAX` bytes.
    #[inline]
    pub fn try_new(text: &str) -> Result<Self, TooLong> {
        Text::try_new(text).map(Self)
    }

    /// A constant of at most [`INLINE`](Self::INLINE) bytes.
    ///
    /// # Panics
    ///
    /// If `text` is longer; in a `const`, that is an error of the compiler.
    ///
    /// ```
    /// use client_rs_machinery::Str;
    ///
    /// const ALWAYS: Str = Str::inline("Always");
    /// assert_eq!(ALWAYS, "Always");
    /// ```
    #[inline]
    pub const fn inline(text: &str) -> Self {
        Self(Text::inline(text))
    }

    /// Copies `bytes` if they are UTF-8.
    ///
    /// # Panics
    ///
    /// As [`new`](Self::new).
    #[inline]
    pub fn from_utf8(bytes: &[u8]) -> Result<Self, Utf8Error> {
        str::from_utf8(bytes).map(Self::new)
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// True if both share one heap block or hold the same inline text. Equal texts may differ in this.
    #[inline]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }

    /// True if no other handle shares the heap block. Inline text is not shared.
    ///
    /// Only a hint unless this handle can't be cloned meanwhile: another thread with a reference to it may do so.
    #[inline]
    pub fn is_unique(&self) -> bool {
        self.0.is_unique()
    }

    /// Bytes asked of the allocator for the block, shared or not; 0 for inline text.
    #[inline]
    pub fn heap_size(&self) -> usize {
        self.0.heap_size()
    }
}

impl Default for Str {
    #[inline]
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Deref for Str {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for Str {
    #[inline]
    fn borrow(&self) -> &str {
        self
    }
}

macro_rules! as_ref {
    ($($target:ty),*) => {$(
        impl AsRef<$target> for Str {
            #[inline]
            fn as_ref(&self) -> &$target {
                self.as_str().as_ref()
            }
        }
    )*};
}

as_ref!(str, [u8], OsStr, Path);

impl From<&str> for Str {
    #[inline]
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

macro_rules! from {
    ($($source:ty),*) => {$(
        impl From<$source> for Str {
            #[inline]
            fn from(text: $source) -> Self {
                Self::new(&text)
            }
        }
    )*};
}

from!(&mut str, String, &String, Box<str>, Cow<'_, str>);

impl From<char> for Str {
    #[inline]
    fn from(char: char) -> Self {
        Self::new(char.encode_utf8(&mut [0; 4]))
    }
}

impl From<&Str> for Str {
    #[inline]
    fn from(text: &Str) -> Self {
        text.clone()
    }
}

impl From<Str> for String {
    fn from(text: Str) -> Self {
        text.as_str().to_owned()
    }
}

impl From<&Str> for String {
    fn from(text: &Str) -> Self {
        text.as_str().to_owned()
    }
}

impl From<Str> for Box<str> {
    fn from(text: Str) -> Self {
        text.as_str().into()
    }
}

impl<'a> From<&'a Str> for Cow<'a, str> {
    fn from(text: &'a Str) -> Self {
        Cow::Borrowed(text)
    }
}

impl FromStr for Str {
    type Err = Infallible;

    #[inline]
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::new(text))
    }
}

impl FromIterator<char> for Str {
    fn from_iter<I: IntoIterator<Item = char>>(chars: I) -> Self {
        chars.into_iter().collect::<String>().into()
    }
}

impl<'a> FromIterator<&'a str> for Str {
    fn from_iter<I: IntoIterator<Item = &'a str>>(parts: I) -> Self {
        parts.into_iter().collect::<String>().into()
    }
}

impl PartialEq for Str {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Str {}

impl PartialOrd for Str {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Str {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for Str {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

macro_rules! compare {
    ($($other:ty),*) => {$(
        impl PartialEq<$other> for Str {
            #[inline]
            fn eq(&self, other: &$other) -> bool {
                let other: &str = other;
                self.as_str() == other
            }
        }

        impl PartialEq<Str> for $other {
            #[inline]
            fn eq(&self, other: &Str) -> bool {
                other == self
            }
        }

        impl PartialOrd<$other> for Str {
            #[inline]
            fn partial_cmp(&self, other: &$other) -> Option<Ordering> {
                let other: &str = other;
                Some(self.as_str().cmp(other))
            }
        }

        impl PartialOrd<Str> for $other {
            #[inline]
            fn partial_cmp(&self, other: &Str) -> Option<Ordering> {
                other.partial_cmp(self).map(Ordering::reverse)
            }
        }
    )*};
}

compare!(str, &str, String, Cow<'_, str>);

impl fmt::Display for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Serialize for Str {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Str {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_option(StrVisitor)
        } else {
            deserializer.deserialize_str(StrVisitor)
        }
    }
}

struct StrVisitor;

impl<'de> de::Visitor<'de> for StrVisitor {
    type Value = Str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Str, E> {
        Str::try_new(text).map_err(E::custom)
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Str, E> {
        match str::from_utf8(bytes) {
            Ok(text) => self.visit_str(text),
            Err(_) => Err(E::invalid_value(de::Unexpected::Bytes(bytes), &self)),
        }
    }

    fn visit_none<E: de::Error>(self) -> Result<Str, E> {
        Ok(Str::EMPTY)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Str, E> {
        Ok(Str::EMPTY)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Str, D::Error> {
        deserializer.deserialize_str(self)
    }
}
