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
/// Up to [`Str::INLINE`] bytes (7 on 64-bit machines) lie in the word itself. Longer text lies in one heap block of 8
/// bytes and the text, which clones share. `Option<Str>` is also one word.
///
/// It derefs to `&str`. Order and hash are those of `str`, so a lookup with `&str` finds a `Str` key. It cannot be
/// edited in place: assign a new one.
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
    /// If `text` is longer than `u32::MAX` bytes (4 GiB), as `Vec` does when its capacity overflows. For text of
    /// unknown size, use [`try_new`](Self::try_new).
    #[inline]
    pub fn new(text: &str) -> Self {
        Self::try_new(text).unwrap_or_else(|too_long| too_long.panic())
    }

    /// Copies `text`.
    ///
    /// # Errors
    ///
    /// [`TooLong`] if `text` is longer than `u32::MAX` bytes.
    #[inline]
    pub fn try_new(text: &str) -> Result<Self, TooLong> {
        Text::try_new(text).map(Self)
    }

    /// Creates a constant of at most [`INLINE`](Self::INLINE) bytes.
    ///
    /// # Panics
    ///
    /// If `text` is longer. In a `const`, this is a compile error.
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
    /// Like [`new`](Self::new).
    #[inline]
    pub fn from_utf8(bytes: &[u8]) -> Result<Self, Utf8Error> {
        str::from_utf8(bytes).map(Self::new)
    }

    /// Returns the text.
    #[inline]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether both share one heap block or hold the same inline text. Equal texts may lie in different blocks.
    #[inline]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }

    /// Whether no other handle shares the heap block. Inline text is not shared.
    ///
    /// This is only a hint, unless nothing can clone this handle meanwhile: another thread with a reference to it may
    /// do so.
    #[inline]
    pub fn is_unique(&self) -> bool {
        self.0.is_unique()
    }

    /// Returns how many handles share the heap block; 1 without a block. Outdated at once if other threads have some
    /// of them.
    #[inline]
    pub fn holders(&self) -> usize {
        self.0.holders()
    }

    /// Bytes that the block takes on the heap, shared or not; 0 for inline text.
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

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{hash, panics, send_sync},
        *,
    };
    use proptest::prelude::*;
    use std::{
        collections::{BTreeMap, HashMap},
        thread,
    };

    const LONG: &str = "app.kubernetes.io/name";

    const _: () = send_sync::<Str>();

    #[test]
    fn one_word_with_a_niche() {
        assert_eq!(size_of::<Str>(), size_of::<usize>());
        assert_eq!(size_of::<Option<Str>>(), size_of::<usize>());
        assert_eq!(None, Some(Str::EMPTY).filter(|text| !text.is_empty()));
    }

    #[test]
    fn short_text_has_no_heap_and_long_text_eight_bytes_more() {
        assert_eq!(Str::new("default").heap_size(), 0);
        assert_eq!(Str::new("12345678").heap_size(), 16);
        assert_eq!(Str::new(LONG).heap_size(), 8 + LONG.len());
    }

    #[test]
    fn constants() {
        static ALWAYS: Str = Str::inline("Always");
        const EMPTY: Str = Str::inline("");
        assert_eq!(ALWAYS, "Always");
        assert!(EMPTY.ptr_eq(&Str::EMPTY) && EMPTY.is_empty() && Str::default().is_empty());
        assert_eq!(panics(|| Str::inline("12345678")), "longer than Str::INLINE");
    }

    #[test]
    fn clones_share_the_block() {
        let one = Str::new(LONG);
        assert!(one.is_unique());
        let two = one.clone();
        assert!(one.ptr_eq(&two) && !one.is_unique() && !two.is_unique());
        assert!(!one.ptr_eq(&Str::new(LONG)) && one == Str::new(LONG));
        drop(one);
        assert!(two.is_unique() && two == LONG);
        let short = Str::new("app");
        assert!(short.clone().is_unique() && short.clone().ptr_eq(&short));
    }

    #[test]
    fn converts_from_and_to_other_text_types() {
        let expected = Str::new(LONG);
        let owned = LONG.to_owned();
        assert_eq!(Str::from(&owned), expected);
        assert_eq!(Str::from(owned.clone()), expected);
        assert_eq!(Str::from(owned.clone().into_boxed_str()), expected);
        assert_eq!(Str::from(Cow::Borrowed(LONG)), expected);
        assert!(Str::from(&expected).ptr_eq(&expected));
        assert_eq!(LONG.parse::<Str>(), Ok(expected.clone()));
        assert_eq!(LONG.chars().collect::<Str>(), expected);
        assert_eq!(["app.", "kubernetes.io", "/name"].into_iter().collect::<Str>(), expected);
        assert_eq!(Str::from_utf8(LONG.as_bytes()), Ok(expected.clone()));
        assert!(Str::from_utf8(b"\xff").is_err());
        assert_eq!(Str::from('𝄞'), "𝄞");
        assert_eq!(String::from(&expected), owned);
        assert_eq!(String::from(expected.clone()), owned);
        assert_eq!(Box::<str>::from(expected.clone()), owned.into());
        assert_eq!(AsRef::<Path>::as_ref(&expected), Path::new(LONG));
        assert_eq!(AsRef::<[u8]>::as_ref(&expected), LONG.as_bytes());
    }

    #[test]
    fn compares_with_other_text_in_both_directions() {
        fn check<T>(less: &T, same: &T, greater: &T)
        where
            T: PartialOrd<Str> + ?Sized,
            Str: PartialOrd<T>,
        {
            let text = Str::new("b");
            assert_eq!([less, same, greater].map(|other| text == *other), [false, true, false]);
            assert_eq!([less, same, greater].map(|other| *other == text), [false, true, false]);
            let order = [Ordering::Greater, Ordering::Equal, Ordering::Less];
            assert_eq!([less, same, greater].map(|other| text.partial_cmp(other)), order.map(Some));
            assert_eq!([greater, same, less].map(|other| other.partial_cmp(&text)), order.map(Some));
        }
        check("a", "b", "bb");
        check(&"a", &"b", &"bb");
        check(&"a".to_owned(), &"b".to_owned(), &"bb".to_owned());
        check::<Cow<'_, str>>(&"a".into(), &"b".into(), &"bb".into());
    }

    #[test]
    fn is_found_by_str() {
        let tree: BTreeMap<Str, u8> = [(LONG.into(), 1), ("a".into(), 2)].into();
        let table: HashMap<Str, u8> = tree.clone().into_iter().collect();
        assert_eq!((tree.get(LONG), tree.get("a"), tree.get("b")), (Some(&1), Some(&2), None));
        assert_eq!((table.get(LONG), table.get("a"), table.get("b")), (Some(&1), Some(&2), None));
    }

    #[test]
    fn prints_as_str() {
        assert_eq!(format!("{:>6}|{:?}", Str::new("a\"b"), Str::new("a\"b")), r#"   a"b|"a\"b""#);
    }

    #[test]
    fn json_reads_null_as_empty() {
        let texts = vec![Str::EMPTY, Str::new("short"), Str::new(LONG), Str::new("line\nbreak")];
        let json = serde_json::to_string(&texts).unwrap();
        assert_eq!(json, r#"["","short","app.kubernetes.io/name","line\nbreak"]"#);
        assert_eq!(serde_json::from_str::<Vec<Str>>(&json).unwrap(), texts);
        assert_eq!(serde_json::from_value::<Vec<Str>>(serde_json::json!(texts)).unwrap(), texts);
        assert_eq!(serde_json::from_str::<Str>("null").unwrap(), "");
        assert_eq!(serde_json::from_str::<Option<Str>>("null").unwrap(), None);
        assert!(serde_json::from_str::<Str>("1").unwrap_err().to_string().contains("a string"));
    }

    #[test]
    fn threads_clone_and_drop_one_text() {
        let text = Str::new(LONG);
        thread::scope(|scope| {
            for _ in 0..4 {
                let mine = text.clone();
                scope.spawn(move || {
                    for _ in 0..200 {
                        let copies = vec![mine.clone(); 3];
                        assert!(copies.iter().all(|copy| copy == LONG && copy.ptr_eq(&mine)));
                    }
                });
            }
        });
        assert!(text.is_unique());
    }

    fn text() -> impl Strategy<Value = String> {
        // Short alphabets, so that equal texts occur; and all of Unicode.
        prop_oneof!["[ab\0]{0,10}", "\\PC{0,4}", "\\PC{0,40}"]
    }

    proptest! {
        #[test]
        fn agrees_with_string(a in text(), b in text()) {
            let (x, y) = (Str::from(&a), Str::from(&b));
            prop_assert_eq!(x.as_str(), &a);
            prop_assert_eq!(x.len(), a.len());
            prop_assert_eq!(x == y, a == b);
            prop_assert_eq!(x == b, a == b);
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x.partial_cmp(&b), a.partial_cmp(&b));
            prop_assert_eq!(hash(&x), hash(&a));
            prop_assert_eq!(format!("{x} {x:?}"), format!("{a} {a:?}"));
            let copy = x.clone();
            drop(x);
            prop_assert_eq!(String::from(copy), a);
        }
    }
}
