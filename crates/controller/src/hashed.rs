//! [`HashedMap`]: maps whose keys are hashes.

use std::hash::{BuildHasherDefault, Hasher};

/// A map whose keys are hashes with a seed: they are not hashed again.
pub(crate) type HashedMap<V> = hashbrown::HashMap<u64, V, BuildHasherDefault<Hashed>>;

/// The hasher of keys that are hashes.
#[derive(Default)]
pub(crate) struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}
