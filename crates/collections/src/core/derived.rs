//! [`Derived`]: a node whose entries a [`Rule`] computes, row by row.

use std::any::Any;
use std::time::Instant;

use client_rs_machinery::hash::HashMap;

use super::failure::caught;
use super::look::{Guard, Look, Read, Reads};
use super::marked::Marked;
use super::node::{Failed, Identity, Node, Nodes, Origin, Work};
use super::parallel;
use super::reader::{Edge, Reader};
use super::scratch::emptied;
use super::store::{AnyStore, Store};
use super::wakes::UNCHANGED;
use crate::Key;

/// How the rows of a node are computed, and what becomes of their outputs.
pub(crate) trait Rule: Send + Sync + 'static {
    type K: Key;
    type V: Send + Sync + 'static;
    /// The output of a row.
    type Out: Send;

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

    /// Whether an output is the one that a row has. Only for rules that ignore changes of their input.
    fn is_current(&self, _store: &Store<Self::K, Self::V>, _row: u32, _out: &Self::Out) -> bool {
        true
    }

    fn detach(&self, nodes: &mut Nodes, me: u32);

    /// Returns the text of the key that a row is computed for.
    fn row_text(&self, nodes: &Nodes, store: &Store<Self::K, Self::V>, row: u32) -> String;

    /// Returns the rows that an entry comes from, and the inputs of these rows.
    fn rows_of(&self, nodes: &Nodes, store: &Store<Self::K, Self::V>, slot: u32) -> Vec<(u32, Vec<Origin>)>;
}

pub(crate) struct Derived<R: Rule> {
    rule: R,
    store: Store<R::K, R::V>,
    /// The rows up to the last one that has ever read something.
    rows: Vec<Edges>,
    /// The guards of the rows up to the last one that has ever had some.
    guards: Vec<Box<[Guard]>>,
    /// The rows to compute.
    marked: Marked,
    guarded: Vec<u32>,
    /// Changed slots of inputs, each with its tag.
    from: Vec<(u32, u32)>,
    /// The rows whose function has panicked, with the message. They have their last output, or none.
    failed: HashMap<u32, String>,
    reads: Reads,
    edges: Vec<Edge>,
    work: Work,
}

/// The things that a row has read, in their order. Most rows read one.
#[derive(Default)]
enum Edges {
    #[default]
    None,
    One(Edge),
    Many(Box<[Edge]>),
}

impl Edges {
    fn as_slice(&self) -> &[Edge] {
        match self {
            Self::None => &[],
            Self::One(edge) => std::slice::from_ref(edge),
            Self::Many(edges) => edges,
        }
    }
}

impl From<&[Edge]> for Edges {
    fn from(edges: &[Edge]) -> Self {
        match edges {
            [] => Self::None,
            [edge] => Self::One(*edge),
            edges => Self::Many(edges.into()),
        }
    }
}

/// The result of one function: its output, or the message of its panic, and what it has read until then.
pub(crate) struct Computed<T> {
    row: u32,
    out: Result<T, String>,
    reads: Reads,
}

/// An advance with at least this many rows is always timed. Of smaller ones, one in `SAMPLE` is, and counts for all
/// of them: the clock would cost as much as the rows.
const ALWAYS_TIMED: usize = 64;
const SAMPLE: u64 = 32;

impl<R: Rule> Derived<R> {
    pub(crate) fn new(rule: R, store: Store<R::K, R::V>) -> Self {
        Self {
            rule,
            store,
            rows: Vec::new(),
            guards: Vec::new(),
            marked: Marked::default(),
            guarded: Vec::new(),
            from: Vec::new(),
            failed: HashMap::default(),
            reads: Reads::default(),
            edges: Vec::new(),
            work: Work::default(),
        }
    }

    /// Computes a row. It changes nothing, so that rows may be computed on several threads.
    fn compute(&self, nodes: &Nodes, me: Identity, row: u32, reads: Reads) -> Computed<R::Out> {
        let look = Look::new(nodes, me, self.edges_of(row), reads);
        let out = caught(|| self.rule.compute(&self.store, row, &look));
        let reads = look.into_reads();
        if cfg!(debug_assertions) {
            self.check_pure(nodes, me, row, &out, &reads);
        }
        Computed { row, out, reads }
    }

    /// Takes over the result of a row. A row whose function has panicked keeps its output. It is computed again when
    /// something changes that it has read before the panic.
    fn settle(&mut self, nodes: &mut Nodes, me: Identity, computed: Computed<R::Out>) -> Reads {
        let Computed { row, out, mut reads } = computed;
        self.work.computed += 1;
        self.keep(nodes, me.slot, row, &mut reads);
        match out {
            Ok(out) => {
                if !self.failed.is_empty() {
                    self.failed.remove(&row);
                }
                self.rule.commit(nodes, &mut self.store, row, out);
            }
            Err(message) => {
                let key = self.rule.row_text(nodes, &self.store, row);
                let collection = &self.store.name;
                tracing::error!(collection, key, message, "a function of a derived collection panicked");
                self.work.panics += 1;
                self.failed.insert(row, message);
            }
        }
        reads
    }

    /// Computes a row once more: a pure function returns the same, and reads the same.
    fn check_pure(&self, nodes: &Nodes, me: Identity, row: u32, out: &Result<R::Out, String>, reads: &Reads) {
        let look = Look::new(nodes, me, self.edges_of(row), Reads::default());
        let again = caught(|| self.rule.compute(&self.store, row, &look));
        let name = &self.store.name;
        let same = match (out, &again) {
            (Ok(out), Ok(again)) => self.rule.same(out, again),
            (Err(_), Err(_)) => true,
            _ => false,
        };
        assert!(
            same,
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
        let at = row as usize;
        if reads.list.is_empty() && self.edges_of(row).is_empty() {
            return;
        }
        if self.rows.len() <= at {
            self.rows.resize_with(at + 1, Edges::default);
        }
        if !reads.guards.is_empty() && self.guards.len() <= at {
            self.guards.resize_with(at + 1, Box::default);
        }
        if let Some(guards) = self.guards.get_mut(at) {
            *guards = reads.guards.drain(..).collect();
        }
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
        let known = self.rows[at].as_slice();
        if edges[..] != *known {
            for edge in known.iter().filter(|edge| edges.binary_search(edge).is_err()) {
                nodes.unlink(*edge, Reader::new(me, row, edge.guarded));
            }
            for edge in edges.iter().filter(|edge| known.binary_search(edge).is_err()) {
                nodes.link(*edge, Reader::new(me, row, edge.guarded));
            }
            self.rows[at] = edges.as_slice().into();
        }
        edges.clear();
        self.edges = edges;
    }

    /// Returns what a row has read.
    fn edges_of(&self, row: u32) -> &[Edge] {
        self.rows.get(row as usize).map_or(&[], Edges::as_slice)
    }

    /// Computes the rows that changes of inputs and broken guards concern.
    fn compute_marked(&mut self, nodes: &mut Nodes, me: Identity) {
        let rows = self.marked.take();
        if let Some(threads) = parallel::threads(rows.len(), self.work, nodes.parallel) {
            for some in rows.chunks(parallel::AT_ONCE) {
                let one = |row: u32| self.compute(nodes, me, row, Reads::default());
                for computed in parallel::map(some, threads, &one) {
                    self.settle(nodes, me, computed);
                }
            }
        } else {
            for row in &rows {
                let reads = std::mem::take(&mut self.reads);
                let computed = self.compute(nodes, me, *row, reads);
                self.reads = self.settle(nodes, me, computed);
            }
        }
        self.marked.reuse(emptied(rows));
    }

    /// Marks the rows that an advance has to compute.
    fn mark_all(&mut self, nodes: &Nodes, me: Identity) {
        let mut from = std::mem::take(&mut self.from);
        let mut unchanged = Vec::new();
        for (tag, slot) in from.drain(..) {
            let row = self.rule.row(nodes, &mut self.store, tag & !UNCHANGED, slot);
            if tag & UNCHANGED == 0 {
                self.mark(row);
            } else {
                unchanged.push(row);
            }
        }
        self.from = emptied(from);
        let mut guarded = std::mem::take(&mut self.guarded);
        for row in guarded.drain(..) {
            let guards = self.guards.get(row as usize).map_or(&[][..], |guards| guards);
            // A part that panics decides nothing: its function is computed again, and reports it.
            let hold = || caught(|| guards.iter().all(|holds| holds(nodes))).unwrap_or(false);
            if !self.marked.has(row) && !hold() {
                self.mark(row);
            }
        }
        self.guarded = emptied(guarded);
        for row in unchanged {
            if !self.marked.has(row) && !self.failed.contains_key(&row) {
                self.check_ignored(nodes, me, row);
            }
        }
    }

    /// Computes a row whose input is the same, as a comparison said: then the output is the same, too.
    fn check_ignored(&self, nodes: &Nodes, me: Identity, row: u32) {
        let look = Look::new(nodes, me, self.edges_of(row), Reads::default());
        let out = caught(|| self.rule.compute(&self.store, row, &look));
        let name = &self.store.name;
        assert!(
            out.is_ok_and(|out| self.rule.is_current(&self.store, row, &out)),
            "the comparison of collection {name:?} is wrong: it said that two inputs are the same, but their outputs differ"
        );
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
        self.marked.add(row);
    }

    fn mark_guarded(&mut self, row: u32) {
        self.guarded.push(row);
    }

    fn mark_from(&mut self, tag: u32, slot: u32) {
        self.from.push((tag, slot));
    }

    fn advance(&mut self, nodes: &mut Nodes, me: Identity) {
        let rows = self.from.len() + self.guarded.len() + self.marked.len();
        let weight = if rows >= ALWAYS_TIMED {
            1
        } else {
            self.work.small += 1;
            if self.work.small % SAMPLE == 1 { SAMPLE } else { 0 }
        };
        let began = (weight > 0).then(Instant::now);
        self.mark_all(nodes, me);
        self.compute_marked(nodes, me);
        self.rule.finish(nodes, &mut self.store);
        if let Some(began) = began {
            let nanos = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
            self.work.nanos = self.work.nanos.saturating_add(nanos.saturating_mul(weight));
        }
    }

    fn attach(&mut self, nodes: &mut Nodes, me: u32) {
        self.from = self.rule.attach(nodes, me);
    }

    fn detach(&mut self, nodes: &mut Nodes, me: u32) {
        for (row, known) in (0..).zip(&self.rows) {
            for edge in known.as_slice() {
                nodes.unlink(*edge, Reader::new(me, row, edge.guarded));
            }
        }
        self.rule.detach(nodes, me);
    }

    fn work(&self) -> Work {
        self.work
    }

    fn failed(&self, nodes: &Nodes) -> Failed {
        // The lowest row, so that the answer does not depend on hashes.
        let first = self.failed.iter().min_by_key(|(row, _)| **row);
        let first =
            first.map(|(row, message)| (self.rule.row_text(nodes, &self.store, *row), message.clone()));
        Failed { rows: self.failed.len(), first }
    }

    fn failure(&self, nodes: &Nodes, slot: u32) -> Option<String> {
        if self.failed.is_empty() {
            return None;
        }
        let rows = self.rule.rows_of(nodes, &self.store, slot);
        rows.iter().find_map(|(row, _)| self.failed.get(row).cloned())
    }

    fn origins(&self, nodes: &Nodes, slot: u32) -> Vec<Origin> {
        let mut origins = Vec::new();
        for (row, inputs) in self.rule.rows_of(nodes, &self.store, slot) {
            origins.extend(inputs);
            origins.extend(self.edges_of(row).iter().map(|edge| Origin {
                source: edge.source,
                place: edge.place,
                token: edge.token,
            }));
        }
        origins
    }
}
