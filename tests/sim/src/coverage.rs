//! Which transitions of a state machine the histories have seen.

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

    /// Returns the pairs of state and event that were never seen.
    pub fn unseen(&self) -> Vec<(&'static str, &'static str)> {
        let mut unseen = Vec::new();
        for (from, state) in STATES.iter().enumerate() {
            for (event, name) in EVENTS.iter().enumerate() {
                if (0..STATES.len()).all(|to| self.cells[place(from, event, to)] == 0) {
                    unseen.push((*state, *name));
                }
            }
        }
        unseen
    }
}

fn place(from: usize, event: usize, to: usize) -> usize {
    (from * EVENTS.len() + event) * STATES.len() + to
}
