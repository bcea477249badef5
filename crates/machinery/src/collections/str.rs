use std::{borrow::Borrow, fmt, ops::Deref, sync::Arc};
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Str(Option<Arc<str>>);
impl Str {
    pub const EMPTY: Str = Str(None);
    pub fn new(s: &str) -> Self {
        if s.is_empty() { Str(None) } else { Str(Some(s.into())) }
    }
    pub fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or("")
    }
}
impl Deref for Str {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}
impl AsRef<str> for Str {
    fn as_ref(&self) -> &str {
        self
    }
}
impl Borrow<str> for Str {
    fn borrow(&self) -> &str {
        self
    }
}
impl From<&str> for Str {
    fn from(s: &str) -> Self {
        Str::new(s)
    }
}
impl From<String> for Str {
    fn from(s: String) -> Self {
        Str::new(&s)
    }
}
impl From<&String> for Str {
    fn from(s: &String) -> Self {
        Str::new(s)
    }
}
impl From<Str> for String {
    fn from(s: Str) -> Self {
        s.as_str().to_owned()
    }
}
impl PartialEq<str> for Str {
    fn eq(&self, o: &str) -> bool {
        self.as_str() == o
    }
}
impl PartialEq<&str> for Str {
    fn eq(&self, o: &&str) -> bool {
        self.as_str() == *o
    }
}
impl PartialEq<String> for Str {
    fn eq(&self, o: &String) -> bool {
        self.as_str() == o
    }
}
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
impl Str { pub fn is_unique(&self) -> bool { self.0.as_ref().is_none_or(|a| Arc::strong_count(a) == 1) } }
