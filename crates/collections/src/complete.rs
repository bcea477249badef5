//! [`Incomplete`]: why entries may be missing from the collections of a graph.

use std::fmt;

use crate::core::engine::Engine;
use crate::{Graph, LiveSnapshot};

/// Why entries may be missing from the collections of a graph. While one of these holds, the absence of an entry proves
/// nothing: nobody should delete something because it is not derived.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Incomplete {
    /// The first content of inputs is still to come.
    NotSynced {
        /// The number of these inputs.
        inputs: usize,
    },
    /// The server has objects that could not be decoded: they are absent, or an older version is present.
    Undecodable {
        /// The collection of the informer.
        collection: String,
        /// The number of these objects; 0 if all of them can be decoded by now, and the collection does not have them yet.
        objects: usize,
    },
    /// An informer has stopped: its collection stays as it was.
    Stopped {
        /// The collection of the informer.
        collection: String,
    },
    /// A file can't be read or does not parse: its last good content is present.
    Unreadable {
        /// The collection of the file.
        collection: String,
        /// The error.
        error: String,
    },
    /// A function has panicked: its entries are absent or out of date.
    Failed {
        /// The collection of the function.
        collection: String,
        /// The number of entries for which it has panicked.
        entries: usize,
    },
}

impl Graph {
    /// Returns all collections as they are now, if no entry is missing from them: every input has its first content, no informer
    /// has stopped, no object of one is undecodable, every file can be read, and no function has panicked.
    ///
    /// Only such a snapshot proves that something is *not* derived. Changes that are on their way from the server are not
    /// in it, as in any snapshot.
    ///
    /// It costs more than [`snapshot`](Self::snapshot): each informer and each function is asked. After an informer has met an object that it
    /// could not decode, all of its objects are compared with the collection, until they agree once.
    ///
    /// ```
    /// use client_rs_collections::{Graph, Incomplete};
    ///
    /// let graph = Graph::new();
    /// let pods = graph.input::<&str, u32>("pods").awaiting_sync(&graph);
    /// assert_eq!(graph.complete().unwrap_err(), Incomplete::NotSynced { inputs: 1 });
    /// pods.insert("web", 1);
    /// pods.mark_synced();
    /// graph.flush();
    /// assert_eq!(graph.complete().unwrap().len(&pods), 1);
    /// ```
    pub fn complete(&self) -> Result<LiveSnapshot, Incomplete> {
        let mut engine = self.lock();
        match missing(&engine, self.unsynced_inputs()) {
            Some(incomplete) => Err(incomplete),
            None => Ok(LiveSnapshot::new(&mut engine, self.id())),
        }
    }
}

/// Returns the first reason in the order in which the collections advance.
fn missing(engine: &Engine, unsynced: usize) -> Option<Incomplete> {
    if unsynced > 0 {
        return Some(Incomplete::NotSynced { inputs: unsynced });
    }
    let entries = engine.nodes.entries.iter();
    let mut nodes: Vec<_> = entries.filter_map(|entry| Some((entry.order, entry.node.as_deref()?))).collect();
    nodes.sort_unstable_by_key(|(order, _)| *order);
    nodes.iter().find_map(|(_, node)| {
        node.missing().or_else(|| {
            let entries = node.failed(&engine.nodes).rows + node.store().failed();
            let collection = || node.store().name().to_owned();
            (entries > 0).then(|| Incomplete::Failed { collection: collection(), entries })
        })
    })
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSynced { inputs } => write!(f, "{inputs} inputs do not have their first content"),
            Self::Undecodable { collection, objects } => {
                write!(f, "{objects} objects of {collection} can't be decoded, or were not until now")
            }
            Self::Stopped { collection } => write!(f, "the informer of {collection} has stopped"),
            Self::Unreadable { collection, error } => {
                write!(f, "the file of {collection} can't be used: {error}")
            }
            Self::Failed { collection, entries } => {
                write!(f, "the function of {collection} has panicked for {entries} entries")
            }
        }
    }
}

impl std::error::Error for Incomplete {}
