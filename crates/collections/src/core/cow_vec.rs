//! A vector whose clones share what has not changed since.

use std::sync::Arc;

/// The number of items per leaf, and of leaves per branch. A write copies one of each if a clone shares them.
const LEAF: usize = 16;
const BRANCH: usize = 64;

/// The number of items per chunk.
const CHUNK: usize = LEAF * BRANCH;

/// Items by number. A write is in place while no clone exists; otherwise it copies the path to the item, once
/// per clone.
#[derive(Debug)]
pub(crate) struct CowVec<T> {
    chunks: Vec<Chunk<T>>,
    len: usize,
}

/// Some items that follow each other. Those that no clone has ever shared lie next to each other: then an item is found without a
/// branch and a leaf on the way, and its neighbours with it.
#[derive(Debug)]
enum Chunk<T> {
    Own(Vec<T>),
    Shared(Arc<Branch<T>>),
}

type Branch<T> = [Option<Arc<Leaf<T>>>; BRANCH];
type Leaf<T> = [T; LEAF];

impl<T> CowVec<T> {
    pub(crate) fn get(&self, at: u32) -> Option<&T> {
        let at = at as usize;
        if at >= self.len {
            return None;
        }
        match &self.chunks[at / CHUNK] {
            Chunk::Own(items) => items.get(at % CHUNK),
            Chunk::Shared(branch) => Some(&branch[at / LEAF % BRANCH].as_ref()?[at % LEAF]),
        }
    }

    /// Iterates over the items with their numbers, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let items = self.chunks.iter().flat_map(|chunk| {
            let (own, branch) = match chunk {
                Chunk::Own(items) => (&items[..], None),
                Chunk::Shared(branch) => (&[][..], Some(branch)),
            };
            let leaves = branch.into_iter().flat_map(|branch| branch.iter().flatten());
            own.iter().chain(leaves.flat_map(|leaf| leaf.iter()))
        });
        (0_u32..).zip(items.take(self.len))
    }
}

impl<T: Clone + Default> CowVec<T> {
    /// Returns an item for a write. The number must be in use.
    pub(crate) fn get_mut(&mut self, at: u32) -> &mut T {
        let at = at as usize;
        debug_assert!(at < self.len);
        match &mut self.chunks[at / CHUNK] {
            Chunk::Own(items) => &mut items[at % CHUNK],
            Chunk::Shared(branch) => {
                let leaf = Arc::make_mut(branch)[at / LEAF % BRANCH].as_mut();
                &mut Arc::make_mut(leaf.expect("a number in use has a leaf"))[at % LEAF]
            }
        }
    }

    /// Adds an item and returns its number.
    pub(crate) fn push(&mut self, item: T) -> u32 {
        let at = self.len;
        if at.is_multiple_of(CHUNK) {
            self.chunks.push(Chunk::Own(Vec::new()));
        }
        match &mut self.chunks[at / CHUNK] {
            Chunk::Own(items) => items.push(item),
            Chunk::Shared(branch) => {
                let leaf = &mut Arc::make_mut(branch)[at / LEAF % BRANCH];
                let leaf = leaf.get_or_insert_with(|| Arc::new(std::array::from_fn(|_| T::default())));
                Arc::make_mut(leaf)[at % LEAF] = item;
            }
        }
        self.len += 1;
        u32::try_from(at).expect("a collection has fewer than 2^32 keys")
    }

    /// Returns a clone that shares all items.
    pub(crate) fn share(&mut self) -> Self {
        let chunks = self.chunks.iter_mut().map(|chunk| Chunk::Shared(chunk.share()));
        Self { chunks: chunks.collect(), len: self.len }
    }
}

impl<T: Default> Chunk<T> {
    /// Returns its items as a branch, which it is from now on.
    fn share(&mut self) -> Arc<Branch<T>> {
        let items = match self {
            Self::Own(items) => std::mem::take(items),
            Self::Shared(branch) => return branch.clone(),
        };
        let mut items = items.into_iter().peekable();
        let branch = Arc::new(std::array::from_fn(|_| {
            items.peek()?;
            Some(Arc::new(std::array::from_fn(|_| items.next().unwrap_or_default())))
        }));
        *self = Self::Shared(branch.clone());
        branch
    }
}

impl<T> Default for CowVec<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
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
        let before = items.share();
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
        let before = items.share();
        *items.get_mut(0) = 9;
        assert!(!std::ptr::eq(before.get(0).unwrap(), items.get(0).unwrap()));
        assert!(std::ptr::eq(before.get(63).unwrap(), items.get(63).unwrap()));
    }

    #[test]
    fn items_that_come_after_a_clone_are_kept_too() {
        let (mut items, mut clones) = (CowVec::default(), Vec::new());
        for number in 0..2500_u32 {
            if number % 333 == 0 {
                clones.push((number, items.share()));
            }
            items.push(number);
            *items.get_mut(number / 2) += 1;
        }
        let expected =
            |len: u32, number: u32| number + u32::from(2 * number < len) + u32::from(2 * number + 1 < len);
        clones.push((2500, items));
        for (len, clone) in clones {
            let found: Vec<_> = clone.iter().map(|(at, item)| (at, *item)).collect();
            let all = (0..len).map(|number| (number, expected(len, number)));
            assert_eq!(found, all.collect::<Vec<_>>());
            assert_eq!(clone.get(len), None);
            assert!(found.iter().all(|(at, item)| clone.get(*at) == Some(item)));
        }
    }
}
