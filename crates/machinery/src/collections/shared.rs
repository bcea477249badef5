use super::raw::{Erase, Filling, Slot, SlotMut, SlotRef};
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
/// Returns always the same reference, to a value that means the same as an absent message of this type, and that
/// never changes (no visible interior mutability). Generated code implements it with a `static` whose fields are all
/// `EMPTY` or `DEFAULT`.
pub trait StaticDefault: Sized + 'static {
    /// Returns the default value.
    fn static_default() -> &'static Self;
}

/// A value behind one word, shared by its clones and copied on write.
///
/// The heap block is 8 bytes (rounded up to the alignment of `T`) and the value. The default value has no block: its
/// word is a mark, and a read returns [`StaticDefault::static_default`]. `Option<Shared<T>>` is also one word.
///
/// It derefs to `&T`. `DerefMut` first makes this handle the only owner of its block. This is free if it already is,
/// else it clones the value once (also the default value). So code edits the fields of a sub-message as if it were
/// inline.
///
/// **Equality.** Two handles on one block are equal without a comparison of the value, also for a `T` that does not
/// equal itself.
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
// Transparent: `raw::erased` relies on it.
#[repr(transparent)]
pub struct Shared<T>(Slot<T>);

impl<T> Shared<T> {
    /// The default value: no heap.
    pub const DEFAULT: Self = Self(Slot::NONE);

    /// Moves `value` into a new block, even if it equals the default.
    #[inline]
    pub fn new(value: T) -> Self {
        let mut filling = Filling::with_capacity(1);
        filling.push(value);
        Self(filling.finish())
    }

    /// Whether both share one heap block, or are the default without one. Equal values may lie in different blocks.
    #[inline]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }

    /// Whether no other handle shares the heap block, so that an edit would not copy a block. True for the default
    /// without one.
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

    /// Whether this is the default without a block. A block may contain an equal value.
    #[inline]
    pub fn is_default_instance(&self) -> bool {
        self.0.is_immediate()
    }

    /// Bytes that the block itself takes on the heap, shared or not. Memory that the value owns is not counted.
    pub fn heap_size(&self) -> usize {
        self.0.heap_size()
    }
}

impl<T> Shared<T> {
    /// Returns the value, viewed as a `V`.
    #[inline]
    pub(crate) fn erased<V: ?Sized + 'static>(&self) -> SlotRef<'_, V>
    where
        T: Erase<V>,
    {
        self.0.erased()
    }

    /// Returns the value for editing as a `V`.
    #[inline]
    pub(crate) fn erased_mut<V: ?Sized + 'static>(&mut self) -> SlotMut<'_, V>
    where
        T: Erase<V>,
    {
        self.0.erased_mut()
    }
}

impl<T: StaticDefault + Clone> Shared<T> {
    /// Returns the value: moved out if no other handle shares it, else cloned.
    pub fn into_inner(self) -> T {
        match self.0.into_filling() {
            Ok(mut alone) => alone.pop().unwrap_or_else(|| T::static_default().clone()),
            Err(shared) => shared.first().expect("shared, so there is a block").clone(),
        }
    }

    /// Returns the value for editing. Copies it first if another handle shares it, or if it is the default.
    #[inline]
    pub fn make_mut(&mut self) -> &mut T {
        if self.is_default_instance() || !self.is_unique() {
            *self = Self::new(T::clone(self));
        }
        self.0.first_mut().expect("the only handle on a block: just made so, and borrowed mutably since")
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

#[cfg(test)]
mod tests {
    use super::{
        super::{
            Str,
            testing::{hash, panics, send_sync},
        },
        *,
    };
    use std::thread;

    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    struct Spec {
        node: Str,
        priority: i32,
        parent: Option<Shared<Spec>>,
    }

    impl StaticDefault for Spec {
        fn static_default() -> &'static Self {
            static DEFAULT: Spec = Spec { node: Str::EMPTY, priority: 0, parent: None };
            &DEFAULT
        }
    }

    const _: () = send_sync::<Shared<Spec>>();

    fn spec(node: &str) -> Spec {
        Spec { node: node.into(), ..Spec::default() }
    }

    #[test]
    fn one_word_with_a_niche() {
        assert_eq!(size_of::<Shared<Spec>>(), size_of::<usize>());
        assert_eq!(size_of::<Option<Shared<Spec>>>(), size_of::<usize>());
        assert_eq!(Shared::new(spec("n")).heap_size(), 8 + size_of::<Spec>());
    }

    #[test]
    fn the_default_reads_a_static_and_is_copied_by_an_edit() {
        let mut one = Shared::<Spec>::default();
        assert!(one.is_default_instance() && one.is_unique() && one.heap_size() == 0);
        assert!(std::ptr::eq(&raw const *one, Spec::static_default()));
        let two = one.clone();
        assert!(one.ptr_eq(&two));
        one.priority = 5;
        assert!(!one.is_default_instance() && one.priority == 5 && two.is_default_instance());
        assert_eq!(Spec::static_default().priority, 0);
        assert_eq!(two.into_inner(), Spec::default());
    }

    #[test]
    fn clones_share_until_one_is_edited() {
        let mut one = Shared::new(spec("node-with-a-long-name"));
        let before = &raw const *one;
        one.priority = 1;
        assert!(std::ptr::eq(&raw const *one, before), "the only handle edits in place");
        let two = one.clone();
        assert!(one.ptr_eq(&two) && !one.is_unique());
        one.node = "other".into();
        assert!(one.is_unique() && two.is_unique() && one != two);
        assert_eq!((two.node.as_str(), two.priority), ("node-with-a-long-name", 1));
        assert_eq!(two.clone().into_inner(), *two);
        assert_eq!(one.into_inner().node, "other");
    }

    #[test]
    fn equality_is_that_of_values() {
        let explicit = Shared::from(Spec::default());
        assert!(
            !explicit.is_default_instance()
                && explicit == Shared::DEFAULT
                && !explicit.ptr_eq(&Shared::DEFAULT)
        );
        assert_eq!(hash(&explicit), hash(&Spec::default()));
        assert!(Shared::new(spec("a")) < Shared::new(spec("b")));
        assert_eq!(format!("{explicit:?}"), format!("{:?}", Spec::default()));
    }

    #[test]
    fn json_is_that_of_the_value() {
        let shared = Shared::new(Spec { parent: Some(Shared::new(spec("p"))), ..spec("n") });
        let json = serde_json::to_string(&shared).unwrap();
        assert_eq!(json, serde_json::to_string(&*shared).unwrap());
        assert_eq!(serde_json::from_str::<Shared<Spec>>(&json).unwrap(), shared);
    }

    #[test]
    fn a_panic_in_clone_leaves_the_handle() {
        struct Fragile;
        impl Clone for Fragile {
            fn clone(&self) -> Self {
                panic!("clone")
            }
        }
        impl StaticDefault for Fragile {
            fn static_default() -> &'static Self {
                &Fragile
            }
        }
        let mut one = Shared::new(Fragile);
        one.make_mut();
        let two = one.clone();
        assert_eq!(panics(|| one.make_mut().clone()), "clone");
        assert!(one.ptr_eq(&two));
        assert_eq!(panics(|| two.into_inner()), "clone");
        assert!(one.is_unique());
        let mut default = Shared::<Fragile>::DEFAULT;
        assert_eq!(panics(|| default.make_mut()), "clone");
        assert!(default.is_default_instance());
    }

    #[test]
    fn zero_sized_and_overaligned_values() {
        #[derive(Clone)]
        #[repr(align(32))]
        struct Wide<T>(T);
        impl StaticDefault for Wide<()> {
            fn static_default() -> &'static Self {
                &Wide(())
            }
        }
        impl StaticDefault for Wide<u8> {
            fn static_default() -> &'static Self {
                &Wide(0)
            }
        }
        let mut empty = Shared::new(Wide(()));
        assert!((&raw const *empty.make_mut()).is_aligned() && empty.heap_size() == 32);
        let mut full = Shared::new(Wide(7_u8));
        full.make_mut().0 += 1;
        assert!((&raw const *full).is_aligned() && full.heap_size() == 64 && full.into_inner().0 == 8);
    }

    #[test]
    fn threads_edit_their_own_copies() {
        let shared = Shared::new(spec("a node with a long name"));
        thread::scope(|scope| {
            for id in 0..4 {
                let shared = shared.clone();
                scope.spawn(move || {
                    for _ in 0..100 {
                        let mut mine = shared.clone();
                        mine.priority = id;
                        assert_eq!((mine.priority, shared.priority), (id, 0));
                        assert_eq!(mine.into_inner().node, shared.node);
                    }
                });
            }
        });
        assert!(shared.is_unique() && shared.priority == 0);
    }
}
