//! [`EndedRuns`]: what a controller does with its runs when they are recorded.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::detect::{Detectors, RunFacts};
use crate::recorder::{Attention, EndedRun, RequestList, RunSink};

/// The detectors look at the runs. Their memory is used again.
#[derive(Default)]
pub(crate) struct EndedRuns {
    detectors: Mutex<Detectors>,
    /// Memory of runs that have ended, for as many as wait to be recorded.
    lists: Mutex<Vec<RequestList>>,
    attention: Arc<Attention>,
}

impl EndedRuns {
    pub(crate) fn new(attention: Arc<Attention>) -> Arc<Self> {
        Arc::new(Self { attention, ..Self::default() })
    }

    /// The detectors. They have not seen the runs that wait in the recorder: flush it first.
    pub(crate) fn detectors(&self) -> MutexGuard<'_, Detectors> {
        lock(&self.detectors)
    }

    /// The memory of a run that has ended.
    pub(crate) fn list(&self) -> Option<RequestList> {
        lock(&self.lists).pop()
    }
}

impl RunSink for EndedRuns {
    fn recorded(&self, run: EndedRun) {
        let began = run.at.saturating_sub_unsigned(run.took);
        let EndedRun { at, outcome, key, requests, .. } = run;
        let facts = RunFacts { at, began, key: &key, outcome, unsynced: &requests.unsynced };
        if self.detectors().ended(&facts, requests.writes(&key)) {
            self.attention.now();
        }
        lock(&self.lists).extend(requests.into_list());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
