use super::raw::{Filling, Slot};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    ops::{Deref, DerefMut},
};

/// A type with a default value that lies in a `static`.
///
/// # Contract
///
/// Always the same reference, to a value that equals what an absent message of this type means, and that never changes (no
/// interior mutability that shows). Generated code implements it with a `static` whose fields are all `EMPTY` or `DEFAULT`.
pub trait StaticDefault: Sized + 'static {
    /// The default value.
    fn static_default() -> &'static Self;
}

/// A value behind one word, shared by its clones and copied on write.
///
/// The heap block is 8 bytes (rounded up to the alignment of `T`) and the value. The default value has no block: its word is
/// a mark, and it reads [`StaticDefault::static_default`]. `Option<Shared<T>>` is one word too.
///
/// It reads as a `&T`. `DerefMut` first makes this handle the only owner of its block: free if it is already, else one clone
/// of the value (also of the default one). So the fields of a sub-message are edited as if it were inline.
///
/// **Equality.** Two handles on one block are equal without a look at the value: also for a `T` that does not equal itself.
///
/// ```
/// use client_rs_machinery::{Shared, StaticDefault, Str};
///
/// #[derive(Clone, Debug)]
/// struct Spec { node_name: Str }
///
/// impl StaticDefault for Spec {
///     fn static_default() -> &'static Self {
///         static DEFAULT: Spec = Spec { node_name: Str::EMPTY };
///         &DEFAULT
///     }
/// }
///
/// let mut spec: Shared<Spec> = Shared::DEFAULT;
/// assert!(spec.node_name.is_empty());
/// let before = spec.clone();
/// spec.node_name = "node-17".into();
/// assert!(before.is_default_instance() && spec.node_name == "node-17");
/// ```
pub struct Shared<T>(Slot<T>);

impl<T> Shared<T> {
    /// The default value: no heap.
    pub const DEFAULT: Self = Self(Slot::NONE);

    /// Puts `value` into a block of its own, even if it equals the default.
    #[inline]
    pub fn new(value: T) -> Self {
        let mut filling = Filling::with_capacity(1);
        filling.push(value);
        Self(filling.finish())
    }

    /// True if both share one heap block, or are the default without one. Equal values may differ in this.
    #[inline]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }

    /// True if no other handle shares the heap block, so that an edit would not copy a block. True for the default without
    /// one.
    ///
    /// Only a hint unless this handle can't be cloned meanwhile: another thread with a reference to it may do so.
    #[inline]
    pub fn is_unique(&self) -> bool {
        self.0.is_unique()
    }

    /// True if this is the default without a block. A block may hold an equal value.
    #[inline]
    pub fn is_default_instance(&self) -> bool {
        self.0.is_immediate()
    }

    /// Bytes asked of the allocator for the block itself, shared or not; what the value owns is not counted.
    pub fn heap_size(&self) -> usize {
        self.0.heap_size()
    }
}

impl<T: StaticDefault + Clone> Shared<T> {
    /// The value: moved out if no other handle shares it, else cloned.
    pub fn into_inner(self) -> T {
        match self.0.into_filling() {
            Ok(mut alone) => alone.pop().unwrap_or_else(|| T::static_default().clone()),
            Err(shared) => shared.first().expect("shared, so there is a block").clone(),
        }
    }

    /// The value, for editing: copied first if another handle shares it, or if it is the default.
    #[inline]
    pub fn make_mut(&mut self) -> &mut T {
        if self.is_default_instance() || !self.is_unique() {
            *self = Self::new(T::clone(self));
        }
        let value = self.0.get_mut().and_then(<[T]>::first_mut);
        value.expect("the only handle on a block: just made so, and borrowed mutably since")
    }
}

impl<T> Clone for Shared<T> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for Shared<T> {
    #[inline]
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl<T> From<T> for Shared<T> {
    #[inline]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: StaticDefault> Deref for Shared<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match self.0.first() {
            Some(value) => value,
            None => T::static_default(),
        }
    }
}

impl<T: StaticDefault + Clone> DerefMut for Shared<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.make_mut()
    }
}

impl<T: StaticDefault> AsRef<T> for Shared<T> {
    #[inline]
    fn as_ref(&self) -> &T {
        self
    }
}

impl<T: StaticDefault + PartialEq> PartialEq for Shared<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.ptr_eq(other) || **self == **other
    }
}

impl<T: StaticDefault + Eq> Eq for Shared<T> {}

impl<T: StaticDefault + PartialOrd> PartialOrd for Shared<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        T::partial_cmp(self, other)
    }
}

impl<T: StaticDefault + Ord> Ord for Shared<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        T::cmp(self, other)
    }
}

impl<T: StaticDefault + Hash> Hash for Shared<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        T::hash(self, state);
    }
}

impl<T: StaticDefault + fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        T::fmt(self, f)
    }
}

impl<T: StaticDefault + fmt::Display> fmt::Display for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        T::fmt(self, f)
    }
}

impl<T: StaticDefault + Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        T::serialize(self, serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::new)
    }
}
