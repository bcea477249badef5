//! The state of an informer without tasks, locks and clock.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use client_rs_machinery::{Object, canary};

use crate::processor::{Job, Listener, Processor, Runner};
use crate::reflector::ReflectorHandle;
use crate::store::Stored;
use crate::{Batch, Change, Coverage, Delta, HandlerOptions, Indexer, InformerOptions, Registration, Writer};

/// How many changes are queued for one handler before it is the turn of the next: so all handlers start early,
/// even with a large list.
const AT_ONCE: usize = 256;

/// The state that changes in one step: the store, and the queues of the handlers.
pub(crate) struct Core<K: Object> {
    /// `None` once the informer has stopped, so that no reader waits for a version that will not come.
    pub(super) writer: Option<Writer<K>>,
    pub(crate) processor: Processor<K>,
    /// Parts of the collection whose first list has not been processed.
    pub(super) unsynced: BTreeSet<Coverage>,
    pub(super) options: Option<InformerOptions<K>>,
    pub(super) reflectors: Vec<(Coverage, ReflectorHandle)>,
}

/// The result of a batch.
pub(crate) struct Processed<K> {
    /// The handlers to wait for.
    pub(crate) behind: Vec<(String, Arc<Listener<K>>)>,
    /// The handlers that the informer runs, once it has released the lock of this state.
    pub(crate) inline: Vec<Arc<dyn Job>>,
    /// Whether it had the last of the first lists.
    pub(crate) synced: bool,
    /// Objects that nobody may need any more, to drop once the lock of this state is released: they are the user's, and a large one takes
    /// its time.
    pub(crate) released: (Vec<Change<K>>, Vec<Stored<K>>),
}

impl<K: Object> Core<K> {
    /// Makes the state of an informer that covers these parts.
    pub(crate) fn new(
        writer: Writer<K>,
        resync: Duration,
        parts: impl IntoIterator<Item = Coverage>,
    ) -> Self {
        Self {
            writer: Some(writer),
            processor: Processor::new(resync),
            unsynced: parts.into_iter().collect(),
            options: None,
            reflectors: Vec::new(),
        }
    }

    /// Adds a handler. It gets the existing objects first, and no object twice: nothing changes meanwhile.
    pub(crate) fn add(
        &mut self,
        indexer: &Indexer<K>,
        options: HandlerOptions,
        runner: Option<Runner<K>>,
        now: Instant,
    ) -> (Arc<Listener<K>>, Registration) {
        self.processor.add(options, runner, indexer.snapshot().stored(), now)
    }

    /// Applies a batch to the store and to the queues of the handlers, in one step.
    pub(crate) fn process(&mut self, batch: &mut Batch<K>, now: Instant) -> Processed<K> {
        let is_initial = !self.unsynced.is_empty();
        let mut listed = Vec::new();
        if is_initial {
            for delta in &batch.deltas {
                if let Delta::ReplacedAll(list) = delta {
                    listed.push(list.coverage.clone());
                }
            }
        }
        let Some(writer) = &mut self.writer else {
            return Processed {
                behind: Vec::new(),
                inline: Vec::new(),
                synced: false,
                released: (Vec::new(), Vec::new()),
            };
        };
        let mut displaced = Vec::new();
        let mut changes = writer.apply_keeping(batch.deltas.drain(..), &mut displaced);
        if is_initial {
            changes.iter_mut().for_each(Change::set_initial);
        }
        let (mut rest, mut behind, mut inline) = (&changes[..], false, Vec::new());
        loop {
            let (some, others) = rest.split_at(rest.len().min(AT_ONCE));
            behind |= self.processor.distribute(some, now, &mut inline, &mut displaced);
            rest = others;
            if rest.is_empty() {
                break;
            }
        }
        let behind = if behind && !canary!(26) { self.processor.paced() } else { Vec::new() };
        for coverage in listed {
            self.unsynced.remove(&coverage);
        }
        let synced = is_initial && self.unsynced.is_empty();
        if synced {
            self.processor.set_upstream_synced();
        }
        Processed { behind, inline, synced, released: (changes, displaced) }
    }
}
