//! A work queue without Kubernetes: customers' images to resize.
//!
//! Shows deduplication, priority, fairness among customers, retries with backoff, a panic that does not stop the
//! workers, and a graceful end. Run it with `cargo run --example work_queue`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs::workqueue::{
    AddOptions, BucketRateLimiter, ExponentialFailure, Fairness, INITIAL_LIST_PRIORITY, MaxOf, Priority,
    QueueOptions, WorkQueue, WorkerPool, WorkerPoolOptions,
};

/// `customer/image`. A shared string is cheap to clone, as a key should be.
type Image = Arc<str>;

#[tokio::main]
async fn main() {
    let queue = WorkQueue::with_options(
        QueueOptions::default()
            // Uploads before the nightly backlog; the backlog still gets a turn now and then.
            .with_priority(Priority::default())
            // Customers take turns, regardless of the size of their backlogs; one has paid for more.
            .with_fairness(
                Fairness::by(|image: &Image| Cow::Borrowed(image.split('/').next().unwrap_or_default()))
                    .weigh(|customer| if customer == "acme" { 2 } else { 1 }),
            )
            // A failed image is retried after 10, 20, 40 ms…; all retries together at most 100 per second.
            .with_limiter(Arc::new(MaxOf::new(vec![
                Box::new(ExponentialFailure::new(Duration::from_millis(10), Duration::from_secs(5))),
                Box::new(BucketRateLimiter::new(100.0, 20)),
            ]))),
    );

    // The backlog, all of one customer.
    for image in 0..20 {
        let backlog = AddOptions::default().with_priority(INITIAL_LIST_PRIORITY);
        queue.add_with(format!("globex/old-{image}").into(), backlog);
    }
    // Uploads. The same image three times is one piece of work.
    for image in
        ["acme/cat", "acme/dog", "acme/cat", "initech/logo", "acme/cat", "initech/broken", "acme/cursed"]
    {
        queue.add(image.into());
    }
    println!("{} images to resize", queue.len());

    let counts = Arc::new(Mutex::new(HashMap::<Image, u32>::new()));
    let pool = WorkerPool::start(
        queue.clone(),
        WorkerPoolOptions::default().with_workers(3),
        move |image: Image| {
            let counts = Arc::clone(&counts);
            async move {
                let tried = {
                    let mut counts = counts.lock().expect("nobody panics while holding it");
                    *counts.entry(Arc::clone(&image)).and_modify(|tried| *tried += 1).or_insert(1)
                };
                resize(&image, tried).await
            }
        },
    );

    // An upload while all workers are busy, and a delayed one.
    queue.add("hooli/banner".into());
    queue.add_after("hooli/reminder".into(), Duration::from_millis(50));

    // Waits until no image is queued, in progress or waiting for its retry.
    while queue.len() + queue.processing() + queue.waiting() > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let stats = pool.drain().await;
    println!("{} runs, {} of them panicked", stats.processed, stats.panicked);
}

/// An error is logged and retried; so is a panic.
async fn resize(image: &str, tried: u32) -> Result<(), String> {
    tokio::time::sleep(Duration::from_millis(1)).await;
    match image {
        "initech/broken" if tried <= 2 => {
            println!("{image}: failed");
            return Err(format!("{image}: the file is not there yet"));
        }
        "acme/cursed" => assert!(tried > 1, "the decoder has a bug"),
        _ => {}
    }
    println!("{image}: resized");
    Ok(())
}
