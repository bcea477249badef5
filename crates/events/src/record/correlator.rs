//! Correlation of events before they are sent: aggregation, counting, and a limit for spam.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use client_rs_api::core::v1::Event;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Json, Map, Str, Time};

use crate::lru::Lru;
use crate::name::event_name;

/// The aggregate key and the key inside the aggregate of an event.
pub type KeyFn = Arc<dyn Fn(&Event) -> (String, String) + Send + Sync>;
/// The message of an aggregate whose newest event this is.
pub type MessageFn = Arc<dyn Fn(&Event) -> String + Send + Sync>;
/// The key under which the spam of an event is counted.
pub type SpamKeyFn = Arc<dyn Fn(&Event) -> String + Send + Sync>;

client_rs_machinery::options! {
    /// The options of an [`EventCorrelator`]. The defaults are client-go's.
    ///
    /// ```
    /// use client_rs_events::{CorrelatorOptions, EventBroadcasterOptions};
    ///
    /// // Combine messages after three different ones, and allow bursts of 100 events per object.
    /// let correlator = CorrelatorOptions::default().with_max_events(3_usize).with_burst(100_u32);
    /// let options = EventBroadcasterOptions::default().with_correlator(correlator);
    /// assert_eq!(options.correlator.burst, 100);
    /// ```
    #[derive(Clone)]
    pub struct CorrelatorOptions {
        /// How many keys each of the three stages remembers; the least recently used is forgotten. Default: 4,096.
        pub cache_size: usize => with_cache_size,
        /// The burst of events of one spam key. Default: 25.
        pub burst: u32 => with_burst,
        /// The rate at which a spam key gets tokens, per second. Default: one in 300 s.
        pub qps: f32 => with_qps,
        /// How many different messages of one aggregate key turn it into an aggregate. Default: 10.
        pub max_events: usize => with_max_events,
        /// An aggregate key is forgotten this long after its last event. Default: 600 s.
        pub max_interval: Duration => with_max_interval,
        /// Default: [`aggregate_key_by_reason`].
        pub key: KeyFn => with_key,
        /// Default: [`aggregate_message_by_reason`].
        pub message: MessageFn => with_message,
        /// Default: [`spam_key`].
        pub spam_key: SpamKeyFn => with_spam_key,
    }
}

impl Default for CorrelatorOptions {
    fn default() -> Self {
        Self {
            cache_size: 4096,
            burst: 25,
            qps: 1.0 / 300.0,
            max_events: 10,
            max_interval: Duration::from_mins(10),
            key: Arc::new(aggregate_key_by_reason),
            message: Arc::new(aggregate_message_by_reason),
            spam_key: Arc::new(spam_key),
        }
    }
}

impl fmt::Debug for CorrelatorOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CorrelatorOptions")
            .field("cache_size", &self.cache_size)
            .field("burst", &self.burst)
            .field("qps", &self.qps)
            .field("max_events", &self.max_events)
            .field("max_interval", &self.max_interval)
            .finish_non_exhaustive()
    }
}

/// The default aggregate key: source, object, type, reason and reporter. The key inside the aggregate is the message.
///
/// ```
/// use client_rs_api::core::v1::Event;
/// use client_rs_events::record::aggregate_key_by_reason;
///
/// let first = Event { reason: "BackOff".into(), message: "1 s".into(), ..Event::EMPTY };
/// let second = Event { message: "2 s".into(), ..first.clone() };
/// // The events differ only in their messages, so they are aggregated.
/// assert_eq!(aggregate_key_by_reason(&first).0, aggregate_key_by_reason(&second).0);
/// ```
pub fn aggregate_key_by_reason(event: &Event) -> (String, String) {
    let object = &event.involved_object;
    let key = [
        &event.source.component,
        &event.source.host,
        &object.kind,
        &object.namespace,
        &object.name,
        &object.uid,
        &object.api_version,
        &event.type_,
        &event.reason,
        &event.reporting_component,
        &event.reporting_instance,
    ];
    (joined(&key), event.message.as_str().to_owned())
}

/// The default message of an aggregate: `(combined from similar events): ` and the newest event's message.
///
/// ```
/// use client_rs_api::core::v1::Event;
/// use client_rs_events::record::aggregate_message_by_reason;
///
/// let event = Event { message: "waited 8 s".into(), ..Event::EMPTY };
/// assert_eq!(aggregate_message_by_reason(&event), "(combined from similar events): waited 8 s");
/// ```
pub fn aggregate_message_by_reason(event: &Event) -> String {
    format!("(combined from similar events): {}", event.message)
}

/// The default spam key: source, object and type.
///
/// ```
/// use client_rs_api::core::v1::Event;
/// use client_rs_events::record::spam_key;
///
/// let event = Event { type_: "Normal".into(), reason: "Pulled".into(), ..Event::EMPTY };
/// // Another reason shares the limit, another type does not.
/// assert_eq!(spam_key(&event), spam_key(&Event { reason: "Started".into(), ..event.clone() }));
/// assert_ne!(spam_key(&event), spam_key(&Event { type_: "Warning".into(), ..event.clone() }));
/// ```
pub fn spam_key(event: &Event) -> String {
    let object = &event.involved_object;
    joined(&[
        &event.source.component,
        &event.source.host,
        &object.kind,
        &object.namespace,
        &object.name,
        &object.uid,
        &object.api_version,
        &event.type_,
    ])
}

/// The result of a correlation: how to send an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Correlated {
    /// Do not send it: its spam key has no tokens. It is still counted.
    Skip,
    /// Create this event.
    Create(Event),
    /// Patch the existing event of this name. If it no longer exists, create this one.
    Patch(Event, Patch),
}

/// Correlates events in three stages: aggregate, count, limit. It has no clock and does no I/O.
///
/// - *Aggregate*: events that differ only in their message, within ten minutes of each other, become one combined event from
///   the tenth different message on.
/// - *Count*: an event that was seen before (aggregates too) becomes a patch of its count, last time and message.
/// - *Limit*: a burst of 25 events, then one in five minutes, per source, object and type. The limit comes last, so that
///   events that it holds back are still counted.
///
/// A broadcaster has one per sink; you need it only for a delivery of your own. Memory: `cache_size` keys per stage, each
/// about as long as an event's texts; an aggregate key has at most `max_events` messages.
///
/// ```
/// use client_rs_api::core::v1::Event;
/// use client_rs_events::record::{Correlated, CorrelatorOptions, EventCorrelator};
/// use client_rs_machinery::Time;
///
/// let mut correlator = EventCorrelator::new(CorrelatorOptions::default());
/// let (event, now) = (Event { message: "pulled".into(), count: 1, ..Event::EMPTY }, Time::now());
/// assert!(matches!(correlator.correlate(&event, now), Correlated::Create(_)));
/// // The same event again is counted, not created.
/// let again = correlator.correlate(&event, now);
/// assert!(matches!(again, Correlated::Patch(event, _) if event.count == 2));
/// ```
#[derive(Clone, Debug)]
pub struct EventCorrelator {
    options: CorrelatorOptions,
    aggregates: Lru<Aggregate>,
    observed: Lru<Observed>,
    buckets: Lru<Bucket>,
}

#[derive(Clone, Debug)]
struct Aggregate {
    messages: HashSet<String>,
    last: Time,
}

#[derive(Clone, Debug)]
struct Observed {
    count: i32,
    first: Option<Time>,
    name: Str,
    resource_version: Str,
}

#[derive(Clone, Debug)]
struct Bucket {
    tokens: f64,
    last: Duration,
}

impl EventCorrelator {
    /// A correlator without any events.
    pub fn new(options: CorrelatorOptions) -> Self {
        let size = options.cache_size;
        Self { options, aggregates: Lru::new(size), observed: Lru::new(size), buckets: Lru::new(size) }
    }

    /// Decides how to send an event that occurs now. The limit uses the wall clock: after a clock was set back, no tokens are
    /// added until it has caught up. [`correlate_at`](Self::correlate_at) does not have this gap.
    pub fn correlate(&mut self, event: &Event, now: Time) -> Correlated {
        let seconds = u64::try_from(now.seconds()).unwrap_or(0);
        self.correlate_at(event, now, Duration::new(seconds, now.nanos()))
    }

    /// Decides how to send an event that occurs now. The limit uses `uptime`, the time since any fixed moment by a monotonic
    /// clock.
    pub fn correlate_at(&mut self, event: &Event, now: Time, uptime: Duration) -> Correlated {
        let (event, key) = self.aggregate(event, now);
        let (event, patch) = self.observe(event, key);
        if self.is_spam(&event, uptime) {
            return Correlated::Skip;
        }
        match patch {
            Some(patch) => Correlated::Patch(event, patch),
            None => Correlated::Create(event),
        }
    }

    /// Remembers the server's response to an event, so that later ones patch it.
    pub fn update_state(&mut self, event: &Event) {
        self.observed.insert(event_key(event), Observed::of(event));
    }

    fn aggregate(&mut self, event: &Event, now: Time) -> (Event, String) {
        let (key, local) = (self.options.key)(event);
        let fresh = || Aggregate { messages: HashSet::new(), last: now };
        let aggregate = self.aggregates.get_or_insert_with(&key, fresh);
        if elapsed(aggregate.last, now) > self.options.max_interval {
            *aggregate = fresh();
        }
        aggregate.last = now;
        let similar = aggregate.messages.len() + usize::from(!aggregate.messages.contains(&local));
        if similar < self.options.max_events {
            aggregate.messages.insert(local);
            return (event.clone(), event_key(event));
        }
        // The set never reaches the maximum: messages from before the aggregate are still counted separately, all later
        // ones belong to the aggregate. (client-go forgets a random one here.)
        let object = &event.involved_object;
        let combined = Event {
            metadata: ObjectMeta {
                name: event_name(&object.name, now),
                namespace: event.metadata.namespace.clone(),
                ..ObjectMeta::EMPTY
            },
            count: 1,
            first_timestamp: Some(now),
            last_timestamp: Some(now),
            involved_object: object.clone(),
            message: (self.options.message)(event).into(),
            type_: event.type_.clone(),
            reason: event.reason.clone(),
            source: event.source.clone(),
            reporting_component: event.reporting_component.clone(),
            reporting_instance: event.reporting_instance.clone(),
            ..Event::EMPTY
        };
        (combined, key)
    }

    fn observe(&mut self, mut event: Event, key: String) -> (Event, Option<Patch>) {
        let mut patch = None;
        if let Some(before) = self.observed.get_mut(&key)
            && before.count > 0
        {
            event.metadata.name = before.name.clone();
            event.metadata.resource_version = before.resource_version.clone();
            event.first_timestamp = before.first;
            event.count = before.count.saturating_add(1);
            patch = Some(count_patch(&event));
        }
        self.observed.insert(key, Observed::of(&event));
        (event, patch)
    }

    fn is_spam(&mut self, event: &Event, now: Duration) -> bool {
        let burst = f64::from(self.options.burst);
        let key = (self.options.spam_key)(event);
        let bucket = self.buckets.get_or_insert_with(&key, || Bucket { tokens: burst, last: now });
        let gained = now.saturating_sub(bucket.last).as_secs_f64() * f64::from(self.options.qps);
        bucket.tokens = (bucket.tokens + gained).min(burst);
        bucket.last = bucket.last.max(now);
        // Tolerates rounding errors: 300 s × 1/300 s is one token.
        let spam = bucket.tokens < 1.0 - 1e-9;
        if !spam {
            bucket.tokens -= 1.0;
        }
        spam
    }
}

impl Observed {
    fn of(event: &Event) -> Self {
        Self {
            count: event.count,
            first: event.first_timestamp,
            name: event.metadata.name.clone(),
            resource_version: event.metadata.resource_version.clone(),
        }
    }
}

/// The key of equal events.
fn event_key(event: &Event) -> String {
    let object = &event.involved_object;
    joined(&[
        &event.source.component,
        &event.source.host,
        &object.kind,
        &object.namespace,
        &object.name,
        &object.field_path,
        &object.uid,
        &object.api_version,
        &event.type_,
        &event.reason,
        &event.message,
    ])
}

/// The patch for a repeated event.
fn count_patch(event: &Event) -> Patch {
    let mut patch: Map<Json> = Map::EMPTY;
    patch.insert("count", Json::from(event.count));
    let last = event.last_timestamp.map(|last| last.to_string());
    patch.insert("lastTimestamp", Json::from(last));
    if !event.message.is_empty() {
        patch.insert("message", Json::from(event.message.clone()));
    }
    Patch::Strategic(Json::from(patch))
}

/// The time between two times; zero if the clock was set back.
fn elapsed(from: Time, to: Time) -> Duration {
    Duration::try_from(to - from).unwrap_or_default()
}

/// Joins texts with a separator that no name contains, so that different lists have different keys.
fn joined(texts: &[&Str]) -> String {
    let mut key = String::with_capacity(texts.iter().map(|text| text.len() + 1).sum());
    for text in texts {
        key.push_str(text);
        key.push('\0');
    }
    key
}
