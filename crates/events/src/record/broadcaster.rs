//! From recorders to sinks, logs and watchers.

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
    /// How an [`EventBroadcaster`] behaves. The defaults are client-go's.
    #[derive(Clone, Debug)]
    pub struct EventBroadcasterOptions {
        /// How many events may wait: to be distributed, and for each watcher. Default: 1,000.
        pub queue: usize => with_queue,
        /// What happens when a watcher, such as a sink that can't be reached, does not keep up. Default:
        /// [`FullChannel::Drop`].
        pub full: FullChannel => with_full,
        /// How events are correlated before they reach a sink.
        pub correlator: CorrelatorOptions => with_correlator,
        /// How often an event is tried. Default: 12.
        pub max_tries: u32 => with_max_tries,
        /// How long between two tries; the first pause is a random part of it. Default: 10 s.
        pub retry_sleep: Duration => with_retry_sleep,
        /// How long one try may take: a write that gets no answer is given up then, and tried again like any other that
        /// failed. Default: 30 s.
        pub write_timeout: Duration => with_write_timeout,
        /// How long [`EventBroadcaster::shutdown`] gives what is queued to be delivered. Default: 5 s.
        pub flush_timeout: Duration => with_flush_timeout,
        /// What time it is. Default: the system's clock.
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

/// Takes events from recorders and gives them to sinks, logs and watchers.
///
/// - Recording never waits, whatever sinks do: full queues drop events, which is
///   [counted](Self::dropped) and logged.
/// - Each sink has a correlator and a task of its own, and gets events one after the other, in order: a sink that can't
///   be reached holds only its own queue.
/// - Cheap to clone. It goes on as long as it or one of its recorders lives; then queued events are tried once.
///
/// ```no_run
/// # use client_rs_api::core::v1::Pod;
/// # use client_rs_client::RestClient;
/// use client_rs_events::{EventBroadcaster, EventBroadcasterOptions, EventType, RestEventSink, eventf};
///
/// # async fn example(client: RestClient, pod: Pod) -> Result<(), Box<dyn std::error::Error>> {
/// let broadcaster = EventBroadcaster::new();
/// broadcaster.start_logging()?;
/// broadcaster.start_recording_to_sink(RestEventSink::new(client))?;
/// let recorder = broadcaster.recorder("my-controller", "");
/// eventf!(recorder, &pod, EventType::Normal, "Scheduled", "to node {}", pod.spec.node_name);
/// broadcaster.shutdown().await;
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
    /// Starts on the current tokio runtime.
    pub fn new() -> Self {
        Self::with_options(EventBroadcasterOptions::default())
    }

    /// As [`new`](Self::new), with options.
    pub fn with_options(options: EventBroadcasterOptions) -> Self {
        let watchers = Watchers::new(options.queue, options.full, options.flush_timeout);
        Self(Arc::new(Inner { watchers, clock: options.clock.clone(), options }))
    }

    /// A recorder for a component, on a host where that matters.
    pub fn recorder(&self, component: &str, host: &str) -> EventRecorder {
        let source = EventSource { component: component.into(), host: host.into() };
        EventRecorder::new(source, Arc::clone(&self.0))
    }

    /// Calls a function with each event from now on, one after the other, in a task of its own. A panic of the function
    /// is logged, and the next event goes on.
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

    /// Sends each event from now on to a sink, correlated: it is created, or the count of an equal one is patched. The
    /// correlator is this sink's own and starts empty.
    ///
    /// An event that can't be delivered is tried up to 12 times, 10 s apart; one that the server refuses is given up at
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

    /// How many events were dropped so far because a queue was full. Logged too, at most once in ten seconds.
    pub fn dropped(&self) -> u64 {
        self.0.watchers.broadcaster.dropped()
    }

    /// Takes no more events, tries each queued one once, and returns when that is done or `flush_timeout` is over; what
    /// is left then is lost. Retries in progress end at once.
    pub async fn shutdown(&self) {
        self.0.watchers.shutdown().await;
    }
}
