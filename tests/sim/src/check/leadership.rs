//! Writes of two terms do not overlap, a lock is not released while the work of its term runs, and a leader that reads that
//! another one leads does not write.

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
    // The current term of each process, and whether it has read that its term is over.
    let mut terms: BTreeMap<u8, (i64, bool)> = BTreeMap::new();
    let mut edited = false;
    for (at, entry) in history.entries.iter().enumerate() {
        match entry.op {
            Fact::Term { token } => {
                if let Some(owner) = owners.insert(token, entry.node) {
                    return fail(at, format!("token {token} of process {owner} is given again"));
                }
                terms.insert(entry.node, (token, false));
            }
            Fact::Edited => edited = true,
            Fact::Seen { token, own } => {
                if let Some((term, over)) = terms.get_mut(&entry.node) {
                    *over |= !own || token != *term;
                }
            }
            Fact::Release { running: true } => {
                return fail(at, format!("process {} releases the lock while its work runs", entry.node));
            }
            Fact::Effect { token } if entry.phase == Phase::Ok => {
                if terms.get(&entry.node).is_some_and(|(term, over)| *term == token && *over) {
                    return fail(
                        at,
                        format!("token {token} writes after its holder has read that its term is over"),
                    );
                }
                // If a person takes the lock from a leader, another may lead before it notices.
                if token < newest && !edited {
                    return fail(at, format!("token {token} writes after token {newest} has"));
                }
                newest = newest.max(token);
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
