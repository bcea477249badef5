//! A list asks for a version that the store already has, which the server can answer from its watch cache. The newest
//! version costs a quorum read, so only a server that has refused the known version is asked for it.

use super::{Violation, broken};
use crate::history::{EventType, Fact, Fault, History, Phase, Verb};

pub(super) fn check(history: &History) -> Result<(), Violation> {
    // Whether a request without a version is right: there is no list yet, or the last one did not work with it.
    let mut excused = true;
    // The version of a list that has ended. The next request shows whether the client has accepted it.
    let mut listed: Option<u32> = None;
    // The list in progress, and whether it continues with another page.
    let (mut open, mut paging) = (None, false);
    // The newest version that the client knows.
    let mut known = 0;
    for (at, entry) in history.entries.iter().enumerate() {
        match (entry.phase, entry.op) {
            (Phase::Invoke, Fact::Request { verb, version }) => {
                if let Some(listed) = listed.take() {
                    // A list that is older than the cache is requested again.
                    excused = verb != Verb::Watch && listed < known;
                    if !excused {
                        known = listed;
                    }
                }
                let lists = matches!(verb, Verb::List | Verb::Stream);
                let continues = verb == Verb::List && std::mem::take(&mut paging);
                if lists && version.is_none() && !continues && !excused {
                    let message = format!(
                        "a list asks for no version, although {known} is known and nobody refused it"
                    );
                    return Err(broken("versions", at, message));
                }
                open = lists.then_some(verb);
            }
            (_, Fact::Answer { verb: Verb::List, version, more }) => {
                paging = more;
                open = more.then_some(Verb::List);
                listed = (!more).then_some(version);
            }
            (_, Fact::Event { event: EventType::EndOfList, version, .. }) => {
                (listed, open) = (Some(version), None);
            }
            // The objects of a streamed list.
            (_, Fact::Event { .. }) if open.is_some() => {}
            (_, Fact::Event { version, .. }) => {
                // The watch continues, so the list before it was accepted.
                if listed.take().is_some() {
                    (excused, known) = (false, version);
                }
                known = known.max(version);
            }
            (_, Fact::Error { error }) => {
                paging = false;
                excused |= open.take().is_some() && matches!(error, Fault::Expired | Fault::TooLarge);
            }
            _ => {}
        }
    }
    Ok(())
}
