//! The seven metrics, in paused time.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use client_rs_workqueue::{AddOptions, Priority, QueueMetrics, QueueOptions, WorkQueue};
use tokio::time::advance;

const MS: Duration = Duration::from_millis(1);

/// Sums up the reported values.
#[derive(Debug, Default)]
struct Recorder(Mutex<Sums>);

#[derive(Clone, Debug, Default, PartialEq)]
struct Sums {
    depth: Vec<(Option<i32>, i64)>,
    adds: u32,
    latencies: Vec<Duration>,
    durations: Vec<Duration>,
    unfinished: Option<Duration>,
    longest: Option<Duration>,
    refreshes: u32,
    retries: u32,
}

impl Recorder {
    fn sums(&self) -> MutexGuard<'_, Sums> {
        self.0.lock().expect("no test panics while holding it")
    }

    fn now(&self) -> Sums {
        self.sums().clone()
    }

    fn depth_now(&self) -> i64 {
        self.now().depth.iter().map(|(_, depth)| depth).sum()
    }
}

impl QueueMetrics for Recorder {
    fn depth(&self, priority: Option<i32>, change: i64) {
        let depths = &mut self.sums().depth;
        match depths.iter_mut().find(|(other, _)| *other == priority) {
            Some((_, depth)) => *depth += change,
            None => depths.push((priority, change)),
        }
    }

    fn added(&self) {
        self.sums().adds += 1;
    }

    fn queued_for(&self, duration: Duration) {
        self.sums().latencies.push(duration);
    }

    fn worked_for(&self, duration: Duration) {
        self.sums().durations.push(duration);
    }

    fn unfinished(&self, total: Duration) {
        let mut sums = self.sums();
        sums.unfinished = Some(total);
        sums.refreshes += 1;
    }

    fn longest_running(&self, duration: Duration) {
        self.sums().longest = Some(duration);
    }

    fn retried(&self) {
        self.sums().retries += 1;
    }
}

fn queue(priority: Option<Priority>) -> (WorkQueue<&'static str>, Arc<Recorder>) {
    let recorded = Arc::new(Recorder::default());
    let metrics: Arc<dyn QueueMetrics> = Arc::clone(&recorded) as _;
    let mut options = QueueOptions::default().with_metrics(metrics);
    options.priority = priority;
    (WorkQueue::with_options(options), recorded)
}

#[tokio::test(start_paused = true)]
async fn t2_4_01_a_sequence_yields_exact_values() {
    let (queue, recorded) = queue(None);
    queue.add("foo");
    assert_eq!((recorded.depth_now(), recorded.now().adds), (1, 1));
    queue.add("foo");
    assert_eq!((recorded.depth_now(), recorded.now().adds), (1, 1), "already wanted");
    advance(50 * MS).await;
    let foo = queue.try_get().unwrap();
    assert_eq!((recorded.depth_now(), recorded.now().latencies), (0, vec![50 * MS]));
    advance(5 * MS).await;
    queue.add("foo");
    assert_eq!((recorded.depth_now(), recorded.now().adds), (1, 2), "counted though in progress");
    advance(20 * MS).await;
    foo.done();
    assert_eq!(recorded.now().durations, [25 * MS]);
    advance(5 * MS).await;
    let foo = queue.try_get().unwrap();
    assert_eq!(recorded.now().latencies, [50 * MS, 25 * MS], "since the add, not since the done");
    queue.add("bar");
    advance(10 * MS).await;
    let bar = queue.try_get().unwrap();
    advance(30 * MS).await;
    queue.refresh_metrics();
    let now = recorded.now();
    assert_eq!((now.unfinished, now.longest), (Some(70 * MS), Some(40 * MS)));
    let foo = foo.next();
    drop(foo);
    bar.done();
    queue.refresh_metrics();
    let now = recorded.now();
    assert_eq!((now.unfinished, now.longest), (Some(Duration::ZERO), Some(Duration::ZERO)));
    assert_eq!(now.durations, [25 * MS, 40 * MS, 30 * MS]);
    assert_eq!((now.adds, now.retries, recorded.depth_now()), (3, 0, 0));
}

#[tokio::test(start_paused = true)]
async fn t2_4_02_no_metric_updates_after_shut_down() {
    let (queue, recorded) = queue(None);
    queue.add("foo");
    let _stuck = queue.try_get().unwrap();
    tokio::time::sleep(1750 * MS).await;
    let before = recorded.now();
    assert_eq!(before.refreshes, 3, "every 500 ms");
    assert_eq!((before.unfinished, before.longest), (Some(1500 * MS), Some(1500 * MS)));
    queue.shutdown();
    tokio::time::sleep(5000 * MS).await;
    queue.refresh_metrics();
    queue.add("bar");
    queue.add_after("bar", MS);
    queue.add_rate_limited("bar");
    assert_eq!(recorded.now(), before);
}

#[tokio::test(start_paused = true)]
async fn retries_count_delayed_and_rate_limited_adds() {
    let (queue, recorded) = queue(None);
    queue.add_after("a", Duration::ZERO);
    queue.add_after("b", 10 * MS);
    queue.add_rate_limited("c");
    queue.add("d");
    assert_eq!((recorded.now().retries, recorded.now().adds), (3, 2));
    advance(10 * MS).await;
    assert_eq!(queue.len(), 4);
    assert_eq!((recorded.now().retries, recorded.now().adds, recorded.depth_now()), (3, 4, 4));
}

#[tokio::test(start_paused = true)]
async fn depth_is_reported_by_priority_and_follows_a_raise() {
    let (queue, recorded) = queue(Some(Priority::default()));
    let at = |priority| AddOptions::default().with_priority(priority);
    queue.add_with("a", at(-100));
    queue.add_with("b", at(-100));
    queue.add("a");
    assert_eq!(recorded.now().depth, [(Some(-100), 1), (Some(0), 1)]);
    let a = queue.try_get().unwrap();
    queue.add_with("a", at(-3));
    queue.add_with("a", at(8));
    assert_eq!(recorded.now().depth, [(Some(-100), 1), (Some(0), 0), (Some(-3), 0), (Some(8), 1)]);
    a.done();
    while queue.try_get().is_some() {}
    assert_eq!(recorded.depth_now(), 0);
    assert_eq!(recorded.now().adds, 3);
}

/// The refresher ends with the queue.
#[tokio::test(start_paused = true)]
async fn a_dropped_queue_stops_reporting() {
    let (queue, recorded) = queue(None);
    drop(queue);
    tokio::time::sleep(5000 * MS).await;
    assert_eq!(recorded.now(), Sums::default());
    assert_eq!(Arc::strong_count(&recorded), 1);
}
