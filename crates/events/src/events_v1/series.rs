//! Series of equal events.

use client_rs_api::core::v1::ObjectReference;
use client_rs_api::events::v1::{Event, EventSeries};
use client_rs_machinery::{Duration, MicroTime, Shared, Str};

use crate::lru::Lru;

/// The events that may become a series, or are one. It has no clock and does no I/O.
///
/// Two events belong to one series if their type, action, reason, reporter, regarding and related object are equal. The note
/// is not compared. Memory: at most `capacity` keys. The least recently observed one is forgotten, including the part of its
/// count that was not sent yet.
///
/// ```
/// use client_rs_api::events::v1::Event;
/// use client_rs_events::events_v1::SeriesCache;
/// use client_rs_machinery::MicroTime;
///
/// let mut cache = SeriesCache::new(100);
/// let event = Event { reason: "Scheduled".into(), ..Event::EMPTY };
/// // The first is sent unchanged, the second makes it a series, the third is only counted.
/// assert_eq!(cache.observe(&event, MicroTime::now()).map(|sent| sent.series.is_some()), Some(false));
/// assert_eq!(cache.observe(&event, MicroTime::now()).map(|sent| sent.series.is_some()), Some(true));
/// assert_eq!(cache.observe(&event, MicroTime::now()), None);
/// assert_eq!(cache.untold()[0].series.as_ref().map(|series| series.count), Some(3));
/// ```
#[derive(Clone, Debug)]
pub struct SeriesCache {
    events: Lru<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    event: Event,
    /// The count of the series that was last returned for sending.
    told: i32,
}

impl SeriesCache {
    /// A series is finished after this time without another event.
    pub const FINISH: Duration = Duration::from_secs(6 * 60);

    /// A cache for at most this many keys.
    pub fn new(capacity: usize) -> Self {
        Self { events: Lru::new(capacity) }
    }

    /// Counts an event. Returns the event to send: for the first occurrence the event itself, for the second the first event
    /// with a series of two. Later occurrences are only counted.
    pub fn observe(&mut self, event: &Event, now: MicroTime) -> Option<Event> {
        let key = key(event);
        let Some(first) = self.events.get_mut(&key) else {
            self.events.insert(key, Entry { event: event.clone(), told: 0 });
            return Some(event.clone());
        };
        if let Some(series) = &mut first.event.series {
            series.count = series.count.saturating_add(1);
            series.last_observed_time = Some(now);
            return None;
        }
        first.event.series = Some(Shared::new(EventSeries { count: 2, last_observed_time: Some(now) }));
        first.told = 2;
        Some(first.event.clone())
    }

    /// All series with their current counts, to be sent again so that the server does not delete them as too old.
    pub fn series(&self) -> Vec<Event> {
        self.all_series().map(|(entry, _)| entry.event.clone()).collect()
    }

    /// All series that have grown since they were last sent.
    pub fn untold(&self) -> Vec<Event> {
        let grown = self.all_series().filter(|(entry, series)| series.count != entry.told);
        grown.map(|(entry, _)| entry.event.clone()).collect()
    }

    /// Stores the server's response for a series that was sent again. Occurrences that were counted in the meantime stay
    /// counted.
    pub fn refreshed(&mut self, sent: &Event, recorded: &Event) {
        if let Some(entry) = self.events.get_mut(&key(sent)) {
            let counted = entry.event.series.take();
            entry.event = Event { series: counted, ..recorded.clone() };
            entry.told = sent.series.as_ref().map_or(0, |series| series.count);
        }
    }

    /// Forgets single events that are older than [`FINISH`](Self::FINISH). Returns all series without an occurrence for that
    /// time, to be sent a last time.
    pub fn idle(&mut self, now: MicroTime) -> Vec<Event> {
        let Some(before) = now.checked_sub(Self::FINISH) else { return Vec::new() };
        let mut idle = Vec::new();
        let mut over = Vec::new();
        for (key, Entry { event, .. }) in self.events.iter() {
            match &event.series {
                Some(series) if series.last_observed_time < Some(before) => idle.push(event.clone()),
                None if event.event_time < Some(before) => over.push(key.to_owned()),
                _ => {}
            }
        }
        for key in over {
            self.events.remove(&key);
        }
        idle
    }

    /// Forgets a series that was sent a last time, unless it has grown in the meantime.
    pub fn finished(&mut self, sent: &Event) {
        let key = key(sent);
        let has_grown = self.events.get_mut(&key).is_some_and(|entry| entry.event.series != sent.series);
        if !has_grown {
            self.events.remove(&key);
        }
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.events.iter().count()
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn all_series(&self) -> impl Iterator<Item = (&Entry, &EventSeries)> {
        self.events.iter().filter_map(|(_, entry)| Some((entry, &**entry.event.series.as_ref()?)))
    }
}

fn key(event: &Event) -> String {
    let mut key = String::new();
    for text in
        [&event.type_, &event.action, &event.reason, &event.reporting_controller, &event.reporting_instance]
    {
        push(&mut key, text);
    }
    push_reference(&mut key, &event.regarding);
    if let Some(related) = &event.related {
        push_reference(&mut key, related);
    }
    key
}

fn push_reference(key: &mut String, reference: &ObjectReference) {
    for text in [
        &reference.kind,
        &reference.namespace,
        &reference.name,
        &reference.uid,
        &reference.api_version,
        &reference.resource_version,
        &reference.field_path,
    ] {
        push(key, text);
    }
}

fn push(key: &mut String, text: &Str) {
    key.push_str(text);
    key.push('\0');
}
