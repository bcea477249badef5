//! Watch.

use std::sync::Arc;

use client_rs_machinery::wire::EventType;
use tokio::sync::watch as signal;

use super::catalog::Served;
use super::list::prefix;
use super::{Registry, Selection, Stored};
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
}

/// A change as one watch sees it.
#[derive(Clone, Debug)]
pub(crate) struct WatchItem {
    pub(crate) kind: EventType,
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

    /// The next changes, at most `max`, oldest first; none when there are none yet.
    pub(crate) fn take(&mut self, max: usize) -> Result<Vec<WatchItem>, Compacted> {
        // Marked before looking: a write behind the look is a signal still to come.
        self.signal.borrow_and_update();
        let registry = Arc::clone(&self.registry);
        let state = registry.read();
        let mut items = Vec::new();
        for change in state.store.changes(self.table, self.cursor)? {
            if items.len() == max {
                return Ok(items);
            }
            self.cursor = change.revision;
            items.extend(self.seen(change));
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

    fn seen(&self, change: &Change<Arc<Stored>>) -> Option<WatchItem> {
        if !change.key.starts_with(&self.prefix) {
            return None;
        }
        let selected = |stored: &Arc<Stored>| {
            self.selection.is_everything()
                || self.selection.matches(&self.served, &self.served.shown(stored).object)
        };
        let is = !change.deleted && selected(&change.value);
        let was = change.previous.as_ref().is_some_and(selected);
        let object = Arc::clone(&change.value);
        match (was, is) {
            (false, false) => None,
            (false, true) => Some(WatchItem { kind: EventType::Added, object }),
            (true, true) => Some(WatchItem { kind: EventType::Modified, object }),
            (true, false) if change.deleted => Some(WatchItem { kind: EventType::Deleted, object }),
            // It no longer matches: to this watch it is gone, as it last was, at the revision of the change.
            (true, false) => {
                let mut last = change.previous.as_ref()?.object.clone();
                last.set_resource_version(change.revision.to_string());
                Some(WatchItem { kind: EventType::Deleted, object: Arc::new(Stored::new(last)) })
            }
        }
    }
}
