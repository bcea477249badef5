//! Relists and failures of the informers, as records.

use std::sync::Arc;

use futures_util::future::select_all;
use tokio::sync::watch;

use super::log::Log;
use super::record::{InformerChange, What};
use super::source::Source;

/// The counts of the informers at the last look.
pub(crate) struct Informers {
    sources: Vec<Arc<Source>>,
    fetches: Vec<watch::Receiver<u64>>,
    seen: Vec<(u64, u64)>,
}

impl Informers {
    /// The counts now.
    pub(crate) fn new(sources: &[Arc<Source>]) -> Self {
        // Before the counts: a change in between is looked at once more.
        let fetches = sources.iter().map(|source| source.look.fetches()).collect();
        let seen = sources.iter().map(|source| counts(source)).collect();
        Self { sources: sources.to_vec(), fetches, seen }
    }

    /// Waits until one of them has listed or failed. Cancel-safe.
    pub(crate) async fn changed(&mut self) {
        if self.fetches.is_empty() {
            return std::future::pending().await;
        }
        // The informers live as long as their sources.
        let _ = select_all(self.fetches.iter_mut().map(|fetches| Box::pin(fetches.changed()))).await;
    }

    /// Records what has happened since the last look.
    pub(crate) fn look(&mut self, log: &Log) {
        for (number, (source, seen)) in self.sources.iter().zip(&mut self.seen).enumerate() {
            let now = counts(source);
            let number = u8::try_from(number).unwrap_or(u8::MAX);
            let changes =
                [(InformerChange::Relisted, now.0, seen.0), (InformerChange::Failed, now.1, seen.1)];
            for (change, now, seen) in changes {
                if now > seen {
                    log.write(What::Informer { source: number, change, count: now - seen });
                }
            }
            *seen = now;
        }
    }
}

/// The relists and the failures of an informer.
fn counts(source: &Source) -> (u64, u64) {
    let reflectors = source.look.activity().reflectors;
    let relists = reflectors.iter().map(|reflector| reflector.relists).sum();
    (relists, reflectors.iter().map(|reflector| reflector.errors).sum())
}
