//! Relists and failures of the informers, as records.

use std::sync::Arc;

use super::log::Log;
use super::record::{InformerChange, What};
use super::source::Source;

/// The counts of the informers at the last look.
pub(crate) struct Informers {
    sources: Vec<Arc<Source>>,
    seen: Vec<(u64, u64)>,
}

impl Informers {
    /// The counts now.
    pub(crate) fn new(sources: &[Arc<Source>]) -> Self {
        let seen = sources.iter().map(|source| counts(source)).collect();
        Self { sources: sources.to_vec(), seen }
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
