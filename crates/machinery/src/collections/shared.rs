use std::{
    fmt,
    ops::{Deref, DerefMut},
    sync::Arc,
};
pub trait StaticDefault: Sized + 'static {
    fn static_default() -> &'static Self;
}
pub struct Shared<T>(Option<Arc<T>>);
impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
impl<T> Shared<T> {
    pub const DEFAULT: Self = Self(None);
    pub fn new(t: T) -> Self {
        Self(Some(Arc::new(t)))
    }
    pub fn ptr_eq(&self, o: &Self) -> bool {
        match (&self.0, &o.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
    pub fn is_unique(&self) -> bool {
        self.0.as_ref().is_none_or(|a| Arc::strong_count(a) == 1)
    }
}
impl<T> From<T> for Shared<T> {
    fn from(t: T) -> Self {
        Self::new(t)
    }
}
impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self(None)
    }
}
impl<T: StaticDefault> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        match &self.0 {
            Some(a) => a,
            None => T::static_default(),
        }
    }
}
impl<T: StaticDefault + Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(self.0.get_or_insert_with(|| Arc::new(T::static_default().clone())))
    }
}
impl<T: StaticDefault + PartialEq> PartialEq for Shared<T> {
    fn eq(&self, o: &Self) -> bool {
        self.ptr_eq(o) || **self == **o
    }
}
impl<T: StaticDefault + fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
