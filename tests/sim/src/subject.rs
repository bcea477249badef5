//! A subject of the campaign: how its histories are made, repeated and checked.

use std::fmt::Debug;
use std::sync::OnceLock;
use std::time::Instant;

use fastrand::Rng;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::check::{Checker, Violation, all};
use crate::coverage::Coverage;
use crate::history::History;
use crate::schedule::Mode;

/// A history with everything that repeats it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case<S, O> {
    /// The setup.
    pub setup: S,
    /// The steps.
    pub ops: Vec<O>,
}

/// A subject of the campaign.
pub trait Subject: Sized + 'static {
    /// Its name.
    const NAME: &'static str;
    /// The rules for its histories.
    const CHECKERS: &'static [Checker];
    /// The fewest steps of a history.
    const STEPS: usize;
    /// The fewest faults of a history.
    const FAULTS: usize;
    /// The setup of a history.
    type Setup: Copy + Debug + PartialEq + Serialize + DeserializeOwned + Send;
    /// A step.
    type Op: Copy + Debug + PartialEq + Serialize + DeserializeOwned + Send;

    /// Makes a history, and adds its steps to `ops`.
    fn generate(random: Rng, mode: Mode, ops: &mut Vec<Self::Op>, run: &mut Run) -> Self::Setup;

    /// Repeats a history.
    fn replay(setup: Self::Setup, ops: &[Self::Op], run: &mut Run);

    /// Returns whether a step is a fault.
    fn is_fault(op: Self::Op) -> bool;
}

/// The memory of a run, which the next one uses again.
#[derive(Debug, Default)]
pub struct Run {
    /// The history of the last run.
    pub history: History,
    /// Transitions of state machines.
    pub coverage: Coverage,
}

impl Run {
    /// Makes the history of a seed. Returns its case in `case`, and the first broken rule.
    pub fn seed<S: Subject>(
        &mut self,
        seed: u64,
        mode: Mode,
        ops: &mut Vec<S::Op>,
    ) -> (S::Setup, Result<(), Violation>) {
        ops.clear();
        // Neighbouring seeds have nothing in common.
        let random = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d);
        let setup = S::generate(random, mode, ops, self);
        (setup, all(S::CHECKERS, &self.history))
    }

    /// Repeats a case. Returns the first broken rule.
    pub fn case<S: Subject>(&mut self, setup: S::Setup, ops: &[S::Op]) -> Result<(), Violation> {
        S::replay(setup, ops, self);
        all(S::CHECKERS, &self.history)
    }
}

/// The start of all simulated time. Only differences to it are recorded.
pub fn base() -> Instant {
    static BASE: OnceLock<Instant> = OnceLock::new();
    *BASE.get_or_init(Instant::now)
}
