//! Readers see their own writes, and never an older state after a newer one.

use super::truth::Truth;
use super::{Violation, broken};
use crate::content::{KEYS, UNREADABLE};
use crate::history::{Answer, Fact, History};

pub(super) fn check(history: &History) -> Result<(), Violation> {
    let fail = |at, message: String| Err(broken("reads", at, message));
    let mut truth = Truth::default();
    let mut last = [0_u32; KEYS as usize];
    let mut returns = [0_u32; KEYS as usize];
    for (at, entry) in history.entries.iter().enumerate() {
        truth.note(&entry.op);
        match entry.op {
            Fact::Read { key, state } if state.exists() => {
                let before = std::mem::replace(&mut last[usize::from(key)], state.version);
                if state.version < before {
                    // A restore brings back older objects, once.
                    returns[usize::from(key)] += 1;
                    if returns[usize::from(key)] > truth.restores {
                        let version = state.version;
                        return fail(at, format!("object {key} was read at {before}, then at {version}"));
                    }
                }
            }
            Fact::AtLeast { key, wanted, store, answer } => {
                let now = truth.at(key, store, history.selected);
                let right = match answer {
                    Answer::Object(state) => state.version >= wanted && truth.had(key, state),
                    Answer::Missing => store >= wanted && !now.exists(),
                    Answer::Stale => store >= wanted && now.content & UNREADABLE != 0,
                    Answer::Failed => false,
                    Answer::Waits => store < wanted,
                };
                if !right {
                    return fail(
                        at,
                        format!(
                            "a reader wants object {key} at {wanted}; at store version {store} it gets {answer:?}"
                        ),
                    );
                }
            }
            _ => {}
        }
    }
    Ok(())
}
