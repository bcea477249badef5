//! [`Gauge`]: how well objects compress, and when a new dictionary is worth its work.

/// Counts what goes into blocks and what they take. Pure.
#[derive(Debug, Default)]
pub(crate) struct Gauge {
    /// Since the last look: how many, their bytes, and those of their blocks.
    count: usize,
    raw: u64,
    packed: u64,
    /// Packed bytes for a million raw ones, when the dictionary was new.
    at_training: Option<u64>,
    /// No training before there are so many objects.
    least: usize,
}

/// A dictionary takes some hundred kilobytes: fewer objects are not worth it.
pub(crate) const FEW: usize = 256;
/// How many objects are packed between two looks, at least, and as a part of all.
const WINDOW: usize = 512;
const PART: usize = 4;
/// How much worse is bad: a quarter.
const WORSE: (u64, u64) = (5, 4);

impl Gauge {
    /// An object was packed.
    pub(crate) fn note(&mut self, raw: usize, packed: usize) {
        self.count += 1;
        self.raw += raw as u64;
        self.packed += packed as u64;
    }

    /// Whether a dictionary should be trained, for so many objects.
    pub(crate) fn wants_training(&mut self, objects: usize) -> bool {
        let Some(best) = self.at_training else { return objects >= self.least.max(FEW) };
        if self.count < WINDOW.max(objects / PART) {
            return false;
        }
        let now = self.ratio();
        self.clear();
        objects >= FEW && now * WORSE.1 > best * WORSE.0
    }

    /// All objects have been packed with a new dictionary.
    pub(crate) fn trained(&mut self) {
        self.at_training = Some(self.ratio());
        self.clear();
    }

    /// There was nothing to learn: not again before the objects are twice as many.
    pub(crate) fn gave_up(&mut self, objects: usize) {
        self.least = objects.saturating_mul(2);
        if self.at_training.is_some() {
            // What is common now is no more than what was: that is the new measure.
            self.at_training = Some(u64::MAX / WORSE.0);
        }
        self.clear();
    }

    /// What comes next is counted from zero.
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
        assert!(!gauge.wants_training(1_000), "too few to tell");
        noted(&mut gauge, 1, 900);
        assert!(gauge.wants_training(1_000));
        noted(&mut gauge, WINDOW, 120);
        assert!(!gauge.wants_training(1_000), "a fifth worse is not bad");
        noted(&mut gauge, WINDOW, 126);
        assert!(!gauge.wants_training(4 * WINDOW + 4), "of many objects a part must have changed");
        noted(&mut gauge, 1, 126);
        assert!(gauge.wants_training(4 * WINDOW + 4));
        noted(&mut gauge, WINDOW, 900);
        assert!(!gauge.wants_training(FEW - 1), "a store that has emptied needs none");
    }

    #[test]
    fn what_can_not_be_learned_is_not_tried_for_ever() {
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
