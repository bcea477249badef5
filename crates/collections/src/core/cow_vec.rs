//! A vector whose clones share what has not changed since.

use std::sync::Arc;

/// The number of items per leaf, and of leaves per branch. A write copies one of each if a clone shares them.
const LEAF: usize = 16;
const BRANCH: usize = 64;

/// Items by number. A write is in place while no clone exists; otherwise it copies the path to the item, once
/// per clone.
#[derive(Debug)]
pub(crate) struct CowVec<T> {
    branches: Vec<Arc<Branch<T>>>,
    len: usize,
}

type Branch<T> = [Option<Arc<Leaf<T>>>; BRANCH];
type Leaf<T> = [T; LEAF];

impl<T> CowVec<T> {
    pub(crate) fn get(&self, at: u32) -> Option<&T> {
        let at = at as usize;
        if at >= self.len {
            return None;
        }
        let leaf = self.branches[at / (LEAF * BRANCH)][at / LEAF % BRANCH].as_ref()?;
        Some(&leaf[at % LEAF])
    }

    /// Iterates over the items with their numbers, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let items =
            self.branches.iter().flat_map(|branch| branch.iter().flatten()).flat_map(|leaf| leaf.iter());
        (0_u32..).zip(items.take(self.len))
    }
}

impl<T: Clone + Default> CowVec<T> {
    /// Returns an item for a write. The number must be in use.
    pub(crate) fn get_mut(&mut self, at: u32) -> &mut T {
        let at = at as usize;
        debug_assert!(at < self.len);
        let branch = Arc::make_mut(&mut self.branches[at / (LEAF * BRANCH)]);
        let leaf = branch[at / LEAF % BRANCH].as_mut().expect("a number in use has a leaf");
        &mut Arc::make_mut(leaf)[at % LEAF]
    }

    /// Adds an item and returns its number.
    pub(crate) fn push(&mut self, item: T) -> u32 {
        let at = self.len;
        if at.is_multiple_of(LEAF * BRANCH) {
            self.branches.push(Arc::new([const { None }; BRANCH]));
        }
        let branch = Arc::make_mut(&mut self.branches[at / (LEAF * BRANCH)]);
        let leaf =
            branch[at / LEAF % BRANCH].get_or_insert_with(|| Arc::new(std::array::from_fn(|_| T::default())));
        Arc::make_mut(leaf)[at % LEAF] = item;
        self.len += 1;
        u32::try_from(at).expect("a collection has fewer than 2^32 keys")
    }
}

impl<T> Default for CowVec<T> {
    fn default() -> Self {
        Self { branches: Vec::new(), len: 0 }
    }
}

impl<T> Clone for CowVec<T> {
    fn clone(&self) -> Self {
        Self { branches: self.branches.clone(), len: self.len }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_keeps_its_items() {
        let mut items = CowVec::default();
        for number in 0..3000_u32 {
            assert_eq!(items.push(number), number);
        }
        let before = items.clone();
        *items.get_mut(2999) = 1;
        items.push(7);
        assert_eq!(before.get(2999), Some(&2999));
        assert_eq!(before.get(3000), None);
        assert_eq!((items.get(2999), items.get(3000)), (Some(&1), Some(&7)));
        assert_eq!(before.iter().map(|(_, item)| *item).collect::<Vec<_>>(), (0..3000).collect::<Vec<_>>());
        assert_eq!(items.iter().count(), 3001);
    }

    #[test]
    fn a_write_shares_the_other_leaves() {
        let mut items = CowVec::default();
        for number in 0..64_u32 {
            items.push(number);
        }
        let before = items.clone();
        *items.get_mut(0) = 9;
        assert!(!std::ptr::eq(before.get(0).unwrap(), items.get(0).unwrap()));
        assert!(std::ptr::eq(before.get(63).unwrap(), items.get(63).unwrap()));
    }
}
