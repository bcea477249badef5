use std::{borrow::Borrow, fmt, slice, vec};

/// A set of a few elements: a sorted vector.
///
/// To a `BTreeSet` it is what a [`VecMap`](super::VecMap) is to a `BTreeMap`, with the same limits.
///
/// ```
/// use client_rs_machinery::collections::VecSet;
///
/// let mut verbs: VecSet<&str> = ["watch", "get"].into();
/// assert!(verbs.insert("list") && !verbs.insert("get"));
/// assert!(verbs.iter().eq(&["get", "list", "watch"]));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VecSet<T>(Vec<T>);

impl<T> VecSet<T> {
    /// Creates an empty set, without heap.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Iterates over the elements, in order.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.0.iter()
    }

    /// Removes the elements for which `keep` returns false.
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.0.retain(keep);
    }
}

impl<T: Ord> VecSet<T> {
    /// Whether the set has the element.
    pub fn contains<Q: Ord + ?Sized>(&self, element: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.find(element).is_ok()
    }

    /// Adds an element. Returns false if the set had it.
    pub fn insert(&mut self, element: T) -> bool {
        match self.find(&element) {
            Ok(_) => false,
            Err(at) => {
                self.0.insert(at, element);
                true
            }
        }
    }

    /// Removes an element. Returns false if the set did not have it.
    pub fn remove<Q: Ord + ?Sized>(&mut self, element: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.find(element).map(|at| self.0.remove(at)).is_ok()
    }

    /// Whether all elements are also in the other set.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().all(|element| other.contains(element))
    }

    /// Where the element is, or would be.
    fn find<Q: Ord + ?Sized>(&self, element: &Q) -> Result<usize, usize>
    where
        T: Borrow<Q>,
    {
        match self.0.last() {
            Some(last) if last.borrow() < element => Err(self.0.len()),
            _ => self.0.binary_search_by(|other| other.borrow().cmp(element)),
        }
    }
}

impl<T> Default for VecSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for VecSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(&self.0).finish()
    }
}

impl<T: Ord> Extend<T> for VecSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        for element in elements {
            self.insert(element);
        }
    }
}

impl<T: Ord> FromIterator<T> for VecSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut set = Self::new();
        set.extend(elements);
        set
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for VecSet<T> {
    fn from(elements: [T; N]) -> Self {
        elements.into_iter().collect()
    }
}

impl<T> IntoIterator for VecSet<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a VecSet<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn is_a_tree_set(steps in prop::collection::vec((0..20_u8, any::<bool>()), 0..60), other: Vec<u8>) {
            let (mut set, mut tree) = (VecSet::new(), BTreeSet::new());
            for (element, add) in steps {
                if add {
                    prop_assert_eq!(set.insert(element), tree.insert(element));
                } else {
                    prop_assert_eq!(set.remove(&element), tree.remove(&element));
                }
                prop_assert!(set.iter().eq(&tree) && set.len() == tree.len() && set.is_empty() == tree.is_empty());
            }
            let others: BTreeSet<u8> = other.iter().copied().collect();
            let few: VecSet<u8> = other.into_iter().collect();
            prop_assert_eq!(set.is_subset(&few), tree.is_subset(&others));
            prop_assert_eq!(few.is_subset(&set), others.is_subset(&tree));
            prop_assert_eq!(format!("{set:?}"), format!("{tree:?}"));
            set.retain(|element| element % 2 == 0);
            tree.retain(|element| element % 2 == 0);
            prop_assert!(set.into_iter().eq(tree));
        }
    }
}
