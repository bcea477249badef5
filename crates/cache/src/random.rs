//! [`Random`]: randomness that spreads load, for jitter and never for secrets.

use std::fmt;
use std::hash::{BuildHasher, RandomState};

/// A source of numbers in `[0, 1)`.
///
/// The default differs from process to process; a [`seeded`](Self::seeded) one repeats itself, for tests.
///
///
/// ```
/// use client_rs_cache::Random;
///
/// let (mut one, mut two) = (Random::seeded(7), Random::seeded(7));
/// assert_eq!(one.next_unit().to_bits(), two.next_unit().to_bits());
/// let mut fixed = Random::from_fn(|| 0.5);
/// assert_eq!(fixed.next_unit(), 0.5);
/// ```
pub struct Random(Source);

enum Source {
    SplitMix(u64),
    Own(Box<dyn FnMut() -> f64 + Send>),
}

impl Random {
    /// Makes a source whose numbers depend only on the seed.
    pub fn seeded(seed: u64) -> Self {
        Self(Source::SplitMix(seed))
    }

    /// Makes a source from a function. Its numbers must be in `[0, 1)`.
    pub fn from_fn(next: impl FnMut() -> f64 + Send + 'static) -> Self {
        Self(Source::Own(Box::new(next)))
    }

    /// Returns the next number, in `[0, 1)`.
    pub fn next_unit(&mut self) -> f64 {
        match &mut self.0 {
            Source::SplitMix(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut bits = *state;
                bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                bits ^= bits >> 31;
                // 53 bits are what an f64 holds exactly.
                #[allow(clippy::cast_precision_loss)]
                let unit = (bits >> 11) as f64 / (1_u64 << 53) as f64;
                unit
            }
            Source::Own(next) => next().clamp(0.0, 1.0 - f64::EPSILON),
        }
    }
}

/// Seeded by the operating system, through the standard library's hash keys.
impl Default for Random {
    fn default() -> Self {
        Self::seeded(RandomState::new().hash_one(0_u8))
    }
}

impl fmt::Debug for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Random")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_itself_and_fills_the_unit_interval() {
        let (mut one, mut two) = (Random::seeded(7), Random::seeded(7));
        let mut counts = [0; 4];
        for _ in 0..4000 {
            let unit = one.next_unit();
            assert!((0.0..1.0).contains(&unit));
            assert_eq!(unit.to_bits(), two.next_unit().to_bits());
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let quarter = (unit * 4.0) as usize;
            counts[quarter] += 1;
        }
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
        assert!(Random::from_fn(|| 1.0).next_unit() < 1.0);
    }
}
