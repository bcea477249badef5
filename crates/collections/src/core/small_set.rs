//! [`SmallSet`]: a set that is mostly empty or tiny, and sometimes has thousands of members.

use std::hash::Hash;

use client_rs_machinery::hash::HashSet;

/// Lists up to this length are searched from the start.
const FEW: usize = 32;

/// A set of small values, without an allocation for none or one.
#[derive(Debug, Default)]
pub(crate) enum SmallSet<T> {
    #[default]
    None,
    One(T),
    Few(Vec<T>),
    Many(Box<HashSet<T>>),
}

impl<T: Copy + Eq + Hash> SmallSet<T> {
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::None)
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::None => 0,
            Self::One(_) => 1,
            Self::Few(members) => members.len(),
            Self::Many(members) => members.len(),
        }
    }

    /// Adds a member that is not in the set.
    pub(crate) fn add(&mut self, member: T) {
        match self {
            Self::None => *self = Self::One(member),
            Self::One(first) => *self = Self::Few(vec![*first, member]),
            Self::Few(members) if members.len() < FEW => members.push(member),
            Self::Few(members) => {
                let all = members.drain(..).chain([member]).collect();
                *self = Self::Many(Box::new(all));
            }
            Self::Many(members) => {
                members.insert(member);
            }
        }
    }

    /// Removes a member. Returns whether it was in the set.
    pub(crate) fn remove(&mut self, member: T) -> bool {
        let (removed, left) = match self {
            Self::None => return false,
            Self::One(first) => (*first == member, usize::from(*first != member)),
            Self::Few(members) => {
                let at = members.iter().position(|one| *one == member);
                if let Some(at) = at {
                    members.swap_remove(at);
                }
                (at.is_some(), members.len())
            }
            Self::Many(members) => (members.remove(&member), members.len()),
        };
        if left == 0 {
            *self = Self::None;
        }
        removed
    }

    pub(crate) fn for_each(&self, mut with: impl FnMut(T)) {
        match self {
            Self::None => {}
            Self::One(member) => with(*member),
            Self::Few(members) => members.iter().copied().for_each(with),
            Self::Many(members) => members.iter().copied().for_each(with),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sizes_add_and_remove() {
        let mut set = SmallSet::default();
        for member in 0..100_usize {
            set.add(member);
            assert_eq!(set.len(), member + 1);
        }
        let mut sum = 0;
        set.for_each(|member| sum += member);
        assert_eq!(sum, 4950);
        for member in 0..100 {
            assert!(set.remove(member) && !set.remove(member));
            assert_eq!(set.len(), 99 - member);
        }
        assert!(set.is_empty());
    }

    #[test]
    fn a_list_that_shrinks_is_empty_again() {
        let mut set = SmallSet::default();
        for member in [1, 2, 3] {
            set.add(member);
        }
        for member in [2, 1, 3] {
            assert!(set.remove(member));
        }
        assert!(set.is_empty());
        set.add(4);
        assert!(!set.remove(5));
        assert_eq!(set.len(), 1);
    }
}
