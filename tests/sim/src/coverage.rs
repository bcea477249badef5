//! The transitions of a state machine that the histories have seen.

use std::fmt::Write as _;

use client_rs_cache::sim::{EVENTS, STATES, Transition};

const CELLS: usize = STATES.len() * EVENTS.len() * STATES.len();

/// How often each transition was seen.
#[derive(Clone, Debug)]
pub struct Coverage {
    cells: Vec<u64>,
}

impl Default for Coverage {
    fn default() -> Self {
        Self { cells: vec![0; CELLS] }
    }
}

impl Coverage {
    /// Counts a transition.
    pub fn add(&mut self, (from, event, to): Transition) {
        self.cells[place(from.into(), event.into(), to.into())] += 1;
    }

    /// Adds the counts of another table.
    pub fn merge(&mut self, other: &Self) {
        for (cell, more) in self.cells.iter_mut().zip(&other.cells) {
            *cell += more;
        }
    }

    /// Renders the table: one line per state and event, with the states that followed.
    pub fn table(&self) -> String {
        let mut table = String::new();
        for (from, state) in STATES.iter().enumerate() {
            for (event, name) in EVENTS.iter().enumerate() {
                let followed: Vec<String> = (0..STATES.len())
                    .filter(|to| self.cells[place(from, event, *to)] > 0)
                    .map(|to| format!("{} {}", STATES[to], self.cells[place(from, event, to)]))
                    .collect();
                if !followed.is_empty() {
                    let _ = writeln!(table, "{state:15} {name:14} {}", followed.join(", "));
                }
            }
        }
        table
    }

    /// Returns what is wrong with the table: a cell that should be hit and was not, or one that can't be and was.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for (from, (state, events)) in REACHABLE.iter().enumerate() {
            for (event, name) in EVENTS.iter().enumerate() {
                let seen = (0..STATES.len()).any(|to| self.cells[place(from, event, to)] > 0);
                match (events.contains(name), seen) {
                    (true, false) => problems.push(format!("{state}, {name}: never seen")),
                    (false, true) => {
                        problems.push(format!("{state}, {name}: seen, and declared unreachable"));
                    }
                    _ => {}
                }
            }
        }
        problems
    }
}

/// The events that each state can get, in the order of [`STATES`]. All others are unreachable: the shell passes on only the
/// response to the request that the state has sent, and deadlines only in states that have one (a list has none; a commit is one
/// step). Two events are not in the model: a skipped object (of another kind, or without a name), and a commit that fails, which
/// only the consistency check does.
const REACHABLE: [(&str, &[&str]); STATES.len()] = [
    ("resting", &["start", "tick"]),
    ("paused", &["tick"]),
    ("opening stream", &["tick", "opened", "open failed"]),
    ("streaming", &["tick", "object", "bookmark", "closed", "broken"]),
    ("listing", &["listed", "list failed"]),
    ("committing", &["committed"]),
    ("opening watch", &["tick", "opened", "open failed"]),
    ("watching", &["tick", "object", "bookmark", "closed", "broken"]),
];

fn place(from: usize, event: usize, to: usize) -> usize {
    (from * EVENTS.len() + event) * STATES.len() + to
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_as_the_machine_names_them() {
        for ((name, events), state) in REACHABLE.iter().zip(STATES) {
            assert_eq!(*name, state);
            assert!(events.iter().all(|event| EVENTS.contains(event)));
        }
        let mut coverage = Coverage::default();
        assert_eq!(coverage.problems().len(), 22, "an empty table");
        coverage.add((4, 4, 4));
        assert!(coverage.problems().contains(&"listing, opened: seen, and declared unreachable".to_owned()));
    }
}
