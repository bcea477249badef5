//! [`Gauge`]: measures how well objects compress, and when a new dictionary is worth its work.

/// Counts the raw and the packed bytes. Pure.
#[derive(Debug, Default)]
pub(crate) struct Gauge {
    /// Since the last check: the number of objects, their bytes, and those of their blocks.
    count: usize,
    raw: u64,
    packed: u64,
    /// Packed bytes per million raw bytes when the dictionary was new.
    at_training: Option<u64>,
    /// The number of objects required for a training.
    least: usize,
}

/// The minimum number of objects for a dictionary, which takes some hundred kilobytes.
pub(crate) const FEW: usize = 256;
/// The minimum number of packed objects between two checks, also as a part of all objects.
const WINDOW: usize = 512;
const PART: usize = 4;
/// The degradation that leads to a new dictionary: a quarter.
const WORSE: (u64, u64) = (5, 4);

impl Gauge {
    /// Records a packed object.
    pub(crate) fn note(&mut self, raw: usize, packed: usize) {
        self.count += 1;
        self.raw += raw as u64;
        self.packed += packed as u64;
    }

    /// Returns whether a dictionary should be trained for this many objects.
    pub(crate) fn wants_training(&mut self, objects: usize) -> bool {
        let Some(best) = self.at_training else { return objects >= self.least.max(FEW) };
        if self.count < WINDOW.max(objects / PART) {
            return false;
        }
        let now = self.ratio();
        self.clear();
        objects >= FEW && now * WORSE.1 > best * WORSE.0
    }

    /// Records that all objects have been packed with a new dictionary.
    pub(crate) fn trained(&mut self) {
        self.at_training = Some(self.ratio());
        self.clear();
    }

    /// Records that training failed: the next attempt waits until there are twice as many objects.
    pub(crate) fn gave_up(&mut self, objects: usize) {
        self.least = objects.saturating_mul(2);
        if self.at_training.is_some() {
            // The objects have no more in common than this: it is the new baseline.
            self.at_training = Some(u64::MAX / WORSE.0);
        }
        self.clear();
    }

    /// Resets the counts.
    pub(crate) fn clear(&mut self) {
        (self.count, self.raw, self.packed) = (0, 0, 0);
    }

    fn ratio(&self) -> u64 {
        self.packed.saturating_mul(1_000_000) / self.raw.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(gauge: &mut Gauge, count: usize, packed: usize) {
        (0..count).for_each(|_| gauge.note(1_000, packed));
    }

    #[test]
    fn the_first_dictionary_comes_with_enough_objects() {
        let mut gauge = Gauge::default();
        assert!(!gauge.wants_training(FEW - 1) && gauge.wants_training(FEW));
        gauge.gave_up(FEW);
        assert!(!gauge.wants_training(2 * FEW - 1) && gauge.wants_training(2 * FEW));
    }

    #[test]
    fn another_comes_when_objects_compress_worse_for_a_while() {
        let mut gauge = Gauge::default();
        noted(&mut gauge, 1_000, 100);
        gauge.trained();
        assert!(!gauge.wants_training(1_000));
        noted(&mut gauge, WINDOW - 1, 900);
        assert!(!gauge.wants_training(1_000), "too few to decide");
        noted(&mut gauge, 1, 900);
        assert!(gauge.wants_training(1_000));
        noted(&mut gauge, WINDOW, 120);
        assert!(!gauge.wants_training(1_000), "a fifth worse is not bad");
        noted(&mut gauge, WINDOW, 126);
        assert!(!gauge.wants_training(4 * WINDOW + 4), "a part of many objects must have changed");
        noted(&mut gauge, 1, 126);
        assert!(gauge.wants_training(4 * WINDOW + 4));
        noted(&mut gauge, WINDOW, 900);
        assert!(!gauge.wants_training(FEW - 1), "a store that has emptied needs none");
    }

    #[test]
    fn a_failed_training_is_not_retried_forever() {
        let mut gauge = Gauge::default();
        noted(&mut gauge, 1_000, 100);
        gauge.trained();
        noted(&mut gauge, WINDOW, 900);
        assert!(gauge.wants_training(1_000));
        gauge.gave_up(1_000);
        noted(&mut gauge, WINDOW, 900);
        assert!(!gauge.wants_training(1_000));
    }
}
