//! Writes of two terms do not overlap, and a lock is not released while the work of its term runs.

use std::collections::BTreeMap;

use super::{Violation, broken};
use crate::history::{Fact, History, Phase};

/// After the last fault, somebody leads within a lease at the slowest clock, the longest pause between two attempts, and a
/// missing lock's waiting time, which begins with the first look.
const PATIENCE: u64 = 60 * 1_000_000;

pub(super) fn check(history: &History) -> Result<(), Violation> {
    let fail = |at, message: String| Err(broken("leadership", at, message));
    let mut owners: BTreeMap<i64, u8> = BTreeMap::new();
    // The highest token that has written.
    let mut newest = i64::MIN;
    for (at, entry) in history.entries.iter().enumerate() {
        match entry.op {
            Fact::Term { token } => {
                if let Some(owner) = owners.insert(token, entry.node) {
                    return fail(at, format!("token {token} of process {owner} is given again"));
                }
            }
            Fact::Release { running: true } => {
                return fail(at, format!("process {} releases the lock while its work runs", entry.node));
            }
            Fact::Effect { token } if entry.phase == Phase::Ok => {
                if token < newest {
                    return fail(at, format!("token {token} writes after token {newest} has"));
                }
                newest = token;
            }
            _ => {}
        }
    }
    Ok(())
}

pub(super) fn check_progress(history: &History) -> Result<(), Violation> {
    let fail = |at, message: String| Err(broken("election progress", at, message));
    let (mut healed, mut effect) = (None, None);
    for (at, entry) in history.entries.iter().enumerate() {
        match entry.op {
            Fact::Heal => healed = Some(entry.t),
            Fact::Effect { .. } if entry.phase == Phase::Ok && healed.is_some() => {
                effect = effect.or(Some(entry.t));
            }
            Fact::Lost { token } if healed.is_some_and(|healed| entry.t > healed + PATIENCE) => {
                return fail(at, format!("token {token} is lost although nothing fails"));
            }
            Fact::Quiet { settled, .. } => {
                let healed = healed.unwrap_or_default();
                if !settled || effect.is_none_or(|effect| effect > healed + PATIENCE) {
                    return fail(at, "nobody leads, long after the last fault".to_owned());
                }
            }
            _ => {}
        }
    }
    Ok(())
}
