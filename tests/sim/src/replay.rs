//! Answers of a real control plane, replayed against the model, so that the model can't drift.
//!
//! The storage of the model has the real revisions. A real server does not say which version its watch cache has reached, so each answer
//! names it: the question is whether a server of the model at that version gives the same answer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use client_rs_machinery::meta::v1::ListOptions;

use crate::content::{State, number};
use crate::history::EventType;
use crate::server::{Response, Revision, Sent, Server, Watcher};

/// An answer, or a part of one.
#[derive(Clone, Debug)]
pub enum Observed {
    /// A list.
    List {
        /// The request.
        asked: ListOptions,
        /// The newest version that somebody had got before the request was sent.
        before: u32,
        /// The version of the list.
        version: u32,
        /// Its objects.
        objects: Vec<(u8, State)>,
    },
    /// A watch was accepted.
    Watch {
        /// Its number.
        watch: u32,
        /// The request.
        asked: ListOptions,
    },
    /// An event of a watch.
    Event {
        /// The number of the watch.
        watch: u32,
        /// The type.
        event: EventType,
        /// The object; the highest number for a bookmark.
        key: u8,
        /// The state; of a bookmark only the version counts.
        state: State,
    },
    /// A request or a watch was answered with 410.
    Expired {
        /// The requested version.
        version: u32,
        /// The newest version that somebody had got before the request was sent.
        before: u32,
        /// The version up to which the history had been dropped.
        compacted: u32,
    },
    /// The storage was set back to this version.
    Restored {
        /// The version.
        version: u32,
    },
}

/// The number of answers that the model gives, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// Lists.
    pub lists: u64,
    /// Watches.
    pub watches: u64,
    /// Events of watches, without bookmarks.
    pub events: u64,
    /// Bookmarks.
    pub bookmarks: u64,
    /// Answers that a version is no longer available.
    pub expired: u64,
}

/// An answer that the model does not give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    /// The place of the answer.
    pub at: usize,
    /// The difference.
    pub message: String,
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "model at answer {}: {}", self.at, self.message)
    }
}

/// A watch on its way.
enum Open {
    /// Its initial objects are being sent.
    Initial(ListOptions, BTreeSet<(u8, u32)>, Vec<(u8, State)>),
    /// Events.
    Following(Watcher),
}

/// Replays answers. `epochs` has the revisions from the start, and from each restore on.
pub fn replay(epochs: &[Vec<Revision>], observed: &[Observed], selected: bool) -> Result<Replayed, Drift> {
    let mut epoch = 0;
    let mut known: Vec<Revision> = epochs.first().cloned().unwrap_or_default();
    let mut counts = Replayed::default();
    let mut open: BTreeMap<u32, Open> = BTreeMap::new();
    for (at, answer) in observed.iter().enumerate() {
        let fail = |message: String| Drift { at, message };
        match answer {
            Observed::List { asked, before, version, objects } => {
                if asked.resource_version.is_empty() && version < before {
                    return Err(fail(format!("a list of the newest state is of {version}, after {before}")));
                }
                let model = model(&known, *version, selected);
                let Response::Done(listed) = model.list(0, asked) else {
                    return Err(fail(format!("the model waits for a list of {asked:?} at {version}")));
                };
                let (mut expected, mut objects) = (listed.objects, objects.clone());
                expected.sort_unstable_by_key(|(key, _)| *key);
                objects.sort_unstable_by_key(|(key, _)| *key);
                if listed.version != *version || expected != objects {
                    return Err(fail(format!("a list at {version} has {objects:?}, the model {expected:?}")));
                }
                counts.lists += 1;
            }
            Observed::Watch { watch, asked } => {
                counts.watches += 1;
                let state = if asked.send_initial_events == Some(true) {
                    Open::Initial(asked.clone(), BTreeSet::new(), Vec::new())
                } else {
                    match model(&known, u32::MAX, selected).watch(0, asked) {
                        Response::Done(watcher) => Open::Following(watcher),
                        other => return Err(fail(format!("the model answers {other:?} to {asked:?}"))),
                    }
                };
                open.insert(*watch, state);
            }
            Observed::Event { watch, event, key, state } => {
                let Some(state_of_watch) = open.get_mut(watch) else {
                    return Err(fail(format!("an event of watch {watch}, which is not open")));
                };
                let got = Sent { event: *event, key: *key, state: *state };
                if let Some(next) = step(state_of_watch, got, &known, selected, &mut counts).map_err(fail)? {
                    *state_of_watch = next;
                }
            }
            Observed::Expired { version, before, compacted } => {
                // A watch cache may forget any events. But none refuses the newest state.
                if version >= before && version > compacted && *version > 0 {
                    return Err(fail(format!(
                        "{version} is expired, although nothing is newer than {before}"
                    )));
                }
                counts.expired += 1;
            }
            Observed::Restored { version } => {
                epoch += 1;
                known.retain(|revision| revision.version <= *version);
                known.extend(epochs.get(epoch).into_iter().flatten().copied());
                open.clear();
            }
        }
    }
    Ok(counts)
}

/// A control plane with these revisions, whose watch cache has reached a version.
fn model(known: &[Revision], at: u32, selected: bool) -> Server {
    let mut server = Server::new(1, selected, true);
    server.etcd.load(known, at);
    server.instances[0].at = at;
    server.instances[0].window = 0;
    server
}

fn step(
    open: &mut Open,
    got: Sent,
    known: &[Revision],
    selected: bool,
    counts: &mut Replayed,
) -> Result<Option<Open>, String> {
    match open {
        Open::Initial(asked, seen, objects) => match got.event {
            EventType::Added => {
                counts.events += 1;
                if !seen.insert((got.key, got.state.version)) {
                    return Err(format!("object {} is sent twice in the initial events", got.key));
                }
                objects.push((got.key, got.state));
                Ok(None)
            }
            EventType::EndOfList => {
                let model = model(known, got.state.version, selected);
                let Response::Done(mut watcher) = model.watch(0, asked) else {
                    return Err(format!("the model does not answer {asked:?} at {}", got.state.version));
                };
                let mut expected = std::mem::take(&mut watcher.initial);
                expected.sort_unstable_by_key(|(key, _)| *key);
                objects.sort_unstable_by_key(|(key, _)| *key);
                if expected != *objects {
                    let version = got.state.version;
                    return Err(format!(
                        "initial events at {version} are {objects:?}, in the model {expected:?}"
                    ));
                }
                counts.bookmarks += 1;
                Ok(Some(Open::Following(watcher)))
            }
            other => Err(format!("{other:?} in the initial events of a watch")),
        },
        Open::Following(watcher) => {
            if matches!(got.event, EventType::Bookmark | EventType::EndOfList) {
                let version = got.state.version;
                if let Some(missing) = model(known, version, selected).next_event(watcher) {
                    return Err(format!("a bookmark at {version}, although {missing:?} was not sent"));
                }
                if version < watcher.next {
                    return Err(format!("a bookmark at {version}, after events up to {}", watcher.next));
                }
                watcher.next = version;
                counts.bookmarks += 1;
                return Ok(None);
            }
            let expected = model(known, u32::MAX, selected).next_event(watcher);
            if expected != Some(got) {
                return Err(format!("the event {got:?}, in the model {expected:?}"));
            }
            counts.events += 1;
            Ok(None)
        }
    }
}

/// Returns the version that a request asks for; 0 for none.
pub fn requested(asked: &ListOptions) -> u32 {
    number(&asked.resource_version)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::SELECTED;
    use crate::server::Etcd;

    fn revisions() -> Vec<Revision> {
        let mut etcd = Etcd::default();
        let first = etcd.put(0, SELECTED);
        let second = etcd.put(1, 0);
        let third = etcd.put(0, SELECTED | 1);
        [Some(first), Some(second), Some(third), etcd.delete(1)].into_iter().flatten().collect()
    }

    fn options(version: &str, initial: bool) -> ListOptions {
        let send_initial_events = initial.then_some(true);
        ListOptions { resource_version: version.into(), send_initial_events, ..ListOptions::EMPTY }
    }

    fn drift(observed: &[Observed]) -> String {
        replay(&[revisions()], observed, false).unwrap_err().message
    }

    #[test]
    fn lists_are_those_of_the_model_at_their_version() {
        let all = revisions();
        let list = |asked: &str, before, version, objects: &[(u8, State)]| Observed::List {
            asked: options(asked, false),
            before,
            version,
            objects: objects.to_vec(),
        };
        let (first, second) = ((0, all[0].state), (1, all[1].state));
        let right = [list("", 2, 2, &[first, second]), list("0", 4, 1, &[first])];
        assert_eq!(replay(&[all], &right, false).unwrap().lists, 2);
        assert!(drift(&[list("", 2, 2, &[first])]).contains("the model [(0"));
        assert!(drift(&[list("", 3, 2, &[first, second])]).contains("of 2, after 3"));
        assert!(drift(&[list("3", 1, 2, &[first, second])]).contains("the model waits"));
    }

    #[test]
    fn a_watch_has_all_events_in_their_order() {
        let all = revisions();
        let event = |event, key, state| Observed::Event { watch: 1, event, key, state };
        let mark = |version| event(EventType::Bookmark, u8::MAX, State { version, ..State::default() });
        let watch = Observed::Watch { watch: 1, asked: options("2", false) };
        let changed = event(EventType::Modified, 0, all[2].state);
        let deleted = event(EventType::Deleted, 1, State { version: 4, ..all[1].state });
        let right = [watch.clone(), changed.clone(), mark(3), deleted.clone(), mark(9)];
        let counts = replay(std::slice::from_ref(&all), &right, false).unwrap();
        assert_eq!((counts.events, counts.bookmarks), (2, 2));
        assert!(drift(&[watch.clone(), deleted]).contains("in the model"));
        assert!(drift(&[watch.clone(), changed.clone(), mark(4)]).contains("was not sent"));
        assert!(drift(&[watch, changed, mark(2)]).contains("after events up to 3"));
        // A streamed list.
        let stream = Observed::Watch { watch: 1, asked: options("", true) };
        let added = |place: usize| event(EventType::Added, all[place].key, all[place].state);
        let end = event(EventType::EndOfList, u8::MAX, State { version: 2, ..State::default() });
        let right = [stream.clone(), added(0), added(1), end.clone()];
        assert_eq!(replay(std::slice::from_ref(&all), &right, false).unwrap().bookmarks, 1);
        assert!(drift(&[stream, added(0), end]).contains("initial events at 2"));
    }

    #[test]
    fn the_newest_state_is_never_expired_and_a_restore_begins_again() {
        let expired = |version| Observed::Expired { version, before: 4, compacted: 0 };
        assert_eq!(replay(&[revisions()], &[expired(3)], false).unwrap().expired, 1);
        assert!(drift(&[expired(4)]).contains("4 is expired"));
        let mut etcd = Etcd::default();
        etcd.put(0, SELECTED);
        let again = etcd.put(0, 0);
        let list = Observed::List {
            asked: options("", false),
            before: 2,
            version: 2,
            objects: vec![(0, again.state)],
        };
        let observed = [Observed::Restored { version: 1 }, list];
        assert_eq!(replay(&[revisions(), vec![again]], &observed, false).unwrap().lists, 1);
    }
}
