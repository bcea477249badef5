//! After all faults are over, the cache catches up, within the longest wait that is documented.

use super::truth::Truth;
use super::{Violation, broken};
use crate::content::{KEYS, State, UNREADABLE};
use crate::history::{Fact, History};

/// A dead connection is noticed after the longest watch (ten minutes) and its overtime (30 s). Then come at most a few
/// attempts, each after the longest pause (a minute).
const PATIENCE: u64 = (10 * 60 + 30 + 4 * 60) * 1_000_000;

pub(super) fn check(history: &History) -> Result<(), Violation> {
    let fail = |at, message: String| Err(broken("progress", at, message));
    let mut truth = Truth::default();
    let (mut healed, mut reached) = (0, 0);
    let mut stored = [State::default(); KEYS as usize];
    for (at, entry) in history.entries.iter().enumerate() {
        truth.note(&entry.op);
        match entry.op {
            Fact::Heal => healed = entry.t,
            Fact::Commit { version, first, len, .. } => {
                reached = version;
                stored = [State::default(); KEYS as usize];
                for (key, state) in history.objects(first, len) {
                    stored[usize::from(*key)] = *state;
                }
            }
            Fact::Quiet { settled, unsure, version, .. } => {
                let took = entry.t - healed;
                if !settled || took > PATIENCE {
                    return fail(at, format!("not at rest {} s after the last fault", took / 1_000_000));
                }
                if reached != version && !unsure {
                    return fail(at, format!("the store is at version {reached}, the server at {version}"));
                }
                for key in (0..KEYS).filter(|_| !unsure) {
                    let expected = truth.at(key, truth.newest(), history.selected);
                    let has = stored[usize::from(key)];
                    if expected.content & UNREADABLE == 0 && has != expected {
                        return fail(at, format!("object {key} is {has:?}, and {expected:?} on the server"));
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}
