//! Keys whose traits panic, and calls at unusual times.

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};

use client_rs_workqueue::WorkQueue;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Hash,
    Eq,
    Clone,
}

thread_local! {
    /// The current fault of key 13, only for the thread of this test.
    static FAULT: Cell<Option<Fault>> = const { Cell::new(None) };
}

fn fail_if(key: u32, fault: Fault) {
    assert!(key != 13 || FAULT.get() != Some(fault), "{fault:?} panics on purpose");
}

fn with<R>(fault: Fault, action: impl FnOnce() -> R) -> std::thread::Result<R> {
    FAULT.set(Some(fault));
    let outcome = catch_unwind(AssertUnwindSafe(action));
    FAULT.set(None);
    outcome
}

#[derive(Debug)]
struct Key(u32);

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        fail_if(self.0, Fault::Hash);
        self.0.hash(state);
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        fail_if(self.0, Fault::Eq);
        self.0 == other.0
    }
}

impl Eq for Key {}

impl Clone for Key {
    fn clone(&self) -> Self {
        fail_if(self.0, Fault::Clone);
        Self(self.0)
    }
}

fn queue(keys: impl IntoIterator<Item = u32>) -> WorkQueue<Key> {
    let queue = WorkQueue::default();
    keys.into_iter().for_each(|key| queue.add(Key(key)));
    queue
}

fn keys(queue: &WorkQueue<Key>) -> Vec<u32> {
    std::iter::from_fn(|| queue.try_get().map(|item| item.0)).collect()
}

#[test]
fn a_hash_that_panics_changes_nothing() {
    let queue = queue([1]);
    assert!(with(Fault::Hash, || queue.add(Key(13))).is_err());
    queue.add(Key(2));
    assert_eq!(keys(&queue), [1, 2]);
}

#[test]
fn an_eq_that_panics_loses_at_most_that_key() {
    let queue = queue([1, 13]);
    assert_eq!(queue.len(), 2);
    // In the inbox, between other keys: the panic reaches the next caller that reads the queue.
    for key in [2, 13, 3, 4] {
        queue.add(Key(key));
    }
    assert!(with(Fault::Eq, || queue.len()).is_err());
    assert_eq!(queue.len(), 5);
    assert_eq!(keys(&queue), [1, 13, 2, 3, 4]);
    // Straight to the core: the panic reaches the caller that adds.
    queue.add(Key(13));
    let item = queue.try_get().unwrap();
    assert!(with(Fault::Eq, || queue.add_after(Key(13), std::time::Duration::ZERO)).is_err());
    item.done();
    assert!(queue.is_empty());
}

#[test]
fn a_clone_that_panics_removes_only_its_own_key() {
    let queue = queue([13, 1]);
    assert!(with(Fault::Clone, || queue.try_get().map(|item| item.0)).is_err());
    assert_eq!((queue.len(), queue.processing()), (1, 0));
    assert_eq!(keys(&queue), [1]);
    queue.add(Key(13));
    assert_eq!(keys(&queue), [13], "it may come back");
}

#[test]
fn a_clone_that_panics_releases_a_drain() {
    let queue = queue([1, 13]);
    let first = queue.try_get().unwrap();
    let drain = queue.shutdown_with_drain();
    assert!(with(Fault::Clone, || first.next_blocking().map(|item| item.0)).is_err());
    drain.wait_blocking();
    assert!(queue.get_blocking().is_none());
}

#[test]
fn done_of_an_unknown_key_and_a_second_done_do_nothing() {
    let queue = queue([1]);
    assert!(!queue.done(&Key(9)), "never seen");
    assert!(!queue.done(&Key(1)), "queued, not in progress");
    let key = queue.try_get().unwrap().detach();
    assert_eq!(queue.processing(), 1);
    assert!(queue.done(&key));
    assert!(!queue.done(&key));
    assert_eq!(queue.processing(), 0);
}

#[test]
fn dropping_an_item_whose_key_was_released_by_name_does_not_end_the_next_run() {
    let queue = queue([1]);
    let stale = queue.try_get().unwrap();
    assert!(queue.done(&Key(1)));
    queue.add(Key(1));
    let second = queue.try_get().expect("released, so handed out again");
    queue.add(Key(1));
    drop(stale);
    assert_eq!((queue.processing(), queue.len()), (1, 0), "the second run continues");
    second.done();
    assert_eq!(keys(&queue), [1]);
}

#[test]
fn calls_after_the_shut_down_are_ignored() {
    let queue = queue([]);
    queue.shutdown();
    queue.add(Key(1));
    queue.add_after(Key(2), std::time::Duration::from_secs(1));
    queue.add_rate_limited(Key(3));
    queue.forget(&Key(3));
    assert_eq!(queue.num_requeues(&Key(3)), 0, "a refused add is not a failure");
    assert_eq!((queue.len(), queue.waiting()), (0, 0));
    assert!(queue.try_get().is_none() && queue.get_blocking().is_none());
    queue.shutdown_with_drain().wait_blocking();
    queue.shutdown();
    assert!(queue.is_shutting_down());
}

#[test]
fn dropping_a_key_may_use_a_queue() {
    #[derive(Clone)]
    struct Loud(u32, WorkQueue<u32>);
    impl Hash for Loud {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.0.hash(state);
        }
    }
    impl PartialEq for Loud {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }
    impl Eq for Loud {}
    impl Drop for Loud {
        fn drop(&mut self) {
            self.1.add(self.0);
        }
    }
    let heard = WorkQueue::default();
    let queue = WorkQueue::default();
    for key in [1, 1, 2] {
        queue.add(Loud(key, heard.clone()));
    }
    while let Some(item) = queue.try_get() {
        item.done();
    }
    assert_eq!(heard.len(), 2);
}
