//! [`Derived`]: a node whose entries a [`Rule`] computes, row by row.

use std::any::Any;
use std::time::Instant;

use super::look::{Guard, Look, Read, Reads, inside};
use super::node::{Identity, Node, Nodes, Origin, Work};
use super::reader::{Edge, Reader};
use super::store::{AnyStore, Store};
use crate::Key;

/// How the rows of a node are computed, and what becomes of their outputs.
pub(crate) trait Rule: Send + Sync + 'static {
    type K: Key;
    type V: Send + Sync + 'static;
    /// The output of a row. The default is that of a row without input.
    type Out: Default;

    /// Computes a row.
    fn compute(&self, store: &Store<Self::K, Self::V>, row: u32, look: &Look<'_>) -> Self::Out;

    /// Whether two outputs are the same: a pure function returns the same one twice.
    fn same(&self, one: &Self::Out, other: &Self::Out) -> bool;

    /// Takes over the output of a row.
    fn commit(&mut self, nodes: &Nodes, store: &mut Store<Self::K, Self::V>, row: u32, out: Self::Out);

    /// Called after the last row of an epoch.
    fn finish(&mut self, _nodes: &Nodes, _store: &mut Store<Self::K, Self::V>) {}

    /// Returns the row of an input's slot.
    fn row(&mut self, _nodes: &Nodes, _store: &mut Store<Self::K, Self::V>, _tag: u32, slot: u32) -> u32 {
        slot
    }

    /// Registers with the inputs, and returns all slots of them, each with its tag.
    fn attach(&self, nodes: &mut Nodes, me: u32) -> Vec<(u32, u32)>;

    fn detach(&self, nodes: &mut Nodes, me: u32);

    /// Returns the rows that an entry comes from, and the inputs of these rows.
    fn rows_of(&self, nodes: &Nodes, store: &Store<Self::K, Self::V>, slot: u32) -> Vec<(u32, Vec<Origin>)>;
}

pub(crate) struct Derived<R: Rule> {
    rule: R,
    store: Store<R::K, R::V>,
    rows: Vec<Row>,
    dirty: Vec<u32>,
    guarded: Vec<u32>,
    /// Changed slots of inputs, each with its tag.
    from: Vec<(u32, u32)>,
    reads: Reads,
    edges: Vec<Edge>,
    work: Work,
}

/// The things that a row has read.
#[derive(Default)]
struct Row {
    edges: Box<[Edge]>,
    guards: Vec<Guard>,
    dirty: bool,
}

impl<R: Rule> Derived<R> {
    pub(crate) fn new(rule: R, store: Store<R::K, R::V>) -> Self {
        Self {
            rule,
            store,
            rows: Vec::new(),
            dirty: Vec::new(),
            guarded: Vec::new(),
            from: Vec::new(),
            reads: Reads::default(),
            edges: Vec::new(),
            work: Work::default(),
        }
    }

    fn compute(&mut self, nodes: &mut Nodes, me: Identity, row: u32) {
        let look = Look::new(nodes, me, std::mem::take(&mut self.reads));
        let out = inside(|| self.rule.compute(&self.store, row, &look));
        let mut reads = look.into_reads();
        self.work.computed += 1;
        if cfg!(debug_assertions) {
            self.check_pure(nodes, me, row, &out, &reads);
        }
        self.keep(nodes, me.slot, row, &mut reads);
        self.reads = reads;
        self.rule.commit(nodes, &mut self.store, row, out);
    }

    /// Computes a row once more: a pure function returns the same, and reads the same.
    fn check_pure(&self, nodes: &Nodes, me: Identity, row: u32, out: &R::Out, reads: &Reads) {
        let look = Look::new(nodes, me, Reads::default());
        let again = inside(|| self.rule.compute(&self.store, row, &look));
        let name = &self.store.name;
        assert!(
            self.rule.same(out, &again),
            "the function of collection {name:?} is not pure: it returned two values for the same input"
        );
        let again = look.into_reads();
        let edges = |reads: &Reads| -> Vec<Edge> {
            let edge = |read: &Read| match read {
                Read::Known(edge) | Read::Unknown(edge, _) => *edge,
            };
            reads.list.iter().map(edge).collect()
        };
        assert!(
            edges(reads) == edges(&again),
            "the function of collection {name:?} is not pure: it read two things for the same input"
        );
    }

    /// Notes what a row has read, instead of what it had read before.
    fn keep(&mut self, nodes: &mut Nodes, me: u32, row: u32, reads: &mut Reads) {
        let mut edges = std::mem::take(&mut self.edges);
        for read in reads.list.drain(..) {
            edges.push(match read {
                Read::Known(edge) => edge,
                Read::Unknown(mut edge, read) => {
                    let source = nodes.node_mut(edge.source).expect("it was just read");
                    edge.token = source.store_mut().resolve(edge.place, read);
                    nodes.sweep_later(edge.source);
                    edge
                }
            });
        }
        edges.sort_unstable();
        edges.dedup();
        let known = &mut self.rows[row as usize];
        known.guards.clear();
        known.guards.append(&mut reads.guards);
        if edges[..] != known.edges[..] {
            for edge in known.edges.iter().filter(|edge| edges.binary_search(edge).is_err()) {
                nodes.unlink(*edge, Reader::new(me, row, edge.guarded));
            }
            for edge in edges.iter().filter(|edge| known.edges.binary_search(edge).is_err()) {
                nodes.link(*edge, Reader::new(me, row, edge.guarded));
            }
            known.edges = edges.as_slice().into();
        }
        edges.clear();
        self.edges = edges;
    }

    fn ensure(&mut self, row: u32) {
        if self.rows.len() <= row as usize {
            self.rows.resize_with(row as usize + 1, Row::default);
        }
    }
}

impl<R: Rule> Node for Derived<R> {
    fn store(&self) -> &dyn AnyStore {
        &self.store
    }

    fn store_mut(&mut self) -> &mut dyn AnyStore {
        &mut self.store
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn mark(&mut self, row: u32) {
        self.ensure(row);
        let known = &mut self.rows[row as usize];
        if !known.dirty {
            known.dirty = true;
            self.dirty.push(row);
        }
    }

    fn mark_guarded(&mut self, row: u32) {
        self.guarded.push(row);
    }

    fn mark_from(&mut self, tag: u32, slot: u32) {
        self.from.push((tag, slot));
    }

    fn advance(&mut self, nodes: &mut Nodes, me: Identity) {
        let began = Instant::now();
        let mut from = std::mem::take(&mut self.from);
        for (tag, slot) in from.drain(..) {
            let row = self.rule.row(nodes, &mut self.store, tag, slot);
            self.mark(row);
        }
        self.from = from;
        let mut guarded = std::mem::take(&mut self.guarded);
        for row in guarded.drain(..) {
            let known = &self.rows[row as usize];
            if !known.dirty && !inside(|| known.guards.iter().all(|holds| holds(nodes))) {
                self.mark(row);
            }
        }
        self.guarded = guarded;
        let mut dirty = std::mem::take(&mut self.dirty);
        dirty.sort_unstable();
        for row in dirty.drain(..) {
            self.rows[row as usize].dirty = false;
            self.compute(nodes, me, row);
        }
        self.dirty = dirty;
        self.rule.finish(nodes, &mut self.store);
        self.work.nanos += u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
    }

    fn attach(&mut self, nodes: &mut Nodes, me: u32) {
        self.from = self.rule.attach(nodes, me);
    }

    fn detach(&mut self, nodes: &mut Nodes, me: u32) {
        for (row, known) in (0..).zip(&self.rows) {
            for edge in &known.edges {
                nodes.unlink(*edge, Reader::new(me, row, edge.guarded));
            }
        }
        self.rule.detach(nodes, me);
    }

    fn work(&self) -> Work {
        self.work
    }

    fn origins(&self, nodes: &Nodes, slot: u32) -> Vec<Origin> {
        let mut origins = Vec::new();
        for (row, inputs) in self.rule.rows_of(nodes, &self.store, slot) {
            origins.extend(inputs);
            let edges = self.rows.get(row as usize).into_iter().flat_map(|row| row.edges.iter());
            origins.extend(edges.map(|edge| Origin {
                source: edge.source,
                place: edge.place,
                token: edge.token,
            }));
        }
        origins
    }
}
