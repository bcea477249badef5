//! The states that the storage had, rebuilt from the writes of a history.

use crate::content::{SELECTED, State};
use crate::history::Fact;

/// The states of the storage over time. After a restore, versions may be used again: the newest meaning counts.
#[derive(Debug, Default)]
pub(super) struct Truth {
    /// Version, object and state, in the order of the versions; an absent state is a deletion.
    log: Vec<(u32, u8, State)>,
    newest: u32,
    /// The number of restores.
    pub(super) restores: u32,
}

impl Truth {
    /// Notes a fact.
    pub(super) fn note(&mut self, fact: &Fact) {
        match *fact {
            Fact::Write { key, state, deleted } => {
                self.newest = state.version;
                let now = if deleted { State::default() } else { state };
                self.log.push((state.version, key, now));
            }
            Fact::Restore { to, version, bump } => {
                self.restores += 1;
                self.newest = version;
                if bump {
                    // The states from there on are those of `to`; earlier versions keep their meaning.
                    for key in 0..crate::content::KEYS {
                        let state = self.raw(key, to);
                        self.log.push((version, key, state));
                    }
                } else {
                    self.log.retain(|(at, ..)| *at <= to);
                }
            }
            _ => {}
        }
    }

    /// Returns the newest version.
    pub(super) fn newest(&self) -> u32 {
        self.newest
    }

    fn raw(&self, key: u8, at: u32) -> State {
        let mut before = self.log.iter().rev().skip_while(|(version, ..)| *version > at);
        before.find(|(_, other, _)| *other == key).map_or(State::default(), |(.., state)| *state)
    }

    /// Returns the state of an object at a version, if the selector matches it.
    pub(super) fn at(&self, key: u8, version: u32, selected: bool) -> State {
        let state = self.raw(key, version);
        if selected && state.content & SELECTED == 0 { State::default() } else { state }
    }

    /// Returns whether the object had this state at some time.
    pub(super) fn had(&self, key: u8, state: State) -> bool {
        self.log.iter().any(|(_, other, was)| *other == key && *was == state)
    }
}
