//! The broadcaster between recorders and sinks, logs and watchers.

use std::sync::Arc;
use std::time::Duration;

use client_rs_api::core::v1::{Event, EventSource};
use tokio::time::Instant;

use super::correlator::{CorrelatorOptions, EventCorrelator};
use super::deliver::{Patience, deliver};
use super::recorder::EventRecorder;
use super::sink::EventSink;
use crate::broadcaster::{FullChannel, Stopped};
use crate::clock::Clock;
use crate::watchers::{EventWatcher, Watchers};

client_rs_machinery::options! {
    /// The options of an [`EventBroadcaster`]. The defaults are client-go's.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use client_rs_events::EventBroadcasterOptions;
    ///
    /// // A program that must end quickly: one second for queued events.
    /// let options = EventBroadcasterOptions::default().with_flush_timeout(Duration::from_secs(1));
    /// assert_eq!((options.max_tries, options.queue), (12, 1000));
    /// ```
    #[derive(Clone, Debug)]
    pub struct EventBroadcasterOptions {
        /// The size of the queues: for distribution, and for each watcher. Default: 1,000.
        pub queue: usize => with_queue,
        /// The behaviour if a watcher, such as a sink that can't be reached, does not keep up. Default:
        /// [`FullChannel::Drop`].
        pub full: FullChannel => with_full,
        /// How events are correlated before they reach a sink.
        pub correlator: CorrelatorOptions => with_correlator,
        /// The maximum number of attempts to write an event. Default: 12.
        pub max_tries: u32 => with_max_tries,
        /// The time between two attempts; the first pause is a random part of it. Default: 10 s.
        pub retry_sleep: Duration => with_retry_sleep,
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
            correlator: CorrelatorOptions::default(),
            max_tries: 12,
            retry_sleep: Duration::from_secs(10),
            write_timeout: Duration::from_secs(30),
            flush_timeout: Duration::from_secs(5),
            clock: Clock::default(),
        }
    }
}

/// Distributes the events of recorders to sinks, logs and watchers. A program has one.
///
/// - Recording never waits, even if a sink hangs: full queues drop events, which are [counted](Self::dropped) and logged.
/// - Each sink has its own correlator and task, and gets events one at a time, in order. A sink that can't be reached fills
///   only its own queue.
/// - Cheap to clone. It runs as long as it or one of its recorders lives; then queued events are tried once. Call
///   [`shutdown`](Self::shutdown) before the program ends, so that queued events are delivered.
///
/// ```
/// # use client_rs_api::core::v1::Pod;
/// # use client_rs_client::RestClient;
/// # use client_rs_transport::Config;
/// use client_rs_events::{EventBroadcaster, EventType, RestEventSink, eventf};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let pod = Pod::EMPTY;
/// # let client = RestClient::from_config(&Config::new("http://127.0.0.1:1".parse()?))?;
/// let broadcaster = EventBroadcaster::new();
/// broadcaster.start_logging()?;
/// broadcaster.start_recording_to_sink(RestEventSink::new(client))?;
/// let recorder = broadcaster.recorder("my-controller", "");
/// eventf!(recorder, &pod, EventType::Normal, "Scheduled", "to node {}", pod.spec.node_name);
/// // Tries each queued event once more, for five seconds at most.
/// broadcaster.shutdown().await;
/// assert_eq!(broadcaster.dropped(), 0);
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
        Self(Arc::new(Inner { watchers, clock: options.clock.clone(), options }))
    }

    /// A recorder for a component. The host may be empty; set it for components that run on every node.
    pub fn recorder(&self, component: &str, host: &str) -> EventRecorder {
        let source = EventSource { component: component.into(), host: host.into() };
        EventRecorder::new(source, Arc::clone(&self.0))
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
            let object = &event.involved_object;
            tracing::info!(
                namespace = %object.namespace,
                name = %object.name,
                field_path = %object.field_path,
                kind = %object.kind,
                api_version = %object.api_version,
                r#type = %event.type_,
                reason = %event.reason,
                message = %event.message,
                "event"
            );
        })
    }

    /// Sends each event from now on to a sink. The event is created, or the count of an equal one is patched. The correlator
    /// belongs to this sink and starts empty.
    ///
    /// An event that can't be delivered is tried up to 12 times, 10 s apart. An event that the server refuses is dropped at
    /// once.
    pub fn start_recording_to_sink<S: EventSink>(&self, sink: S) -> Result<EventWatcher, Stopped> {
        let mut watcher = self.0.watchers.broadcaster.watch()?;
        let options = &self.0.options;
        let mut correlator = EventCorrelator::new(options.correlator.clone());
        let (clock, begin) = (options.clock.clone(), Instant::now());
        let patience = Patience {
            max_tries: options.max_tries,
            sleep: options.retry_sleep,
            limit: options.write_timeout,
            closing: self.0.watchers.closing(),
        };
        Ok(self.0.watchers.spawn(async move {
            while let Some(event) = watcher.next().await {
                let correlated = correlator.correlate_at(&event, clock.now(), begin.elapsed());
                deliver(&sink, &mut correlator, correlated, &patience).await;
            }
        }))
    }

    /// The number of events that were dropped so far because a queue was full. Drops are logged at most once in ten seconds.
    pub fn dropped(&self) -> u64 {
        self.0.watchers.broadcaster.dropped()
    }

    /// Accepts no more events and tries each queued one once. Returns when that is done or `flush_timeout` is over; the
    /// events that are left are lost. Retries in progress end at once.
    pub async fn shutdown(&self) {
        self.0.watchers.shutdown().await;
    }
}
