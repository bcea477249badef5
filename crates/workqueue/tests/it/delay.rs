//! Delayed adds, in paused time.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use client_rs_workqueue::WorkQueue;
use tokio::time::{Instant, advance, sleep, timeout};

const MS: Duration = Duration::from_millis(1);

fn keys(queue: &WorkQueue<&'static str>) -> Vec<&'static str> {
    std::iter::from_fn(|| queue.try_get().map(|item| *item)).collect()
}

#[tokio::test(start_paused = true)]
async fn t2_2_01_a_key_appears_only_after_its_delay() {
    let queue = WorkQueue::default();
    queue.add_after("foo", 50 * MS);
    assert_eq!((queue.len(), queue.waiting()), (0, 1));
    advance(49 * MS).await;
    assert_eq!(queue.len(), 0);
    advance(MS).await;
    assert_eq!((queue.len(), queue.waiting()), (1, 0));
    assert_eq!(keys(&queue), ["foo"]);
    advance(10_000 * MS).await;
    assert_eq!(queue.len(), 0, "once only");
}

#[tokio::test(start_paused = true)]
async fn t2_2_02_of_two_delays_the_earlier_stays_and_fires_once() {
    let queue = WorkQueue::default();
    queue.add_after("foo", 50 * MS);
    queue.add_after("foo", 30 * MS);
    queue.add_after("foo", 60 * MS);
    assert_eq!(queue.waiting(), 1);
    advance(29 * MS).await;
    assert_eq!(queue.len(), 0);
    advance(MS).await;
    assert_eq!(keys(&queue), ["foo"]);
    advance(100 * MS).await;
    assert_eq!(queue.len(), 0);
}

#[tokio::test(start_paused = true)]
async fn t2_2_03_a_shorter_delay_overtakes_a_waiting_one() {
    let queue = WorkQueue::default();
    let start = Instant::now();
    let worker = tokio::spawn({
        let queue = queue.clone();
        async move {
            let mut seen = Vec::new();
            while let Some(item) = queue.get().await {
                seen.push((*item, start.elapsed()));
            }
            seen
        }
    });
    tokio::task::yield_now().await;
    queue.add_after("slow", 1000 * MS);
    tokio::task::yield_now().await;
    queue.add_after("fast", 500 * MS);
    sleep(2000 * MS).await;
    queue.shutdown();
    let seen = worker.await.unwrap();
    assert_eq!(seen.iter().map(|(key, _)| *key).collect::<Vec<_>>(), ["fast", "slow"]);
    for ((_, at), due) in seen.iter().zip([500 * MS, 1000 * MS]) {
        assert!(*at >= due && *at <= due + 2 * MS, "{seen:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn t2_2_04_order_is_by_deadline_however_they_were_added() {
    let queue = WorkQueue::default();
    for (key, delay) in [("d", 40), ("a", 10), ("c", 30), ("b", 20), ("e", 50)] {
        queue.add_after(key, delay * MS);
    }
    advance(25 * MS).await;
    assert_eq!(keys(&queue), ["a", "b"]);
    queue.add_after("before c", MS);
    advance(100 * MS).await;
    assert_eq!(keys(&queue), ["before c", "c", "d", "e"]);
}

#[tokio::test(start_paused = true)]
async fn equal_deadlines_keep_the_order_of_the_calls() {
    let queue = WorkQueue::<u32>::default();
    (0..1000).for_each(|key| queue.add_after(key, 5 * MS));
    advance(5 * MS).await;
    let out: Vec<u32> = std::iter::from_fn(|| queue.try_get().map(|item| *item)).collect();
    assert_eq!(out, (0..1000).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn a_zero_delay_is_immediate_and_a_huge_delay_never_ends() {
    let queue = WorkQueue::default();
    queue.add_after("now", Duration::ZERO);
    assert_eq!(keys(&queue), ["now"]);
    queue.add_after("never", Duration::MAX);
    queue.add_after("in 584 years", Duration::from_nanos(u64::MAX));
    queue.add_after("in a century", Duration::from_hours(24 * 36_525));
    assert_eq!((queue.len(), queue.waiting()), (0, 3));
    let waits = timeout(Duration::from_hours(24 * 400), queue.get()).await;
    assert!(waits.is_err(), "a worker may wait in the meantime");
    queue.add_after("never", MS);
    assert_eq!(*queue.get().await.unwrap(), "never");
}

#[tokio::test(start_paused = true)]
async fn a_delayed_key_that_is_added_at_once_also_comes_later() {
    let queue = WorkQueue::default();
    queue.add_after("foo", 50 * MS);
    queue.add("foo");
    assert_eq!(keys(&queue), ["foo"]);
    assert_eq!(queue.waiting(), 1);
    advance(50 * MS).await;
    let item = queue.try_get().unwrap();
    queue.add_after("foo", 10 * MS);
    advance(10 * MS).await;
    assert!(queue.try_get().is_none(), "due, but in progress");
    item.done();
    assert_eq!(keys(&queue), ["foo"]);
}

#[tokio::test(start_paused = true)]
async fn shutting_down_drops_keys_that_are_not_due() {
    let queue = WorkQueue::default();
    queue.add_after("due", 10 * MS);
    queue.add_after("not due", 100 * MS);
    advance(10 * MS).await;
    queue.shutdown();
    queue.add_after("late", MS);
    assert_eq!(queue.waiting(), 0);
    assert_eq!(*queue.get().await.unwrap(), "due");
    assert!(queue.get().await.is_none());
    advance(1000 * MS).await;
    assert_eq!(queue.len(), 0);
}

/// One worker is the timekeeper; when it ends or is cancelled, another takes over.
#[tokio::test(start_paused = true)]
async fn another_worker_takes_over_when_the_timekeeper_is_cancelled_or_busy() {
    let queue = WorkQueue::<u32>::default();
    for key in 0..4 {
        queue.add_after(key, (10 + 10 * key) * MS);
    }
    let mut first = Box::pin(queue.get());
    assert!(first.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    let workers: Vec<_> = (0..3)
        .map(|_| {
            let queue = queue.clone();
            tokio::spawn(async move {
                let item = queue.get().await.unwrap();
                sleep(10_000 * MS).await;
                *item
            })
        })
        .collect();
    tokio::task::yield_now().await;
    drop(first);
    sleep(35 * MS).await;
    assert_eq!((queue.processing(), queue.waiting()), (3, 1));
    let last = pin!(queue.get()).await.unwrap();
    assert_eq!(*last, 3);
    let mut seen = Vec::new();
    for worker in workers {
        seen.push(worker.await.unwrap());
    }
    seen.sort_unstable();
    assert_eq!(seen, [0, 1, 2]);
}

/// The real clock, with a deadline of a microsecond: a thread sleeps until then.
#[test]
fn threads_wait_for_deadlines_without_a_runtime() {
    let queue = WorkQueue::default();
    queue.add_after("soon", Duration::from_micros(1));
    assert_eq!(*queue.get_blocking().unwrap(), "soon");
}
