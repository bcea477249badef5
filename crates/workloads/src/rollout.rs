//! The arithmetic of deployments: how many pods each of their replica sets should have.

use client_rs_machinery::{IntOrString, Rounding};

/// The limits of a rolling update, in pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// How many more than wanted there may be.
    pub(crate) surge: i32,
    /// How many fewer than wanted may be available.
    pub(crate) unavailable: i32,
}

impl Limits {
    /// From a deployment's strategy; a percentage of the surge is rounded up, one of the unavailable down.
    pub(crate) fn of(surge: Option<&IntOrString>, unavailable: Option<&IntOrString>, wanted: i32) -> Self {
        let quarter = IntOrString::from("25%");
        let scaled = |value: Option<&IntOrString>, rounding: Rounding| {
            let scaled = value.unwrap_or(&quarter).scaled_value(wanted, rounding).unwrap_or(0);
            i32::try_from(scaled.max(0)).unwrap_or(i32::MAX)
        };
        let mut limits =
            Self { surge: scaled(surge, Rounding::Up), unavailable: scaled(unavailable, Rounding::Down) };
        // With both at zero nothing could ever move.
        if limits.surge == 0 && limits.unavailable == 0 {
            limits.unavailable = 1;
        }
        limits
    }
}

/// A replica set as a rollout sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Set {
    /// The desired number of replicas.
    pub(crate) asked: i32,
    /// How many of its pods are available.
    pub(crate) available: i32,
}

/// The desired replicas of the new set.
pub(crate) fn scale_new(wanted: i32, limits: Limits, new: Set, old: &[Set]) -> i32 {
    if new.asked >= wanted {
        return wanted;
    }
    let all: i32 = new.asked + old.iter().map(|set| set.asked).sum::<i32>();
    let room = (wanted + limits.surge - all).max(0);
    (new.asked + room).min(wanted)
}

/// The desired replicas of the old sets, oldest first: pods that are not available go first, then as many of the
/// others as the new ones have replaced.
pub(crate) fn scale_old(wanted: i32, limits: Limits, new: Set, old: &[Set]) -> Vec<i32> {
    let mut asked: Vec<i32> = old.iter().map(|set| set.asked).collect();
    let all: i32 = new.asked + asked.iter().sum::<i32>();
    let least = wanted - limits.unavailable;
    let new_unavailable = (new.asked - new.available).max(0);
    let mut may_go = (all - least - new_unavailable).max(0);
    for (asked, set) in asked.iter_mut().zip(old) {
        let unhealthy = (*asked - set.available).max(0).min(may_go);
        *asked -= unhealthy;
        may_go -= unhealthy;
    }
    let available: i32 =
        new.available + old.iter().zip(&asked).map(|(set, asked)| set.available.min(*asked)).sum::<i32>();
    let mut spare = (available - least).max(0);
    for asked in &mut asked {
        let going = (*asked).min(spare);
        *asked -= going;
        spare -= going;
    }
    asked
}

/// A replica set of a deployment whose number of replicas was changed during a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The desired number of replicas.
    pub(crate) asked: i32,
    /// The most pods that the deployment allowed when the set was scaled last.
    pub(crate) largest: i32,
}

/// The desired replicas of the sets that have some, when the deployment is scaled to `wanted`: each gets its share, and
/// the first one what is left by rounding. The order is that of the sets.
///
/// The largest has to be first. Among equals it is the newest when more pods are wanted, otherwise the oldest.
pub(crate) fn scale_in_proportion(wanted: i32, surge: i32, parts: &[Part]) -> Vec<i32> {
    let most = if wanted > 0 { wanted.saturating_add(surge) } else { 0 };
    let total: i32 = parts.iter().map(|part| part.asked).sum();
    let (change, mut done) = (most - total, 0);
    let mut asked: Vec<i32> = Vec::new();
    for part in parts {
        let left = change - done;
        let share = if wanted == 0 { -part.asked } else { share(*part, wanted.saturating_add(surge)) };
        let share = match change {
            0 => 0,
            1.. => share.clamp(0, left.max(0)),
            _ => share.clamp(left.min(0), 0),
        };
        let share = if part.asked == 0 { 0 } else { share };
        done += share;
        asked.push(part.asked + share);
    }
    if let Some(first) = asked.first_mut() {
        *first = (*first + change - done).max(0);
    }
    asked
}

/// By how much a set changes when the deployment allows `most` pods, rounded to the nearest number.
fn share(part: Part, most: i32) -> i32 {
    let (asked, most, largest) = (i64::from(part.asked), i64::from(most), i64::from(part.largest.max(1)));
    let scaled = (2 * asked * most + largest).div_euclid(2 * largest);
    i32::try_from(scaled - asked).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deployment_that_is_scaled_during_a_rollout_keeps_the_proportion() {
        let parts = |sizes: &[i32], largest: i32| -> Vec<Part> {
            sizes.iter().map(|asked| Part { asked: *asked, largest }).collect()
        };
        // 10 wanted and a surge of 3, 8 + 5 pods, now 15 wanted: 18 pods.
        assert_eq!(scale_in_proportion(15, 3, &parts(&[8, 5], 13)), [11, 7]);
        assert_eq!(scale_in_proportion(5, 2, &parts(&[8, 5], 13)), [4, 3]);
        assert_eq!(scale_in_proportion(0, 2, &parts(&[8, 5], 13)), [0, 0]);
        assert_eq!(scale_in_proportion(10, 3, &parts(&[8, 5], 13)), [8, 5]);
        for wanted in 1..30 {
            for sizes in [[7, 3, 3], [5, 5, 5], [13, 1, 0]] {
                let largest: i32 = sizes.iter().sum();
                let sum: i32 = scale_in_proportion(wanted, 2, &parts(&sizes, largest)).iter().sum();
                assert_eq!(sum, wanted + 2, "{sizes:?} to {wanted}");
            }
        }
    }

    fn set(asked: i32, available: i32) -> Set {
        Set { asked, available }
    }

    #[test]
    fn limits_are_numbers_or_shares() {
        assert_eq!(Limits::of(None, None, 8), Limits { surge: 2, unavailable: 2 });
        assert_eq!(Limits::of(None, None, 3), Limits { surge: 1, unavailable: 0 });
        let zero = Some(IntOrString::Int(0));
        assert_eq!(Limits::of(zero.as_ref(), zero.as_ref(), 3), Limits { surge: 0, unavailable: 1 });
        assert_eq!(
            Limits::of(Some(&IntOrString::from("50%")), Some(&IntOrString::Int(1)), 5),
            Limits { surge: 3, unavailable: 1 }
        );
    }

    #[test]
    fn a_rollout_never_has_too_many_or_too_few_and_comes_to_its_end() {
        for wanted in 1..=12 {
            for (surge, unavailable) in [(0, 1), (1, 0), (1, 1), (2, 2), (25, 25), (3, 0)] {
                let limits = Limits { surge, unavailable };
                let (mut new, mut old) = (Set::default(), vec![set(wanted, wanted)]);
                for step in 0..200 {
                    // Requested pods become available one per step: the slowest possible cluster.
                    new.asked = scale_new(wanted, limits, new, &old);
                    let asked = scale_old(wanted, limits, new, &old);
                    for (set, asked) in old.iter_mut().zip(asked) {
                        *set = Set { asked, available: set.available.min(asked) };
                    }
                    let all = new.asked + old.iter().map(|set| set.asked).sum::<i32>();
                    let available = new.available + old.iter().map(|set| set.available).sum::<i32>();
                    assert!(all <= wanted + surge, "{all} of {wanted}+{surge} at step {step}");
                    assert!(
                        available >= wanted - unavailable,
                        "{available} of {wanted}-{unavailable} at step {step}"
                    );
                    new.available = (new.available + 1).min(new.asked);
                }
                assert_eq!((new, &*old), (set(wanted, wanted), &[set(0, 0)][..]));
            }
        }
    }

    #[test]
    fn what_never_became_ready_goes_first() {
        let limits = Limits { surge: 1, unavailable: 1 };
        assert_eq!(scale_old(4, limits, set(1, 1), &[set(2, 0), set(3, 3)]), [0, 2]);
    }
}
