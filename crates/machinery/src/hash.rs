//! Hash maps for keys of objects, with a seed that a simulation repeats.
//!
//! hashbrown's own hasher takes its seed from addresses, so the iteration order of its maps differs between two
//! processes with the same seed of a simulation. It is turned off in this workspace.

use std::hash::{BuildHasher, Hasher as _};

use foldhash::fast::FixedState;

/// A map whose iteration order depends on the standard library's randomness alone.
pub type HashMap<K, V> = hashbrown::HashMap<K, V, RandomState>;

/// A set whose iteration order depends on the standard library's randomness alone.
pub type HashSet<T> = hashbrown::HashSet<T, RandomState>;

/// Makes fast hashers with a seed that nobody outside knows: names of objects come from users, who must not be able
/// to choose names with equal hashes.
///
/// The seed comes from the standard library and not from addresses. A simulation repeats it.
#[derive(Clone, Debug)]
pub struct RandomState(FixedState);

impl Default for RandomState {
    fn default() -> Self {
        Self(FixedState::with_seed(std::hash::RandomState::new().build_hasher().finish()))
    }
}

impl BuildHasher for RandomState {
    type Hasher = <FixedState as BuildHasher>::Hasher;

    #[inline]
    fn build_hasher(&self) -> Self::Hasher {
        self.0.build_hasher()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_maps_have_different_seeds_and_one_map_has_one() {
        let (one, two) = (RandomState::default(), RandomState::default());
        assert_eq!(one.hash_one("default/web"), one.clone().hash_one("default/web"));
        assert_ne!(one.hash_one("default/web"), two.hash_one("default/web"));
    }
}
