//! Paths of a JSON patch.

use std::fmt;
use std::str::FromStr;

use crate::Str;

/// A JSON pointer (RFC 6901): the path from the root of a document to a value in it.
///
/// ```
/// use client_rs_machinery::patch::Pointer;
///
/// let label = Pointer::from(["metadata", "labels", "example.com/team"]);
/// assert_eq!(label.to_string(), "/metadata/labels/example.com~1team");
/// assert_eq!(label.to_string().parse(), Ok(label));
/// assert!("metadata/labels".parse::<Pointer>().is_err());
/// ```
///
/// In the text form, `/` inside a key is written `~1` and `~` is written `~0`. Like the API server, the parser takes
/// a `~` before any other character literally.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pointer(Vec<Str>);

/// The text is not a JSON pointer: it is neither empty nor starts with `/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a JSON pointer is empty or begins with `/`")]
pub struct PointerError;

impl Pointer {
    /// The whole document.
    pub const ROOT: Self = Self(Vec::new());

    /// Creates a pointer from keys and indexes without escapes.
    pub fn new<T: Into<Str>>(tokens: impl IntoIterator<Item = T>) -> Self {
        Self(tokens.into_iter().map(Into::into).collect())
    }

    /// Returns the keys and indexes without escapes.
    pub fn tokens(&self) -> &[Str] {
        &self.0
    }

    /// Whether it points to the whole document.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends a key or an index.
    pub fn push(&mut self, token: impl Into<Str>) {
        self.0.push(token.into());
    }

    /// Removes the last key or index; `None` at the root.
    pub fn pop(&mut self) -> Option<Str> {
        self.0.pop()
    }
}

impl FromStr for Pointer {
    type Err = PointerError;

    fn from_str(text: &str) -> Result<Self, PointerError> {
        if text.is_empty() {
            return Ok(Self::ROOT);
        }
        let tokens = text.strip_prefix('/').ok_or(PointerError)?.split('/');
        Ok(Self::new(tokens.map(|token| {
            if !token.contains('~') {
                return Str::from(token);
            }
            // In this order: `~01` is the key `~1`, not `/`.
            Str::from(token.replace("~1", "/").replace("~0", "~"))
        })))
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for token in &self.0 {
            f.write_str("/")?;
            if token.contains(['~', '/']) {
                f.write_str(&token.replace('~', "~0").replace('/', "~1"))?;
            } else {
                f.write_str(token)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escapes_are_undone_in_order() {
        for (text, tokens) in [
            ("", &[][..]),
            ("/", &[""]),
            ("//", &["", ""]),
            ("/a~1b/m~0n", &["a/b", "m~n"]),
            ("/~01", &["~1"]),
            ("/~10", &["/0"]),
            ("/~0~1~00", &["~/~0"]),
        ] {
            let pointer: Pointer = text.parse().unwrap();
            assert_eq!(pointer, Pointer::new(tokens.iter().copied()), "{text}");
            assert_eq!(pointer.to_string(), text);
        }
        // Not part of the grammar, but the API server accepts it literally.
        assert_eq!("/~2/~".parse(), Ok(Pointer::new(["~2", "~"])));
        assert_eq!("a/b".parse::<Pointer>(), Err(PointerError));
    }

    #[test]
    fn steps() {
        let mut pointer = Pointer::ROOT;
        assert!(pointer.is_root());
        pointer.push("a");
        pointer.push("0");
        assert_eq!(pointer.to_string(), "/a/0");
        assert_eq!(pointer.pop(), Some("0".into()));
        assert_eq!(pointer.tokens(), [Str::from("a")]);
    }

    proptest! {
        #[test]
        fn any_keys_come_back(keys in proptest::collection::vec("[~/01a-]{0,4}", 0..5)) {
            let pointer = Pointer::new(keys);
            prop_assert_eq!(pointer.to_string().parse::<Pointer>().unwrap(), pointer);
        }
    }
}
