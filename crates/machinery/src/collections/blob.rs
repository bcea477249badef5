use super::List;
use std::ops::Deref;
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Blob(List<u8>);
impl Blob {
    pub const EMPTY: Self = Self(List::EMPTY);
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }
}
impl Deref for Blob {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}
impl From<&[u8]> for Blob {
    fn from(b: &[u8]) -> Self {
        Blob(b.to_vec().into())
    }
}
impl From<Vec<u8>> for Blob {
    fn from(b: Vec<u8>) -> Self {
        Blob(b.into())
    }
}
impl AsRef<[u8]> for Blob {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
