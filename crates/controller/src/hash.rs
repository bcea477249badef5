//! Hash maps of keys, for every event and every run.

use std::hash::{BuildHasher, Hasher as _, RandomState};

use foldhash::fast::FixedState;

/// A map whose iteration order depends on the process's randomness alone, as that of the standard library.
pub(crate) type KeyMap<K, V> = hashbrown::HashMap<K, V, KeyState>;

/// Makes fast hashers with a seed that nobody outside knows: names of objects come from users, who must not be able to choose names
/// with equal hashes.
///
/// The seed comes from the standard library and not from addresses. A simulation repeats it.
#[derive(Clone)]
pub(crate) struct KeyState(FixedState);

impl Default for KeyState {
    fn default() -> Self {
        Self(FixedState::with_seed(RandomState::new().build_hasher().finish()))
    }
}

impl BuildHasher for KeyState {
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
        let (one, two) = (KeyState::default(), KeyState::default());
        assert_eq!(one.hash_one("default/web"), one.clone().hash_one("default/web"));
        assert_ne!(one.hash_one("default/web"), two.hash_one("default/web"));
    }
}
