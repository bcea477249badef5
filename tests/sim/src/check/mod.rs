//! The checkers: pure functions over a history.
//!
//! None of them knows how the history came about, so that a simulation and a real control plane are held to the same rules.

mod bounds;
mod convergence;
mod handlers;
mod leadership;
mod level;
mod progress;
mod rate;
mod reads;
mod sharding;
mod snapshot;
mod truth;
mod versions;

use std::fmt;

use crate::history::History;

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The checker.
    pub checker: &'static str,
    /// The entry of the history that breaks the rule.
    pub at: usize,
    /// The reason.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at entry {}: {}", self.checker, self.at, self.message)
    }
}

/// A checker.
pub type Checker = fn(&History) -> Result<(), Violation>;

/// The checkers of histories with an informer.
pub const INFORMER: [Checker; 8] = [
    snapshot::check,
    handlers::check,
    level::check,
    reads::check,
    progress::check,
    rate::check,
    bounds::check,
    versions::check,
];

/// The checkers of histories with an election.
pub const ELECTION: [Checker; 2] = [leadership::check, leadership::check_progress];

/// The checkers of histories with shards.
pub const SHARDING: [Checker; 3] = [sharding::check, sharding::check_numbers, sharding::check_progress];

/// The checkers of histories of whole replicas.
pub const REPLICAS: [Checker; 3] = [leadership::check, sharding::check, convergence::check];

/// The checkers of an informer on a real control plane, whose work queue is not recorded.
pub const PLANE: [Checker; 5] =
    [snapshot::check, handlers::check, reads::check, progress::check, rate::check];

/// Runs checkers, and returns the first broken rule.
pub fn all(checkers: &[Checker], history: &History) -> Result<(), Violation> {
    checkers.iter().try_for_each(|check| check(history))
}

/// Returns a violation; the message is made only then.
fn broken(checker: &'static str, at: usize, message: impl fmt::Display) -> Violation {
    Violation { checker, at, message: message.to_string() }
}

#[cfg(test)]
mod tests;
