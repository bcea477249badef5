//! The queue without options: order, deduplication, one worker per key, shut-down.

use std::collections::HashMap;
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use client_rs_workqueue::{Item, WorkQueue};

fn queue<K: std::hash::Hash + Eq + Clone + Send + 'static>(
    keys: impl IntoIterator<Item = K>,
) -> WorkQueue<K> {
    let queue = WorkQueue::default();
    keys.into_iter().for_each(|key| queue.add(key));
    queue
}

fn take<K: std::hash::Hash + Eq + Clone + Send + 'static>(queue: &WorkQueue<K>) -> Item<K> {
    queue.try_get().expect("a key is queued")
}

/// Hands out all queued keys and releases each at once.
fn drain<K: std::hash::Hash + Eq + Clone + Send + 'static>(queue: &WorkQueue<K>) -> Vec<K> {
    std::iter::from_fn(|| queue.try_get().map(|item| item.key().clone())).collect()
}

fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn t2_1_01_fifty_producers_ten_workers_all_processed_none_twice_at_once() {
    let queue = WorkQueue::<u32>::default();
    let busy: Arc<Vec<AtomicUsize>> = Arc::new((0..50).map(|_| AtomicUsize::new(0)).collect());
    let times = Arc::new(Mutex::new(HashMap::<u32, usize>::new()));
    let mut workers = Vec::new();
    for _ in 0..10 {
        let (queue, busy, times) = (queue.clone(), Arc::clone(&busy), Arc::clone(&times));
        workers.push(tokio::spawn(async move {
            while let Some(item) = queue.get().await {
                let others = busy[*item as usize].fetch_add(1, Ordering::SeqCst);
                assert_eq!(others, 0, "{} is processed twice at once", *item);
                tokio::task::yield_now().await;
                *times.lock().unwrap().entry(*item).or_default() += 1;
                busy[*item as usize].fetch_sub(1, Ordering::SeqCst);
            }
        }));
    }
    let mut producers = Vec::new();
    for key in 0..50 {
        let queue = queue.clone();
        producers.push(tokio::spawn(async move {
            for _ in 0..50 {
                queue.add(key);
                tokio::task::yield_now().await;
            }
        }));
    }
    for producer in producers {
        producer.await.unwrap();
    }
    queue.shutdown();
    queue.add(99);
    for worker in workers {
        worker.await.unwrap();
    }
    let times = times.lock().unwrap();
    assert_eq!(times.len(), 50);
    assert!(times.values().all(|&times| (1..=50).contains(&times)));
}

#[test]
fn t2_1_02_an_add_while_processing_is_processed_once_more() {
    let queue = queue(["foo"]);
    let item = take(&queue);
    queue.add("foo");
    assert!(queue.try_get().is_none(), "one worker per key");
    item.done();
    assert_eq!(drain(&queue), ["foo"]);
    assert!(queue.is_empty());
}

#[test]
fn t2_1_03_len_counts_queued_keys_only() {
    let queue = queue(["foo"]);
    assert_eq!(queue.len(), 1);
    let foo = take(&queue);
    assert_eq!(queue.len(), 0);
    queue.add("bar");
    assert_eq!(queue.len(), 1);
    queue.add("foo");
    assert_eq!(queue.len(), 1, "not yet: it is being processed");
    foo.done();
    assert_eq!(queue.len(), 2);
    let bar = take(&queue);
    assert_eq!((*bar, queue.len(), queue.processing()), ("bar", 1, 1));
}

#[test]
fn t2_1_04_a_key_added_during_processing_comes_once_more_after_done() {
    let queue = queue(["foo"]);
    let first = take(&queue);
    queue.add("foo");
    first.done();
    let second = take(&queue);
    assert_eq!(*second, "foo");
    second.done();
    assert!(queue.try_get().is_none());
}

#[test]
fn t2_1_05_many_adds_before_get_are_one_delivery() {
    let queue = queue(std::iter::repeat_n("foo", 1000));
    assert_eq!(queue.len(), 1);
    assert_eq!(drain(&queue), ["foo"]);
}

#[test]
fn t2_1_06_many_adds_during_processing_are_one_more_delivery() {
    let queue = queue(["foo"]);
    let item = take(&queue);
    (0..1000).for_each(|_| queue.add("foo"));
    item.done();
    assert_eq!(queue.len(), 1);
    assert_eq!(drain(&queue), ["foo"]);
}

#[tokio::test]
async fn t2_1_07_a_drain_waits_for_every_run_in_progress() {
    let queue = queue(["foo", "bar"]);
    let (foo, bar) = (take(&queue), take(&queue));
    let mut drained = pin!(queue.shutdown_with_drain());
    assert!(queue.is_shutting_down(), "at once, not when first polled");
    assert!(poll(drained.as_mut()).is_pending());
    foo.done();
    assert!(poll(drained.as_mut()).is_pending());
    drop(bar);
    drained.await;
    assert!(queue.get().await.is_none());
}

#[test]
fn t2_1_07_a_drain_may_block_a_thread() {
    let queue = queue(["foo"]);
    let foo = take(&queue);
    let drained = queue.shutdown_with_drain();
    let waiting = std::thread::spawn(move || drained.wait_blocking());
    foo.done();
    waiting.join().unwrap();
    queue.shutdown_with_drain().wait_blocking();
}

#[test]
fn t2_1_08_shut_down_returns_while_keys_are_in_progress() {
    let queue = queue(["foo", "bar"]);
    let (_foo, _bar) = (take(&queue), take(&queue));
    queue.shutdown();
    assert_eq!((queue.is_shutting_down(), queue.processing()), (true, 2));
    assert!(queue.get_blocking().is_none());
}

#[tokio::test]
async fn t2_1_09_shut_down_by_another_ends_a_drain() {
    let queue = queue(["foo"]);
    let _stuck = take(&queue);
    let draining = tokio::spawn(queue.shutdown_with_drain());
    tokio::task::yield_now().await;
    assert!(!draining.is_finished());
    queue.shutdown();
    draining.await.unwrap();
    let mut again = pin!(queue.shutdown_with_drain());
    assert!(poll(again.as_mut()).is_pending(), "a drain begun after it waits");
}

#[tokio::test]
async fn t2_1_10_a_key_re_added_before_the_drain_is_handed_out_during_it() {
    let queue = queue(["foo"]);
    let first = take(&queue);
    queue.add("foo");
    let mut drained = pin!(queue.shutdown_with_drain());
    assert!(poll(drained.as_mut()).is_pending());
    let second = first.next().await.expect("it comes again");
    assert!(poll(drained.as_mut()).is_pending(), "and is waited for");
    queue.add("foo");
    second.done();
    drained.await;
    assert!(queue.get().await.is_none(), "the add after the shut-down was ignored");
}

#[test]
fn t2_1_11_keys_that_were_popped_are_not_kept() {
    let queue = WorkQueue::<Arc<str>>::default();
    let keys: Vec<Arc<str>> = (0..300).map(|key| format!("key-{key}").into()).collect();
    let held: Vec<_> = keys.iter().map(Arc::downgrade).collect();
    for key in &keys {
        queue.add(Arc::clone(key));
    }
    for key in keys {
        queue.add(key);
    }
    assert!(held.iter().all(|key| key.strong_count() > 0));
    assert_eq!(drain(&queue).len(), 300);
    assert!(held.iter().all(|key| key.strong_count() == 0));
}

#[test]
fn first_in_first_out_across_thousands() {
    let queue = queue(0..10_000);
    assert_eq!(drain(&queue), (0..10_000).collect::<Vec<_>>());
    (0..10_000).for_each(|key| queue.add(key));
    assert_eq!(queue.len(), 10_000);
    assert_eq!(drain(&queue), (0..10_000).collect::<Vec<_>>());
}

#[test]
fn queued_keys_are_handed_out_after_the_shut_down() {
    let queue = queue([1, 2]);
    queue.shutdown();
    queue.add(3);
    let first = queue.get_blocking().unwrap();
    let second = first.next_blocking().unwrap();
    assert_eq!(*second, 2);
    assert!(second.next_blocking().is_none());
    queue.shutdown();
}

#[tokio::test]
async fn a_waiting_get_is_woken_by_an_add_a_done_and_the_shut_down() {
    let queue = WorkQueue::<&str>::default();
    let worker = tokio::spawn({
        let queue = queue.clone();
        async move {
            let first = queue.get().await.unwrap();
            let second = queue.get().await.unwrap();
            (*first, second.detach(), queue.get().await.is_none())
        }
    });
    tokio::task::yield_now().await;
    queue.add("a");
    tokio::task::yield_now().await;
    queue.add("b");
    tokio::task::yield_now().await;
    queue.shutdown();
    assert_eq!(worker.await.unwrap(), ("a", "b", true));
    assert_eq!(queue.processing(), 1, "detached");
    assert!(queue.done(&"b"));
}

#[tokio::test]
async fn a_cancelled_get_takes_nothing_and_wakes_another_waiter() {
    let queue = WorkQueue::default();
    let mut first = Box::pin(queue.get());
    let mut second = Box::pin(queue.get());
    assert!(poll(first.as_mut()).is_pending());
    assert!(poll(second.as_mut()).is_pending());
    queue.add("only");
    drop(second);
    let woken = tokio::spawn(first);
    assert_eq!(*woken.await.unwrap().unwrap(), "only");
    drop(queue.get());
    assert_eq!(queue.processing(), 0);
}

#[test]
fn next_releases_its_key_even_if_never_polled() {
    let queue = queue(["foo"]);
    drop(take(&queue).next());
    assert_eq!(queue.processing(), 0);
    queue.add("foo");
    assert_eq!(drain(&queue), ["foo"]);
}

#[test]
fn a_panicking_worker_releases_its_key() {
    let queue = queue(["foo"]);
    let worker = queue.clone();
    let panicked = std::thread::spawn(move || {
        let _item = take(&worker);
        worker.add("foo");
        panic!("on purpose");
    });
    assert!(panicked.join().is_err());
    assert_eq!(drain(&queue), ["foo"]);
}

#[test]
fn threads_hand_over_without_loss() {
    let queue = WorkQueue::<u32>::default();
    let count = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| std::iter::from_fn(|| queue.get_blocking().map(Item::done)).count()))
            .collect();
        let producers: Vec<_> = (0..4)
            .map(|producer| {
                let queue = &queue;
                scope.spawn(move || (0..10_000).for_each(|key| queue.add(producer * 10_000 + key)))
            })
            .collect();
        for producer in producers {
            producer.join().unwrap();
        }
        queue.shutdown();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum::<usize>()
    });
    assert_eq!(count, 40_000);
}

/// A worker that never waits still shares its thread.
#[tokio::test]
async fn a_worker_that_is_never_out_of_work_lets_other_tasks_run() {
    let queue = WorkQueue::<usize>::default();
    queue.add(0);
    queue.add(1);
    let worker = tokio::spawn({
        let queue = queue.clone();
        async move {
            let mut processed = 0;
            let mut next = queue.get().await;
            while let Some(item) = next {
                processed += 1;
                if processed < 1_000_000 {
                    queue.add(*item);
                }
                next = item.next().await;
            }
            processed
        }
    });
    tokio::task::yield_now().await;
    queue.shutdown();
    let processed = worker.await.unwrap();
    assert!(processed < 1000, "the other task ran after {processed} keys");
}

/// The key is released at the first poll, also by a task that has used up its budget.
#[tokio::test]
async fn a_task_without_budget_releases_its_key() {
    let queue = WorkQueue::<usize>::default();
    queue.add(1);
    let mut next = std::pin::pin!(queue.get().await.unwrap().next());
    queue.add(1);
    queue.add(2);
    let got = std::future::poll_fn(|context| {
        if queue.processing() == 1 {
            while let Poll::Ready(budget) = tokio::task::coop::poll_proceed(context) {
                budget.made_progress();
            }
            assert!(next.as_mut().poll(context).is_pending());
            assert_eq!((queue.processing(), queue.len()), (0, 2));
            return Poll::Pending;
        }
        next.as_mut().poll(context)
    });
    assert_eq!(got.await.map(Item::detach), Some(2), "the other one came before the release");
}
