//! The broadcaster between recorders and sinks, logs and watchers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_api::events::v1::Event;
use client_rs_machinery::MicroTime;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

use super::deliver::{Attempt, Patience, attempt, deliver};
use super::recorder::EventRecorder;
use super::series::SeriesCache;
use super::sink::EventSink;
use crate::broadcaster::{FullChannel, Stopped, Watcher};
use crate::clock::Clock;
use crate::drops::Drops;
use crate::watchers::{EventWatcher, Watchers};

client_rs_machinery::options! {
    /// The options of an [`EventBroadcaster`]. The defaults are client-go's.
    #[derive(Clone, Debug)]
    pub struct EventBroadcasterOptions {
        /// The size of the queues: for distribution, for each watcher, and for delivery. Default: 1,000.
        pub queue: usize => with_queue,
        /// The behaviour if a watcher does not keep up. Default: [`FullChannel::Drop`].
        pub full: FullChannel => with_full,
        /// How many events are delivered in parallel. Default: 8. At least 1.
        pub workers: usize => with_workers,
        /// How many different events are remembered, to be counted as series. Default: 4,096.
        pub series: usize => with_series,
        /// The maximum number of attempts to write an event. Default: 12.
        pub max_tries: u32 => with_max_tries,
        /// The time between two attempts; up to a quarter of it is added at random. Default: 10 s.
        pub retry_sleep: Duration => with_retry_sleep,
        /// The interval in which every series is sent again. Default: 30 min.
        pub refresh: Duration => with_refresh,
        /// The interval in which finished series are searched. Default: 6 min.
        pub finish: Duration => with_finish,
        /// The timeout of one attempt. A write that times out is retried like any other failure. Default: 30 s.
        pub write_timeout: Duration => with_write_timeout,
        /// The time for queued events in [`EventBroadcaster::shutdown`]. Default: 5 s.
        pub flush_timeout: Duration => with_flush_timeout,
        /// The clock. Default: the system's.
        pub clock: Clock => with_clock,
    }
}

impl Default for EventBroadcasterOptions {
    fn default() -> Self {
        Self {
            queue: 1000,
            full: FullChannel::Drop,
            workers: 8,
            series: 4096,
            max_tries: 12,
            retry_sleep: Duration::from_secs(10),
            refresh: Duration::from_mins(30),
            finish: Duration::from_mins(6),
            write_timeout: Duration::from_secs(30),
            flush_timeout: Duration::from_secs(5),
            clock: Clock::default(),
        }
    }
}

/// The reason why recording to a sink can't be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// It was already started: a broadcaster counts its series for one sink.
    #[error("the broadcaster already records to a sink")]
    Recording,
    /// The broadcaster has been shut down.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Distributes the events of recorders to one sink, logs and watchers, in the API `events.k8s.io/v1`.
///
/// - Recording never waits, even if the sink hangs: full queues drop events, which are [counted](Self::dropped) and logged.
/// - Of a series the sink gets the first and the second event, then periodic updates. Other events have no order; up to
///   `workers` are written in parallel.
/// - Cheap to clone. It runs as long as it or one of its recorders lives; then queued events are tried once.
///
/// ```
/// use client_rs_api::core::v1::Pod;
/// use client_rs_events::EventType;
/// use client_rs_events::events_v1::EventBroadcaster;
/// # use client_rs_machinery::meta::v1::ObjectMeta;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), client_rs_events::Stopped> {
/// let broadcaster = EventBroadcaster::new();
/// let (sender, mut seen) = tokio::sync::mpsc::unbounded_channel();
/// broadcaster.start_event_watcher(move |event| drop(sender.send(event)))?;
/// let recorder = broadcaster.recorder("scheduler");
/// let pod = Pod { metadata: ObjectMeta { name: "web".into(), ..ObjectMeta::EMPTY }, ..Pod::EMPTY };
/// recorder.event(&pod, None, EventType::Normal, "Scheduled", "Binding", "assigned to node-1");
/// broadcaster.shutdown().await;
/// let event = seen.recv().await.expect("the event was delivered before the shutdown");
/// assert_eq!((event.action.as_str(), event.note.as_str()), ("Binding", "assigned to node-1"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct EventBroadcaster(Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) watchers: Watchers<Event>,
    pub(super) clock: Clock,
    options: EventBroadcasterOptions,
    recording: AtomicBool,
}

impl Default for EventBroadcaster {
    fn default() -> Self {
        Self::new()
    }
}

impl EventBroadcaster {
    /// Starts a broadcaster on the current tokio runtime.
    pub fn new() -> Self {
        Self::with_options(EventBroadcasterOptions::default())
    }

    /// As [`new`](Self::new), with options.
    pub fn with_options(options: EventBroadcasterOptions) -> Self {
        let watchers = Watchers::new(options.queue, options.full, options.flush_timeout);
        Self(Arc::new(Inner {
            watchers,
            clock: options.clock.clone(),
            options,
            recording: AtomicBool::new(false),
        }))
    }

    /// A recorder for a controller on this host; the instance is `<controller>-<hostname>`.
    pub fn recorder(&self, controller: &str) -> EventRecorder {
        let instance = format!("{controller}-{}", crate::hostname());
        EventRecorder::new(controller, &instance, Arc::clone(&self.0))
    }

    /// Calls a function with each event from now on, one at a time, in its own task. A panic of the function is logged, and
    /// the next event follows.
    pub fn start_event_watcher(
        &self,
        handler: impl FnMut(Arc<Event>) + Send + 'static,
    ) -> Result<EventWatcher, Stopped> {
        self.0.watchers.call(handler)
    }

    /// Logs each event from now on, with its parts as fields.
    pub fn start_logging(&self) -> Result<EventWatcher, Stopped> {
        self.start_event_watcher(|event| {
            let regarding = &event.regarding;
            tracing::info!(
                namespace = %regarding.namespace,
                name = %regarding.name,
                kind = %regarding.kind,
                api_version = %regarding.api_version,
                r#type = %event.type_,
                reason = %event.reason,
                action = %event.action,
                note = %event.note,
                "event"
            );
        })
    }

    /// Sends events from now on to a sink, as single events and series. A broadcaster has one sink.
    pub fn start_recording_to_sink<S: EventSink>(&self, sink: S) -> Result<EventWatcher, StartError> {
        let watcher = self.0.watchers.broadcaster.watch()?;
        if self.0.recording.swap(true, Ordering::Relaxed) {
            return Err(StartError::Recording);
        }
        let recording = Recording {
            sink: Arc::new(sink),
            series: Mutex::new(SeriesCache::new(self.0.options.series)),
            patience: Patience {
                max_tries: self.0.options.max_tries,
                sleep: self.0.options.retry_sleep,
                limit: self.0.options.write_timeout,
                closing: self.0.watchers.closing(),
            },
            drops: self.0.watchers.broadcaster.drops(),
            options: self.0.options.clone(),
        };
        Ok(self.0.watchers.spawn(recording.run(watcher)))
    }

    /// The number of events that were dropped so far because a queue was full. Drops are logged at most once in ten seconds.
    pub fn dropped(&self) -> u64 {
        self.0.watchers.broadcaster.dropped()
    }

    /// Accepts no more events and tries each queued one once. Returns when that is done or `flush_timeout` is over; the
    /// events that are left are lost. Series that have grown since they were last sent are sent once more. Retries in
    /// progress end at once.
    pub async fn shutdown(&self) {
        self.0.watchers.shutdown().await;
    }
}

/// The tasks that record events to a sink.
struct Recording<S> {
    sink: Arc<S>,
    series: Mutex<SeriesCache>,
    patience: Patience,
    drops: Arc<Drops>,
    options: EventBroadcasterOptions,
}

impl<S: EventSink> Recording<S> {
    async fn run(self, watcher: Watcher<Arc<Event>>) {
        let (queue, queued) = mpsc::channel(self.options.queue.max(1));
        // Ends with the watcher; the other two tasks then have no more work.
        let delivery = async {
            tokio::join!(self.count(watcher, queue), self.deliver(queued));
            let untold = self.lock().untold();
            for event in untold {
                attempt(&*self.sink, &event, self.patience.limit).await;
            }
        };
        tokio::select! {
            () = delivery => {}
            () = self.refresh() => {}
            () = self.finish() => {}
        }
    }

    /// Counts events, and queues those that are sent to the server.
    async fn count(&self, mut watcher: Watcher<Arc<Event>>, queue: mpsc::Sender<Event>) {
        while let Some(event) = watcher.next().await {
            let due = self.lock().observe(&event, self.now());
            if let Some(due) = due
                && queue.try_send(due).is_err()
            {
                self.drops.add("the delivery queue is full");
            }
        }
    }

    async fn deliver(&self, mut queued: mpsc::Receiver<Event>) {
        let mut running = JoinSet::new();
        loop {
            tokio::select! {
                Some(_) = running.join_next() => {}
                next = queued.recv(), if running.len() < self.options.workers.max(1) => match next {
                    Some(event) => {
                        let (sink, patience) = (Arc::clone(&self.sink), self.patience.clone());
                        running.spawn(async move { deliver(&*sink, &event, &patience).await });
                    }
                    None => break,
                },
            }
        }
        while running.join_next().await.is_some() {}
    }

    /// Sends every series again, so that the server does not delete it as too old.
    async fn refresh(&self) {
        let mut ticks = ticks(self.options.refresh);
        loop {
            ticks.tick().await;
            // A copy, so that counting continues while the sink works.
            let series = self.lock().series();
            for event in series {
                if let Attempt::Done(recorded) = attempt(&*self.sink, &event, self.patience.limit).await {
                    self.lock().refreshed(&event, &recorded);
                }
            }
        }
    }

    /// Sends finished series a last time, and forgets them. A series that can't be sent stays for the next time.
    async fn finish(&self) {
        let mut ticks = ticks(self.options.finish);
        loop {
            ticks.tick().await;
            let idle = self.lock().idle(self.now());
            for event in idle {
                if attempt(&*self.sink, &event, self.patience.limit).await != Attempt::Later {
                    self.lock().finished(&event);
                }
            }
        }
    }

    fn now(&self) -> MicroTime {
        self.options.clock.now().into()
    }

    fn lock(&self) -> MutexGuard<'_, SeriesCache> {
        self.series.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn ticks(period: Duration) -> tokio::time::Interval {
    let mut ticks = tokio::time::interval(period.max(Duration::from_millis(1)));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
