//! The arithmetic of replica sets and deployments: how many pods each should have.

use client_rs_api::core::v1::Pod;
use client_rs_controller::ReconcileError;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::{IntOrString, Object, Rounding};

/// A pod that is not over and not on its way out.
pub(crate) fn is_active(pod: &Pod) -> bool {
    !matches!(&*pod.status.phase, "Succeeded" | "Failed") && !pod.is_being_deleted()
}

/// Whether a pod is ready.
pub(crate) fn is_ready(pod: &Pod) -> bool {
    pod.status.conditions.iter().any(|condition| &*condition.type_ == "Ready" && &*condition.status == "True")
}

/// The selector of a workload. One that is wrong stays so until somebody changes it.
pub(crate) fn selector(of: Option<&LabelSelector>) -> Result<Selector, ReconcileError> {
    let Some(of) = of else { return Ok(Selector::nothing()) };
    let pairs = of.match_labels.iter().map(|(key, value)| (key.clone(), value.clone()));
    let expressions = of.match_expressions.iter().map(|expression| {
        (
            expression.key.clone(),
            expression.operator.clone(),
            expression.values.iter().cloned().collect::<Vec<_>>(),
        )
    });
    Selector::from_label_selector(pairs, expressions).map_err(ReconcileError::terminal)
}

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

#[cfg(test)]
mod tests {
    use super::*;

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
