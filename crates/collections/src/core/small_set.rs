//! [`SmallSet`]: a set that is mostly empty or tiny, and sometimes has thousands of members.

use std::hash::Hash;

use client_rs_machinery::hash::HashSet;

/// Lists up to this length are searched from the start.
const FEW: usize = 32;

/// A set of small values. Up to `N` of them lie in the set itself, so that reading them touches no other memory.
#[derive(Debug)]
pub(crate) enum SmallSet<T, const N: usize> {
    Inline { len: u8, members: [T; N] },
    Few(Box<Few<T>>),
    Many(Box<HashSet<T>>),
}

/// Members in a list. The set has only a pointer to it, so that there is room for members instead.
#[derive(Debug)]
pub(crate) struct Few<T> {
    members: Vec<T>,
}

/// Rows or slots: as many as fit into three words with their number.
pub(crate) type Numbers = SmallSet<u32, 5>;

impl<T: Copy + Default + Eq + Hash, const N: usize> SmallSet<T, N> {
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Inline { len, .. } => usize::from(*len),
            Self::Few(few) => few.members.len(),
            Self::Many(members) => members.len(),
        }
    }

    /// Adds a member that is not in the set.
    pub(crate) fn add(&mut self, member: T) {
        match self {
            Self::Inline { len, members } => {
                if let Some(free) = members.get_mut(usize::from(*len)) {
                    *free = member;
                    *len += 1;
                } else {
                    let members = members.iter().copied().chain([member]).collect();
                    *self = Self::Few(Box::new(Few { members }));
                }
            }
            Self::Few(few) if few.members.len() < FEW => few.members.push(member),
            Self::Few(few) => {
                let all = few.members.iter().copied().chain([member]).collect();
                *self = Self::Many(Box::new(all));
            }
            Self::Many(members) => {
                members.insert(member);
            }
        }
    }

    /// Removes a member. Returns whether it was in the set.
    pub(crate) fn remove(&mut self, member: T) -> bool {
        let removed = match self {
            Self::Inline { len, members } => {
                let used = &mut members[..usize::from(*len)];
                let at = used.iter().position(|one| *one == member);
                if let Some(at) = at {
                    used[at] = used[used.len() - 1];
                    *len -= 1;
                }
                at.is_some()
            }
            Self::Few(few) => {
                let at = few.members.iter().position(|one| *one == member);
                if let Some(at) = at {
                    few.members.swap_remove(at);
                }
                at.is_some()
            }
            Self::Many(members) => members.remove(&member),
        };
        if self.is_empty() {
            *self = Self::default();
        }
        removed
    }

    pub(crate) fn for_each(&self, with: impl FnMut(T)) {
        match self {
            Self::Inline { len, members } => members[..usize::from(*len)].iter().copied().for_each(with),
            Self::Few(few) => few.members.iter().copied().for_each(with),
            Self::Many(members) => members.iter().copied().for_each(with),
        }
    }
}

impl<T: Copy + Default, const N: usize> Default for SmallSet<T, N> {
    fn default() -> Self {
        Self::Inline { len: 0, members: [T::default(); N] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sizes_add_and_remove() {
        let mut set = SmallSet::<usize, 2>::default();
        for member in 0..100 {
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
        for most in [2, 5, 9] {
            let mut set = Numbers::default();
            for member in 0..most {
                set.add(member);
            }
            for member in (0..most).rev().filter(|member| member % 2 == 0) {
                assert!(set.remove(member));
            }
            for member in (0..most).filter(|member| member % 2 == 1) {
                assert!(set.remove(member));
            }
            assert!(set.is_empty() && !set.remove(0));
            set.add(4);
            assert!(!set.remove(5));
            assert_eq!(set.len(), 1);
        }
    }

    #[test]
    fn a_set_takes_three_words() {
        assert_eq!(size_of::<Numbers>(), 24);
        assert_eq!(size_of::<crate::core::reader::Readers>(), 24);
    }
}
