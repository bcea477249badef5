//! Each handler sees a valid history per object, and at the end knows what the store has, within its filter.

use super::{Violation, broken};
use crate::content::{KEYS, PASSES, State};
use crate::history::{ChangeKind, Fact, History};

const HANDLERS: usize = 8;

/// The knowledge of one handler.
#[derive(Clone, Copy)]
struct Known {
    joined: bool,
    filtered: bool,
    objects: [State; KEYS as usize],
}

pub(super) fn check(history: &History) -> Result<(), Violation> {
    let fail = |at, message: String| Err(broken("handlers", at, message));
    let nobody = Known { joined: false, filtered: false, objects: [State::default(); KEYS as usize] };
    let mut handlers = [nobody; HANDLERS];
    let (mut stored, mut doubt) = (nobody.objects, false);
    for (at, entry) in history.entries.iter().enumerate() {
        match entry.op {
            Fact::Join { handler, filtered } => {
                handlers[usize::from(handler)] = Known { joined: true, filtered, ..nobody };
            }
            Fact::Doubt => doubt = true,
            Fact::Leave { handler } => handlers[usize::from(handler)] = nobody,
            Fact::Commit { first, len, .. } => {
                stored = nobody.objects;
                for (key, state) in history.objects(first, len) {
                    stored[usize::from(*key)] = *state;
                }
            }
            Fact::Notify { handler, change, key, old, new } => {
                let known = &mut handlers[usize::from(handler)];
                let (joined, filtered) = (known.joined, known.filtered);
                let before = &mut known.objects[usize::from(key)];
                let error = match change {
                    _ if !joined => Some("it was removed"),
                    _ if filtered && doubt => None,
                    ChangeKind::Added if before.exists() => Some("it already knows the object"),
                    ChangeKind::Updated | ChangeKind::Deleted if !before.exists() => {
                        Some("it does not know the object")
                    }
                    ChangeKind::Updated if old != *before => Some("the old state is not the last one"),
                    // A filter and a mapping decide by content: the last one that it knows has to come again.
                    ChangeKind::Deleted if !doubt && new.exists() && new.content != before.content => {
                        Some("the last state of a deletion is not the one that it knows")
                    }
                    ChangeKind::Added | ChangeKind::Updated if filtered && new.content & PASSES == 0 => {
                        Some("the object does not pass its filter")
                    }
                    _ => None,
                };
                if let Some(error) = error {
                    return fail(
                        at,
                        format!(
                            "handler {handler}, object {key}: {error}; it knows {before:?}, and gets {change:?} {old:?} to {new:?}"
                        ),
                    );
                }
                *before = if change == ChangeKind::Deleted { State::default() } else { new };
            }
            Fact::Quiet { settled: true, .. } => {
                for (handler, known) in handlers.iter().enumerate() {
                    if !known.joined || (known.filtered && doubt) {
                        continue;
                    }
                    for (key, has) in known.objects.iter().enumerate() {
                        let mut expected = stored[key];
                        if known.filtered && expected.content & PASSES == 0 {
                            expected = State::default();
                        }
                        if *has != expected {
                            return fail(
                                at,
                                format!(
                                    "handler {handler} knows {has:?} of object {key}, the store has {expected:?}"
                                ),
                            );
                        }
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}
