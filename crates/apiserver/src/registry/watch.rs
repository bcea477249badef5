//! Watch.

use std::sync::Arc;

use client_rs_machinery::wire::WatchEventType;
use tokio::sync::watch as signal;

use super::Admission;
use super::catalog::Served;
use super::list::prefix;
use super::{Registry, Selection, Stored};
use crate::custom::ConversionError;
use crate::store::{Change, Compacted, TableId};

/// A position in the history of a resource, and the filter of one client.
///
/// It buffers no events. Events that it has not read are in the store's window. Events that have left the window
/// are lost for it.
#[derive(Debug)]
pub(crate) struct Watch {
    registry: Arc<Registry>,
    served: Arc<Served>,
    table: TableId,
    prefix: String,
    selection: Selection,
    cursor: u64,
    signal: signal::Receiver<u64>,
    ended: signal::Receiver<bool>,
    /// Converts objects.
    session: Arc<dyn Admission>,
}

/// The reason why a watch can't continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Interrupted {
    /// The next changes are no longer kept. The value is the oldest revision that is.
    Compacted(u64),
    /// The next change is not converted yet.
    Pending,
    /// The next change can't be converted.
    Unreadable,
}

impl From<Compacted> for Interrupted {
    fn from(Compacted(oldest): Compacted) -> Self {
        Self::Compacted(oldest)
    }
}

impl From<ConversionError> for Interrupted {
    fn from(error: ConversionError) -> Self {
        if error == ConversionError::Pending { Self::Pending } else { Self::Unreadable }
    }
}

/// A change, from the view of one watch.
#[derive(Clone, Debug)]
pub(crate) struct WatchItem {
    pub(crate) kind: WatchEventType,
    pub(crate) object: Arc<Stored>,
}

impl Watch {
    /// Follows a resource after a revision; `None` if the resource has no objects.
    pub(crate) fn new(
        registry: Arc<Registry>,
        served: &Arc<Served>,
        namespace: &str,
        selection: Selection,
        after: u64,
        session: Arc<dyn Admission>,
    ) -> Option<Self> {
        let table = served.table?;
        let signal = registry.signal(table)?;
        let prefix = prefix(served, namespace);
        Some(Self {
            served: Arc::clone(served),
            table,
            prefix,
            selection,
            cursor: after,
            signal,
            ended: served.ended.subscribe(),
            session,
            registry,
        })
    }

    /// The revision up to which everything has been read.
    pub(crate) fn cursor(&self) -> u64 {
        self.cursor
    }

    pub(crate) fn served(&self) -> &Served {
        &self.served
    }

    /// The objects of the next changes, at most `max`: before and after, in the stored version.
    pub(crate) fn ahead(&self, max: usize) -> Vec<Arc<Stored>> {
        let state = self.registry.read();
        let Ok(changes) = state.store.changes(self.table, self.cursor) else { return Vec::new() };
        let own = changes.take(max).filter(|change| change.key.starts_with(&self.prefix));
        own.flat_map(|change| [Some(&change.value), change.previous.as_ref()]).flatten().cloned().collect()
    }

    /// The next changes, at most `max`, oldest first, in the served version. Empty if there are none yet.
    pub(crate) fn take(&mut self, max: usize) -> Result<Vec<WatchItem>, Interrupted> {
        // Mark the signal as seen before reading: a later write then signals again.
        self.signal.borrow_and_update();
        let registry = Arc::clone(&self.registry);
        let state = registry.read();
        let mut items = Vec::new();
        for change in state.store.changes(self.table, self.cursor)? {
            if items.len() == max {
                return Ok(items);
            }
            let seen = match self.seen(change) {
                Ok(seen) => seen,
                // Send the changes before it first.
                Err(_) if !items.is_empty() => return Ok(items),
                Err(error) => return Err(error.into()),
            };
            self.cursor = change.revision;
            items.extend(seen);
        }
        self.cursor = self.cursor.max(state.store.revision());
        Ok(items)
    }

    /// Completes when [`take`](Self::take) may return new changes.
    pub(crate) async fn wait(&mut self) {
        // The senders live as long as the registry and the resource, which are held here.
        tokio::select! {
            _ = self.signal.changed() => {}
            _ = self.ended.changed() => {}
        }
    }

    /// Whether the resource is no longer served, or has changed. Then the watch is over.
    pub(crate) fn is_over(&self) -> bool {
        *self.ended.borrow()
    }

    fn seen(&self, change: &Change<Arc<Stored>>) -> Result<Option<WatchItem>, ConversionError> {
        if !change.key.starts_with(&self.prefix) {
            return Ok(None);
        }
        let shown = |stored: &Arc<Stored>| self.served.shown(stored, Some(&*self.session));
        let selected = |stored: &Arc<Stored>| -> Result<bool, ConversionError> {
            Ok(self.selection.is_everything() || self.selection.matches(&self.served, &shown(stored)?.object))
        };
        let is = !change.deleted && selected(&change.value)?;
        let was = match &change.previous {
            Some(previous) => selected(previous)?,
            None => false,
        };
        if !was && !is {
            return Ok(None);
        }
        let object = shown(&change.value)?;
        Ok(match (was, is) {
            (false, false) => None,
            (false, true) => Some(WatchItem { kind: WatchEventType::Added, object }),
            (true, true) => Some(WatchItem { kind: WatchEventType::Modified, object }),
            (true, false) if change.deleted => Some(WatchItem { kind: WatchEventType::Deleted, object }),
            // It no longer matches. For this watch it is deleted, in its last state, at the revision of the change.
            (true, false) => {
                let Some(previous) = &change.previous else { return Ok(None) };
                let mut last = shown(previous)?.object.clone();
                last.set_resource_version(change.revision.to_string());
                Some(WatchItem { kind: WatchEventType::Deleted, object: Arc::new(Stored::new(last)) })
            }
        })
    }
}
