//! From single events to what the server is told: aggregation, counting, and a limit for spam.

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
    /// How events are correlated. The defaults are client-go's.
    #[derive(Clone)]
    pub struct CorrelatorOptions {
        /// How many keys each of the three stages remembers; the least recently used is forgotten. Default: 4,096.
        pub cache_size: usize => with_cache_size,
        /// How many events of one spam key may come at once. Default: 25.
        pub burst: u32 => with_burst,
        /// How many tokens a second a spam key gets back. Default: one in 300 s.
        pub qps: f32 => with_qps,
        /// How many different messages of one aggregate key turn it into an aggregate. Default: 10.
        pub max_events: usize => with_max_events,
        /// How long after the last of its events an aggregate key is forgotten. Default: 600 s.
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

/// Everything but the message: source, object, type, reason and reporter. The message is the key inside.
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

/// `(combined from similar events): ` and the newest event's message.
pub fn aggregate_message_by_reason(event: &Event) -> String {
    format!("(combined from similar events): {}", event.message)
}

/// Source, object and type.
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

/// What is to be done with an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Correlated {
    /// Nothing: there were too many of its kind. It has been counted nevertheless.
    Skip,
    /// Create this event.
    Create(Event),
    /// An event of this name is there already: patch it. If it has gone, create it as it is here.
    Patch(Event, Patch),
}

/// Correlates events: aggregate, then count, then limit. Pure: it has no clock and does no I/O.
///
/// - *Aggregate*: from the tenth different message on, events that differ only by their message are replaced by one
///   that stands for all, within ten minutes of each other.
/// - *Count*: an event that was seen before (aggregates too) is a patch of its count, its last time and its message.
/// - *Limit*: 25 events at once, then one in five minutes, by source, object and type. The limit comes last, so that
///   what it holds back still counts.
///
/// Memory: `cache_size` keys a stage, each about the length of an event's texts; an aggregate key holds at most
/// `max_events` messages.
///
/// ```
/// use client_rs_api::core::v1::Event;
/// use client_rs_events::record::{Correlated, CorrelatorOptions, EventCorrelator};
/// use client_rs_machinery::Time;
///
/// let mut correlator = EventCorrelator::new(CorrelatorOptions::default());
/// let (event, now) = (Event { message: "pulled".into(), count: 1, ..Event::EMPTY }, Time::now());
/// assert!(matches!(correlator.correlate(&event, now), Correlated::Create(_)));
/// // The same again is counted, not created.
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
    /// A correlator that has seen nothing.
    pub fn new(options: CorrelatorOptions) -> Self {
        let size = options.cache_size;
        Self { options, aggregates: Lru::new(size), observed: Lru::new(size), buckets: Lru::new(size) }
    }

    /// What to do with an event that comes now. The limit goes by the time of day too: while a clock that was ahead and is
    /// set back catches up, it gives nothing back. [`correlate_at`](Self::correlate_at) has no such gap.
    pub fn correlate(&mut self, event: &Event, now: Time) -> Correlated {
        let seconds = u64::try_from(now.seconds()).unwrap_or(0);
        self.correlate_at(event, now, Duration::new(seconds, now.nanos()))
    }

    /// What to do with an event that comes now, where `uptime` is the time since some moment by a clock that is never set:
    /// the limit goes by that.
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

    /// Remembers what the server made of an event: later ones patch that.
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
        // The set never reaches the maximum: the messages before the aggregate go on counting one by one, all later
        // ones are of the aggregate. (client-go forgets one at random here.)
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
        // A token that has come back but for a rounding error is there: 300 s × 1/300 s is one.
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

/// Everything that makes an event this very event.
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

/// What changes when an event comes again.
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

/// Zero where time has gone back.
fn elapsed(from: Time, to: Time) -> Duration {
    Duration::try_from(to - from).unwrap_or_default()
}

/// With a separator that no name holds, so that two lists of texts never give one key.
fn joined(texts: &[&Str]) -> String {
    let mut key = String::with_capacity(texts.iter().map(|text| text.len() + 1).sum());
    for text in texts {
        key.push_str(text);
        key.push('\0');
    }
    key
}
