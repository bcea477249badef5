//! A subject of the campaign: how its histories are made, repeated and checked.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Instant;

use anyhow::{Context as _, Result};
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
    /// A campaign has one history of it per this many seeds: some take longer than others.
    const SHARE: u64 = 1;
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

/// A history of a subject, with everything that repeats it.
pub type CaseOf<S> = Case<<S as Subject>::Setup, <S as Subject>::Op>;

/// Reads the histories of the corpus, with their files in the order of their names.
pub fn corpus<S: Subject>() -> Result<Vec<(PathBuf, CaseOf<S>)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(S::NAME);
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| format!("can't read {}", folder.display()))? {
        let file = entry?.path();
        let case = serde_json::from_str(&std::fs::read_to_string(&file)?)
            .with_context(|| format!("can't read {}", file.display()))?;
        cases.push((file, case));
    }
    cases.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(cases)
}

/// The start of all simulated time. Only differences to it are recorded.
pub fn base() -> Instant {
    static BASE: OnceLock<Instant> = OnceLock::new();
    *BASE.get_or_init(Instant::now)
}
