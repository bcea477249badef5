//! The store at a version equals the storage at that version, after every batch; and versions do not go back.

use super::truth::Truth;
use super::{Violation, broken};
use crate::content::{KEYS, State, UNREADABLE};
use crate::history::{Fact, History};

pub(super) fn check(history: &History) -> Result<(), Violation> {
    let fail = |at, message: String| Err(broken("snapshot", at, message));
    let mut truth = Truth::default();
    let mut stored = [State::default(); KEYS as usize];
    let (mut last, mut returns) = (0, 0);
    for (at, entry) in history.entries.iter().enumerate() {
        truth.note(&entry.op);
        let Fact::Commit { version, first, len, stale, indexed, unsure } = entry.op else { continue };
        if version < last {
            returns += 1;
            if returns > truth.restores {
                return fail(at, format!("the store went back from version {last} to {version}"));
            }
        }
        last = version;
        let previous = std::mem::replace(&mut stored, [State::default(); KEYS as usize]);
        let mut present = 0_u8;
        for (key, state) in history.objects(first, len) {
            stored[usize::from(*key)] = *state;
            present |= 1 << key;
        }
        if present != indexed {
            return fail(at, format!("the store has objects {present:b}, its index {indexed:b}"));
        }
        if unsure || version == 0 {
            continue;
        }
        for key in 0..KEYS {
            let before = previous[usize::from(key)];
            let (has, is_stale) = (stored[usize::from(key)], stale >> key & 1 == 1);
            let expected = truth.at(key, version, history.selected);
            if !expected.exists() || expected.content & UNREADABLE == 0 {
                if has != expected || is_stale {
                    return fail(
                        at,
                        format!(
                            "at version {version} the store has {has:?} (stale: {is_stale}) for object {key}, the storage {expected:?}"
                        ),
                    );
                }
            } else if !is_stale
                || (before.exists() && before.uid == expected.uid && !has.exists())
                // A restore may have brought back a state that can't be read; then the last good one is of later.
                || (truth.restores == 0 && has.version > expected.version)
                || (truth.restores == 0 && has.exists() && !truth.had(key, has))
            {
                return fail(
                    at,
                    format!(
                        "at version {version} object {key} can't be read; the store has {has:?}, stale: {is_stale}"
                    ),
                );
            }
        }
    }
    Ok(())
}
