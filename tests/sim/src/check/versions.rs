//! A list asks for a version that the store already has, which the server can answer from its watch cache. The newest
//! version costs a quorum read, so only a server that has refused the known version is asked for it.

use super::{Violation, broken};
use crate::history::{EventType, Fact, Fault, History, Phase, Verb};

pub(super) fn check(history: &History) -> Result<(), Violation> {
    // Whether a request without a version is right: there is no list yet, or the last one did not work with it.
    let mut excused = true;
    // Whether a list has ended that the store has not applied yet.
    let mut listed = false;
    // The list in progress, and whether it continues with another page.
    let (mut open, mut paging) = (None, false);
    let mut newest = 0;
    for (at, entry) in history.entries.iter().enumerate() {
        match (entry.phase, entry.op) {
            (Phase::Invoke, Fact::Request { verb, version }) => {
                let lists = matches!(verb, Verb::List | Verb::Stream);
                let continues = verb == Verb::List && std::mem::take(&mut paging);
                if lists && version.is_none() && !continues && !excused {
                    let message = format!(
                        "a list asks for no version, although the store is at {newest} and nobody refused it"
                    );
                    return Err(broken("versions", at, message));
                }
                (listed, open) = (false, lists.then_some(verb));
            }
            (_, Fact::Answer { verb: Verb::List, version, more }) => {
                (paging, listed) = (more, !more);
                excused |= version < newest;
                open = more.then_some(Verb::List);
            }
            (_, Fact::Event { event, version, .. }) => {
                if event == EventType::EndOfList {
                    (listed, open) = (true, None);
                    excused |= version < newest;
                } else if open.is_none() {
                    newest = newest.max(version);
                }
            }
            (_, Fact::Error { error }) => {
                paging = false;
                excused |= open.take().is_some() && matches!(error, Fault::Expired | Fault::TooLarge);
            }
            (_, Fact::Commit { version, .. }) => {
                newest = version;
                excused &= !std::mem::take(&mut listed);
            }
            _ => {}
        }
    }
    Ok(())
}
