//! A vector with cheap clones that share unchanged parts.

use std::array;
use std::sync::Arc;

/// The number of items per leaf, and of leaves per branch. A write copies at most one of each, and only if a
/// clone still shares them. Leaves are smaller, because a copy touches the memory behind their items.
const LEAF: usize = 16;
const BRANCH: usize = 64;

/// Items by number. A read follows three pointers. A write is in place while there is no clone; otherwise it
/// copies the path to the item, once per clone.
#[derive(Debug)]
pub(crate) struct CowVec<T> {
    branches: Vec<Arc<Branch<T>>>,
    len: usize,
}

type Branch<T> = [Option<Arc<Leaf<T>>>; BRANCH];
type Leaf<T> = [Option<T>; LEAF];

impl<T> CowVec<T> {
    /// Returns one more than the highest number in use.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        self.branches.get(at / (LEAF * BRANCH))?[at / LEAF % BRANCH].as_ref()?[at % LEAF].as_ref()
    }

    /// Returns the bytes of heap, without memory that the items own.
    pub(crate) fn heap_size(&self) -> usize {
        // A strong and a weak count precede each shared value.
        let counts = 2 * size_of::<usize>();
        let leaves: usize = self.branches.iter().map(|branch| branch.iter().flatten().count()).sum();
        self.branches.capacity() * size_of::<usize>()
            + self.branches.len() * (counts + size_of::<Branch<T>>())
            + leaves * (counts + size_of::<Leaf<T>>())
    }

    /// Iterates over the items with their numbers, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        let leaves = self.branches.iter().flat_map(|branch| branch.iter());
        leaves.enumerate().flat_map(|(number, leaf)| {
            let items = leaf.iter().flat_map(|leaf| leaf.iter()).enumerate();
            items.filter_map(move |(at, item)| Some((number * LEAF + at, item.as_ref()?)))
        })
    }
}

impl<T: Clone> CowVec<T> {
    pub(crate) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        let branch = Arc::make_mut(self.branches.get_mut(at / (LEAF * BRANCH))?);
        Arc::make_mut(branch[at / LEAF % BRANCH].as_mut()?)[at % LEAF].as_mut()
    }

    /// Sets the item of a number and returns the previous one.
    pub(crate) fn set(&mut self, at: usize, item: T) -> Option<T> {
        let branch = at / (LEAF * BRANCH);
        while self.branches.len() <= branch {
            self.branches.push(Arc::new(array::from_fn(|_| None)));
        }
        self.len = self.len.max(at + 1);
        let leaf = &mut Arc::make_mut(&mut self.branches[branch])[at / LEAF % BRANCH];
        Arc::make_mut(leaf.get_or_insert_with(|| Arc::new(array::from_fn(|_| None))))[at % LEAF].replace(item)
    }

    /// Removes an item. Its number stays free until it is set again.
    pub(crate) fn take(&mut self, at: usize) -> Option<T> {
        // Check first, so that a missing item copies nothing.
        self.get(at)?;
        let branch = Arc::make_mut(self.branches.get_mut(at / (LEAF * BRANCH))?);
        Arc::make_mut(branch[at / LEAF % BRANCH].as_mut()?)[at % LEAF].take()
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
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug)]
    enum Op {
        Set(usize, u32),
        Take(usize),
        Clone,
    }

    fn op() -> impl Strategy<Value = Op> {
        let number = prop_oneof![0..200_usize, 4_000..4_200_usize, 8_190..8_200_usize];
        prop_oneof![
            4 => (number.clone(), any::<u32>()).prop_map(|(at, item)| Op::Set(at, item)),
            2 => number.prop_map(Op::Take),
            1 => Just(Op::Clone),
        ]
    }

    fn content(vec: &CowVec<u32>) -> BTreeMap<usize, u32> {
        vec.iter().map(|(at, item)| (at, *item)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn behaves_as_a_map_and_clones_never_change(ops in prop::collection::vec(op(), 0..300)) {
            let mut vec = CowVec::default();
            let mut model = BTreeMap::new();
            let mut clones = Vec::new();
            for op in ops {
                match op {
                    Op::Set(at, item) => prop_assert_eq!(vec.set(at, item), model.insert(at, item)),
                    Op::Take(at) => prop_assert_eq!(vec.take(at), model.remove(&at)),
                    Op::Clone => clones.push((vec.clone(), model.clone())),
                }
            }
            clones.push((vec, model));
            for (vec, model) in &clones {
                prop_assert_eq!(&content(vec), model);
                for at in model.keys() {
                    prop_assert_eq!(vec.get(*at), model.get(at));
                    prop_assert!(*at < vec.len());
                }
            }
        }
    }

    #[test]
    fn writes_in_place_while_there_is_no_clone() {
        let mut vec = CowVec::default();
        vec.set(5, 1_u32);
        let before = std::ptr::from_ref(vec.get(5).unwrap());
        *vec.get_mut(5).unwrap() = 2;
        assert_eq!(before, std::ptr::from_ref(vec.get(5).unwrap()));
        let clone = vec.clone();
        *vec.get_mut(5).unwrap() = 3;
        assert_eq!((clone.get(5), vec.get(5)), (Some(&2), Some(&3)));
        assert_eq!((vec.get(6), vec.get(1 << 20)), (None, None));
        assert_eq!(vec.take(1 << 20), None);
    }
}
