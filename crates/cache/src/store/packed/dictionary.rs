//! [`Dictionary`]: the common content of objects, so that each object need not store it.

use std::fmt;
use std::sync::Arc;

use super::block::{ALONE, PLAIN};
use super::compress::{CDict, DDict, from_continuous};

/// A trained dictionary, for unpacking. For packing there is a [`Digest`] of it.
pub(crate) struct Dictionary {
    number: u8,
    ddict: DDict<'static>,
}

/// A dictionary prepared for packing. It takes several times the memory of the dictionary, so only the newest one has it.
pub(crate) struct Digest {
    number: u8,
    cdict: CDict<'static>,
}

/// The compression level. docs/benchmarks.md has the figures for 20,000 pods with a dictionary of 112 KiB.
pub(super) const LEVEL: i32 = 3;
/// The largest size of a dictionary, in bytes.
const MOST: usize = 112 << 10;
/// The minimum size of the sample, as a multiple of the dictionary.
const SAMPLES_A_BYTE: usize = 16;
/// The largest size of the sample, in bytes. Training temporarily takes about ten times this memory.
pub(crate) const SAMPLE_BYTES: usize = 4 << 20;

/// The sample: bytes of objects to train a dictionary on.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    bytes: Vec<u8>,
    sizes: Vec<usize>,
}

impl Sample {
    /// Adds an object; returns false once there are enough.
    pub(crate) fn add(&mut self, object: &[u8]) -> bool {
        if self.bytes.len() + object.len() > SAMPLE_BYTES {
            return false;
        }
        self.bytes.extend_from_slice(object);
        self.sizes.push(object.len());
        true
    }

    /// Trains a dictionary with this number; `None` if the sample is too small or has nothing in common.
    pub(crate) fn train(self, number: u8) -> Option<(Arc<Dictionary>, Arc<Digest>)> {
        let most = MOST.min(self.bytes.len() / SAMPLES_A_BYTE);
        let mut trained = from_continuous(&self.bytes, &self.sizes, most).ok()?;
        drop(self);
        // The identifier in each compressed object; a small one takes one byte.
        let identifier = trained.get_mut(4..8)?;
        identifier.copy_from_slice(&[number, 0, 0, 0]);
        let dictionary = Dictionary { number, ddict: DDict::try_create(&trained)? };
        let digest = Digest { number, cdict: CDict::try_create(&trained, LEVEL)? };
        Some((Arc::new(dictionary), Arc::new(digest)))
    }
}

impl Dictionary {
    pub(crate) fn number(&self) -> u8 {
        self.number
    }

    pub(super) fn ddict(&self) -> &DDict<'static> {
        &self.ddict
    }

    /// Returns the bytes of heap, as zstd counts them.
    pub(crate) fn heap_size(&self) -> usize {
        self.ddict.sizeof()
    }
}

impl Digest {
    pub(crate) fn number(&self) -> u8 {
        self.number
    }

    pub(super) fn cdict(&self) -> &CDict<'static> {
        &self.cdict
    }

    /// Returns the bytes of heap, as zstd counts them.
    pub(crate) fn heap_size(&self) -> usize {
        self.cdict.sizeof()
    }
}

/// Returns a number that none of these dictionaries has.
pub(crate) fn free_number(taken: &[Arc<Dictionary>]) -> Option<u8> {
    (PLAIN + 1..ALONE).find(|number| taken.iter().all(|dictionary| dictionary.number != *number))
}

impl fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dictionary({})", self.number)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({})", self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(objects: usize) -> Sample {
        let mut sample = Sample::default();
        for number in 0..objects {
            let object = format!(
                "{{\"kind\":\"Thing\",\"name\":\"thing-{number}\",\"spec\":{{\"image\":\"registry/{}\"}}}}",
                number % 7
            );
            assert!(sample.add(object.as_bytes()));
        }
        sample
    }

    #[test]
    fn numbers_are_free_until_all_are_taken() {
        assert_eq!(free_number(&[]), Some(1));
        let (first, _) = sample(2_000).train(1).unwrap();
        assert_eq!((first.number(), free_number(std::slice::from_ref(&first))), (1, Some(2)));
        assert!(first.heap_size() > 0);
    }

    #[test]
    fn too_little_trains_nothing() {
        assert!(sample(0).train(1).is_none());
        assert!(sample(3).train(1).is_none());
    }

    #[test]
    fn a_sample_is_bounded() {
        let mut sample = Sample::default();
        let object = vec![7; SAMPLE_BYTES / 3];
        assert!(sample.add(&object) && sample.add(&object) && sample.add(&object) && !sample.add(&object));
    }
}
