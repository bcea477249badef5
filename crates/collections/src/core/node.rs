//! [`Node`]: a collection in the graph, of any type, and [`Nodes`]: all of them.

use std::any::Any;

use client_rs_cache::Collection;
use client_rs_machinery::Str;

use super::parallel::Parallel;
use super::reader::{Edge, Place};
use super::store::{AnyStore, Store};
use crate::{Incomplete, Key};

/// A collection in the graph.
pub(crate) trait Node: Send + Sync {
    fn store(&self) -> &dyn AnyStore;

    fn store_mut(&mut self) -> &mut dyn AnyStore;

    fn as_any_mut(&mut self) -> &mut dyn Any;

    /// Marks a row: something that it has read has changed.
    fn mark(&mut self, row: u32);

    /// Marks a row whose guards decide.
    fn mark_guarded(&mut self, row: u32);

    /// Marks the row of an input's slot.
    fn mark_from(&mut self, tag: u32, slot: u32);

    /// Computes the marked rows. The changes are in the store, not yet published.
    fn advance(&mut self, nodes: &mut Nodes, me: Identity);

    /// Registers with its inputs, and marks all rows.
    fn attach(&mut self, nodes: &mut Nodes, me: u32);

    /// Returns all edges and leaves its inputs.
    fn detach(&mut self, nodes: &mut Nodes, me: u32);

    fn work(&self) -> Work;

    /// Returns the rows whose function has panicked.
    fn failed(&self, nodes: &Nodes) -> Failed;

    /// Returns the message of the panic of an entry's function, if the entry is still its last output.
    fn failure(&self, nodes: &Nodes, slot: u32) -> Option<String>;

    /// Returns why an input lacks entries that its source has.
    fn missing(&self) -> Option<Incomplete> {
        None
    }

    /// Discards what is staged, except what came from an inbox.
    fn discard(&mut self) {}

    /// Notes the versions of the informer of an input, if none are noted.
    fn note_versions(&mut self) {}

    /// Returns the versions that the informer of an input had with the changes that the input has, if they are noted.
    fn versions(&self) -> &[(Collection, Str)] {
        &[]
    }

    /// Returns the things that an entry was computed from. Empty for an input.
    fn origins(&self, nodes: &Nodes, slot: u32) -> Vec<Origin>;
}

/// A node's place in the graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity {
    pub(crate) slot: u32,
    pub(crate) order: u64,
    pub(crate) graph: u64,
}

/// The work that a node has done.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    /// The number of functions computed.
    pub(crate) computed: u64,
    /// The number of functions that panicked.
    pub(crate) panics: u64,
    /// The time in functions and their bookkeeping, in nanoseconds. An estimate: see `Derived::advance`.
    pub(crate) nanos: u64,
    /// The number of advances with few rows.
    pub(crate) small: u64,
}

/// The rows of a node whose function has panicked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failed {
    pub(crate) rows: usize,
    /// The key and the message of one of them.
    pub(crate) first: Option<(String, String)>,
}

/// One thing that an entry was computed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(crate) source: u32,
    pub(crate) place: Place,
    pub(crate) token: u32,
}

/// The nodes of a graph, by slot. A node that advances is taken out.
#[derive(Default)]
pub(crate) struct Nodes {
    pub(crate) entries: Vec<Entry>,
    /// Nodes whose slots may be free at the end of the epoch.
    pub(crate) sweeps: Vec<u32>,
    pub(crate) parallel: Parallel,
}

pub(crate) struct Entry {
    pub(crate) node: Option<Box<dyn Node>>,
    pub(crate) order: u64,
    pub(crate) scheduled: bool,
    /// Whether `sweeps` has it.
    swept: bool,
}

impl Nodes {
    pub(crate) fn node(&self, slot: u32) -> Option<&dyn Node> {
        self.entries.get(slot as usize)?.node.as_deref()
    }

    pub(crate) fn node_mut(&mut self, slot: u32) -> Option<&mut Box<dyn Node>> {
        self.entries.get_mut(slot as usize)?.node.as_mut()
    }

    /// Returns the store of a collection that a handle keeps.
    pub(crate) fn store<K: Key, V: Send + Sync + 'static>(&self, slot: u32) -> &Store<K, V> {
        let node = self.node(slot).expect("a handle keeps its collection");
        node.store().as_any().downcast_ref().expect("a handle has the types of its collection")
    }

    pub(crate) fn store_mut<K: Key, V: Send + Sync + 'static>(&mut self, slot: u32) -> &mut Store<K, V> {
        let node = self.node_mut(slot).expect("a handle keeps its collection");
        node.store_mut().as_any_mut().downcast_mut().expect("a handle has the types of its collection")
    }

    /// Adds a node and returns its slot.
    pub(crate) fn insert(&mut self, node: Box<dyn Node>, order: u64) -> u32 {
        let entry = Entry { node: Some(node), order, scheduled: false, swept: false };
        if let Some(slot) = self.entries.iter().position(|entry| entry.node.is_none()) {
            self.entries[slot] = entry;
            return u32::try_from(slot).expect("it was a u32 before");
        }
        self.entries.push(entry);
        u32::try_from(self.entries.len() - 1).expect("a graph has fewer than 2^31 collections")
    }

    /// Sweeps the node's store when the epoch is over.
    pub(crate) fn sweep_later(&mut self, slot: u32) {
        if let Some(entry) = self.entries.get_mut(slot as usize)
            && !entry.swept
        {
            entry.swept = true;
            self.sweeps.push(slot);
        }
    }

    pub(crate) fn sweep(&mut self) {
        while let Some(slot) = self.sweeps.pop() {
            let Some(entry) = self.entries.get_mut(slot as usize) else { continue };
            entry.swept = false;
            if let Some(node) = &mut entry.node {
                node.store_mut().sweep();
            }
        }
    }

    pub(crate) fn unlink(&mut self, edge: Edge, reader: super::reader::Reader) {
        if let Some(node) = self.node_mut(edge.source) {
            node.store_mut().unlink(edge, reader);
            self.sweep_later(edge.source);
        }
    }

    pub(crate) fn link(&mut self, edge: Edge, reader: super::reader::Reader) {
        if let Some(node) = self.node_mut(edge.source) {
            node.store_mut().link(edge, reader);
        }
    }
}
