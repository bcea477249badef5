//! Rate-limited adds, in paused time.

use std::sync::Arc;
use std::time::Duration;

use client_rs_workqueue::{
    AddOptions, BucketRateLimiter, ExponentialFailure, QueueOptions, RateLimiter, WorkQueue,
};
use tokio::time::{advance, sleep};

const MS: Duration = Duration::from_millis(1);

fn queue() -> WorkQueue<&'static str> {
    let limiter = Arc::new(ExponentialFailure::new(MS, Duration::from_secs(1)));
    WorkQueue::with_options(QueueOptions::default().with_limiter(limiter))
}

#[tokio::test(start_paused = true)]
async fn t2_3_06_requeues_are_counted_and_delayed_and_forget_resets_the_count() {
    let queue = queue();
    queue.add_rate_limited("one");
    assert_eq!(queue.waiting(), 1);
    queue.add_rate_limited("one");
    assert_eq!(queue.num_requeues(&"one"), 2);
    assert_eq!(queue.len(), 0);
    advance(MS).await;
    assert_eq!(queue.len(), 1, "the earlier of 1 ms and 2 ms");
    queue.forget(&"one");
    assert_eq!((queue.num_requeues(&"one"), queue.len()), (0, 1), "forget removes nothing");
    queue.add_rate_limited("two");
    queue.add_rate_limited("two");
    queue.add_rate_limited("two");
    assert_eq!(queue.num_requeues(&"two"), 3);
    assert_eq!(queue.when(&"two"), 8 * MS);
    assert_eq!(queue.num_requeues(&"two"), 4, "asking counts");
}

/// A key that fails each time it is tried, while events keep coming.
#[tokio::test(start_paused = true)]
async fn events_do_not_inflate_the_backoff() {
    let queue = queue();
    queue.add("bad");
    let mut runs = 0;
    for _ in 0..200 {
        while let Some(item) = queue.try_get() {
            runs += 1;
            item.retry();
        }
        queue.add("bad");
        advance(MS / 2).await;
    }
    assert!(runs >= 200, "every event was processed at once: {runs}");
    // In 100 ms the backoff alone gets to 1 + 2 + 4 + 8 + 16 + 32 = 63 ms, and is waiting for the next 64.
    assert_eq!(queue.num_requeues(&"bad"), 7);
    sleep(64 * MS).await;
    let item = queue.try_get().expect("the backoff's own retry came in time");
    item.retry();
    assert!(queue.num_requeues(&"bad") <= 8);
}

#[tokio::test(start_paused = true)]
async fn an_early_failure_leaves_the_pending_retry_alone() {
    let queue = queue();
    for _ in 0..5 {
        queue.when(&"bad");
    }
    queue.add_rate_limited("bad");
    assert_eq!(queue.num_requeues(&"bad"), 6);
    queue.add("bad");
    queue.try_get().expect("the event brings it early").retry();
    assert_eq!(queue.num_requeues(&"bad"), 6, "not counted");
    advance(31 * MS).await;
    assert!(queue.try_get().is_none());
    advance(MS).await;
    queue.try_get().expect("32 ms after the first failure, as it was").retry();
    assert_eq!(queue.num_requeues(&"bad"), 7, "the backoff's own try counts");
}

#[tokio::test(start_paused = true)]
async fn after_forget_an_early_failure_is_a_first_failure() {
    let queue = queue();
    for _ in 0..10 {
        queue.add_rate_limited("bad");
    }
    advance(MS).await;
    let item = queue.try_get().unwrap();
    for _ in 0..9 {
        queue.when(&"bad");
    }
    item.retry();
    assert_eq!(queue.waiting(), 1, "in 1 s");
    queue.add("bad");
    let item = queue.try_get().unwrap();
    item.forget();
    item.retry();
    assert_eq!(queue.num_requeues(&"bad"), 1);
    advance(MS).await;
    assert!(queue.try_get().is_some(), "not in 1 s, but in 1 ms");
}

#[tokio::test(start_paused = true)]
async fn a_delay_and_a_limit_are_both_kept() {
    let queue = queue();
    queue.add_with("a", AddOptions::default().with_after(10 * MS).with_rate_limited(true));
    assert_eq!(queue.num_requeues(&"a"), 1);
    advance(9 * MS).await;
    assert_eq!(queue.len(), 0);
    advance(MS).await;
    assert_eq!(queue.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn without_a_rate_a_key_never_comes_and_without_a_wait_it_comes_now() {
    let limiter: Arc<dyn RateLimiter<&str>> = Arc::new(BucketRateLimiter::new(0.0, 1));
    let queue = WorkQueue::with_options(QueueOptions::default().with_limiter(limiter));
    queue.add_rate_limited("first");
    assert_eq!(queue.len(), 1);
    queue.add_rate_limited("second");
    advance(Duration::from_hours(24 * 365)).await;
    assert_eq!((queue.len(), queue.waiting()), (1, 1));
    queue.shutdown();
    queue.add_rate_limited("third");
    assert_eq!(queue.waiting(), 0);
}
