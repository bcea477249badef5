//! The graph as a state machine: no clock, no I/O, and no threads but those that compute many rows of one node.
//!
//! # Why the promises hold
//!
//! *Terms.* A node is a collection. Its `order` is the number of nodes that were ever made before it. A node has
//! rows: one per key of its input (or per index value, or a single one). A function computes the output of a row.
//! An epoch is one call of [`Engine::advance`].
//!
//! 1. **Nodes read only nodes of a lower order.** A function reads through a `LiveSet` or `LiveIndex` that it
//!    captured, so the node behind it existed before the function's own node. `Look` checks it on each read. So
//!    the graph has no cycle, and the order is a topological one.
//! 2. **Each node advances at most once per epoch, after all that it reads.** The queue returns the waiting node
//!    with the lowest order. A node that advances can only wake nodes of a higher order: its readers, by 1. So the
//!    orders that leave the queue only grow.
//! 3. **No glitch.** By 2, all that a function reads has its final state of the epoch. A function is computed at
//!    most once per row and epoch, because rows are marked before their node advances, and a mark is a flag.
//! 4. **Nothing is missed.** A row's output is a function of its input and of the answers that `Look` returned,
//!    since the function is pure. Each answer has an edge from the thing that was read: a key (with its absence), an
//!    index value (with an empty result), a selector, a label set, or the whole collection. A change of a node
//!    visits the edges of the changed key, of the index values before and after, and of the selectors that match
//!    the labels before or after. So if no edge of a row was visited and its input has not changed, then each read
//!    would return the same answer, and the output would be the same. By induction over the order, each collection
//!    equals its recomputation from scratch, except for rows whose function has panicked (9).
//! 5. **Independent of history.** Reads return entries in the order of their keys, the same output key of two rows
//!    is decided by the order of the input keys, and a union prefers its first input. So functions can't observe the
//!    order in which things happened.
//! 6. **Cut-off is sound.** An output that is equal to the previous one keeps the previous `Arc`, and is not
//!    published. Readers could not distinguish the two. A guard (`Look::part`) compares all that its function has
//!    received from the read.
//! 7. **An observer sees one epoch.** Changes are handed over, and snapshots are taken, between epochs only: both
//!    need the engine, and an epoch borrows it exclusively. A lagging observer keeps the first `old` per key, and
//!    takes `new` from the current state. So all of its collections are merged to the same epoch, and it holds at
//!    most one value per key.
//! 8. **Memory.** A slot lives while it has a value or a reader. Rows return their edges when they are computed
//!    again or end. A removed node returns all edges and observers. Snapshots share unchanged parts, and the last
//!    reader of an old part frees it.
//!
//! 9. **A panic is contained.** A function that panics has changed nothing: it can only read. Its row keeps its output, and gets
//!    the edges of what it had read before the panic. Since it is pure, it would panic again as long as these reads return the same
//!    answers, so nothing is missed by not trying. A row without input calls no function, so a deleted input takes its outputs
//!    along. The function of an index that panics leaves the entry under its old values, and wakes their readers. In both cases the failure is
//!    noted, and `Graph::complete` returns no snapshot.
//! 10. **Threads change nothing.** The rows of one node may be computed on several threads. They read nodes of a lower order, which are
//!     final, and write nothing. Their results are taken over by one thread, in the order of rows.
//!
//! *Not promised:* consistency between inputs. Two informers are two streams: a service may be visible before or
//! after the pods that it was created with.

pub(crate) mod cow_vec;
pub(crate) mod derived;
pub(crate) mod engine;
pub(crate) mod failure;
pub(crate) mod index;
pub(crate) mod input;
pub(crate) mod look;
pub(crate) mod marked;
pub(crate) mod node;
pub(crate) mod parallel;
pub(crate) mod pending;
pub(crate) mod postings;
pub(crate) mod queries;
pub(crate) mod reader;
pub(crate) mod rules;
pub(crate) mod scratch;
pub(crate) mod small_set;
pub(crate) mod store;
pub(crate) mod table;
pub(crate) mod wakes;
