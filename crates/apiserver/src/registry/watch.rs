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

/// A client's view on the changes of a resource: a place in the history, and which objects it sees.
///
/// It holds no event. What it has not read yet is in the store's window, and what has left the window is lost to it.
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
    /// Who converts what is seen.
    session: Arc<dyn Admission>,
}

/// Why there is nothing more to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Interrupted {
    /// What comes next is no longer kept; this is.
    Compacted(u64),
    /// What comes next has not been converted yet.
    Pending,
    /// What comes next can't be converted.
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

/// A change as one watch sees it.
#[derive(Clone, Debug)]
pub(crate) struct WatchItem {
    pub(crate) kind: WatchEventType,
    pub(crate) object: Arc<Stored>,
}

impl Watch {
    /// Follows a resource after a revision; `None` where the resource has no objects.
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

    /// What the next changes, at most `max`, are about: now and before, as it is stored.
    pub(crate) fn ahead(&self, max: usize) -> Vec<Arc<Stored>> {
        let state = self.registry.read();
        let Ok(changes) = state.store.changes(self.table, self.cursor) else { return Vec::new() };
        let own = changes.take(max).filter(|change| change.key.starts_with(&self.prefix));
        own.flat_map(|change| [Some(&change.value), change.previous.as_ref()]).flatten().cloned().collect()
    }

    /// The next changes, at most `max`, oldest first, as this version shows them; none when there are none yet.
    pub(crate) fn take(&mut self, max: usize) -> Result<Vec<WatchItem>, Interrupted> {
        // Marked before looking: a write behind the look is a signal still to come.
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
                // What comes before is sent first.
                Err(_) if !items.is_empty() => return Ok(items),
                Err(error) => return Err(error.into()),
            };
            self.cursor = change.revision;
            items.extend(seen);
        }
        self.cursor = self.cursor.max(state.store.revision());
        Ok(items)
    }

    /// Ends when there may be changes that [`take`](Self::take) has not given.
    pub(crate) async fn wait(&mut self) {
        // The senders live as long as the registry and the resource, which are held here.
        tokio::select! {
            _ = self.signal.changed() => {}
            _ = self.ended.changed() => {}
        }
    }

    /// Whether the resource is no longer served, or not as it was: there is nothing more to come.
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
            // It no longer matches: to this watch it is gone, as it last was, at the revision of the change.
            (true, false) => {
                let Some(previous) = &change.previous else { return Ok(None) };
                let mut last = shown(previous)?.object.clone();
                last.set_resource_version(change.revision.to_string());
                Some(WatchItem { kind: WatchEventType::Deleted, object: Arc::new(Stored::new(last)) })
            }
        })
    }
}
