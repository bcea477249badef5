//! [`Engine`]: the nodes of a graph, and the epochs in which they advance.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::node::{Identity, Node, Nodes};
use super::scratch::emptied;
use super::wakes::Wakes;

/// The graph as a state machine. Inputs are staged in their nodes; [`advance`](Self::advance) is one epoch.
pub(crate) struct Engine {
    pub(crate) nodes: Nodes,
    pub(crate) epoch: u64,
    graph: u64,
    next_order: u64,
    next_observer: u64,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    wakes: Wakes,
}

impl Engine {
    pub(crate) fn new(graph: u64) -> Self {
        Self {
            nodes: Nodes::default(),
            epoch: 0,
            graph,
            next_order: 0,
            next_observer: 0,
            queue: BinaryHeap::new(),
            wakes: Wakes::default(),
        }
    }

    /// Adds a node and computes it. Returns its slot and order.
    pub(crate) fn add(&mut self, node: Box<dyn Node>) -> (u32, u64) {
        let order = self.next_order;
        self.next_order += 1;
        let slot = self.nodes.insert(node, order);
        let mut node = self.nodes.entries[slot as usize].node.take().expect("it was inserted");
        node.attach(&mut self.nodes, slot);
        self.nodes.entries[slot as usize].node = Some(node);
        self.schedule(slot);
        self.advance();
        (slot, order)
    }

    /// Removes a node that nothing reads any more.
    pub(crate) fn remove(&mut self, slot: u32) {
        let Some(mut node) = self.nodes.entries.get_mut(slot as usize).and_then(|entry| entry.node.take())
        else {
            return;
        };
        node.detach(&mut self.nodes, slot);
        self.nodes.sweep();
        // Its functions may hold handles of other collections, which end with them.
        drop(node);
    }

    pub(crate) fn observer(&mut self) -> u64 {
        self.next_observer += 1;
        self.next_observer
    }

    /// Lets a node advance in the next epoch.
    pub(crate) fn schedule(&mut self, slot: u32) {
        let Some(entry) = self.nodes.entries.get_mut(slot as usize) else { return };
        if !entry.scheduled {
            entry.scheduled = true;
            self.queue.push(Reverse((entry.order, slot)));
        }
    }

    /// Brings all that was staged through the graph, as one epoch. Returns whether something has changed.
    pub(crate) fn advance(&mut self) -> bool {
        let mut changes = 0;
        while let Some(Reverse((order, slot))) = self.queue.pop() {
            let Some(entry) = self.nodes.entries.get_mut(slot as usize) else { continue };
            // A removed node leaves its place in the queue, and another may have its slot now.
            if entry.order != order {
                continue;
            }
            entry.scheduled = false;
            let Some(mut node) = entry.node.take() else { continue };
            node.advance(&mut self.nodes, Identity { slot, order, graph: self.graph });
            let published = node.store_mut().publish(&mut self.wakes);
            changes += published.changes;
            self.nodes.entries[slot as usize].node = Some(node);
            if published.sweep {
                self.nodes.sweep_later(slot);
            }
            self.wake(order);
        }
        self.nodes.sweep();
        if changes > 0 {
            self.epoch += 1;
        }
        changes > 0
    }

    /// Discards all that was staged in this epoch, except what came from inboxes.
    pub(crate) fn discard(&mut self) {
        for node in self.nodes.entries.iter_mut().filter_map(|entry| entry.node.as_mut()) {
            node.discard();
        }
    }

    fn wake(&mut self, order: u64) {
        let mut wakes = std::mem::take(&mut self.wakes);
        for reader in wakes.readers.drain(..) {
            let slot = reader.node();
            let Some(node) = self.nodes.node_mut(slot) else { continue };
            if reader.is_guarded() {
                node.mark_guarded(reader.row);
            } else {
                node.mark(reader.row);
            }
            self.schedule_after(slot, order);
        }
        for (slot, tag, row) in wakes.rows.drain(..) {
            let Some(node) = self.nodes.node_mut(slot) else { continue };
            node.mark_from(tag, row);
            self.schedule_after(slot, order);
        }
        self.wakes = Wakes { readers: emptied(wakes.readers), rows: emptied(wakes.rows) };
    }

    fn schedule_after(&mut self, slot: u32, order: u64) {
        debug_assert!(
            self.nodes.entries[slot as usize].order > order,
            "nodes wake only nodes of a higher order"
        );
        self.schedule(slot);
    }
}
