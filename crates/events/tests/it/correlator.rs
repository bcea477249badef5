//! The correlator: scenarios, and client-go's own results for the same events (`cargo xtask record correlator`).
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::Arc;
use std::time::Duration;

use client_rs_api::core::v1::{Event, EventSource, ObjectReference};
use client_rs_events::record::{
    Correlated, CorrelatorOptions, EventCorrelator, aggregate_key_by_reason, aggregate_message_by_reason,
};
use client_rs_machinery::Time;
use client_rs_machinery::meta::v1::ObjectMeta;
use serde::Deserialize;

fn at(seconds: i64) -> Time {
    Time::new(1_772_366_400 + seconds, 0).unwrap()
}

fn event(object: &str, reason: &str, message: &str, now: Time) -> Event {
    Event {
        metadata: ObjectMeta {
            name: format!("{object}.x").into(),
            namespace: "shop".into(),
            ..ObjectMeta::EMPTY
        },
        involved_object: ObjectReference {
            kind: "Pod".into(),
            namespace: "shop".into(),
            name: object.into(),
            uid: "uid".into(),
            api_version: "v1".into(),
            ..ObjectReference::EMPTY
        }
        .into(),
        reason: reason.into(),
        message: message.into(),
        type_: "Normal".into(),
        count: 1,
        source: EventSource { component: "kubelet".into(), host: "node-1".into() },
        first_timestamp: Some(now),
        last_timestamp: Some(now),
        ..Event::EMPTY
    }
}

fn correlator() -> EventCorrelator {
    EventCorrelator::new(CorrelatorOptions::default())
}

/// The event that is sent, and whether as a patch; `None` if none is sent.
fn told(correlated: Correlated) -> Option<(Event, bool)> {
    match correlated {
        Correlated::Skip => None,
        Correlated::Create(event) => Some((event, false)),
        Correlated::Patch(event, _) => Some((event, true)),
    }
}

#[test]
fn t6_2_09_aggregator_key_and_message() {
    let one = event("web", "Pulled", "first", at(0));
    let other_message = event("web", "Pulled", "second", at(9));
    let (key, local) = aggregate_key_by_reason(&one);
    assert_eq!(local, "first");
    assert_eq!(key, aggregate_key_by_reason(&other_message).0);
    for part in ["kubelet", "node-1", "Pod", "shop", "web", "uid", "v1", "Normal", "Pulled"] {
        assert!(key.contains(part), "{part} is not in {key}");
    }
    for other in [
        event("db", "Pulled", "first", at(0)),
        event("web", "BackOff", "first", at(0)),
        Event { type_: "Warning".into(), ..one.clone() },
        Event { reporting_component: "other".into(), ..one.clone() },
        Event { source: EventSource::EMPTY, ..one.clone() },
    ] {
        assert_ne!(key, aggregate_key_by_reason(&other).0);
    }
    assert_eq!(aggregate_message_by_reason(&one), "(combined from similar events): first");
}

#[test]
fn t6_2_10_a_single_event_passes_with_count_1() {
    let one = event("web", "Pulled", "first", at(0));
    assert_eq!(correlator().correlate(&one, at(0)), Correlated::Create(one));
}

#[test]
fn t6_2_11_the_same_event_only_counts_even_beyond_the_aggregation_limit() {
    let mut correlator = correlator();
    for count in 1..=15 {
        let now = at(i64::from(count));
        let (made, patch) = told(correlator.correlate(&event("web", "Pulled", "same", now), now)).unwrap();
        assert_eq!((made.count, patch), (count, count > 1));
        assert_eq!((made.message.as_str(), made.first_timestamp), ("same", Some(at(1))));
        assert_eq!(made.last_timestamp, Some(now));
    }
}

#[test]
fn t6_2_12_the_same_event_too_frequent_is_skipped_as_spam() {
    let mut correlator = correlator();
    let send = |correlator: &mut EventCorrelator, now| {
        told(correlator.correlate(&event("web", "Pulled", "same", now), now))
    };
    for _ in 0..25 {
        assert!(send(&mut correlator, at(0)).is_some());
    }
    for _ in 0..7 {
        assert_eq!(send(&mut correlator, at(0)), None);
    }
    // Events that were held back are counted: 25 + 7 + 1.
    assert_eq!(send(&mut correlator, at(299)), None);
    assert_eq!(send(&mut correlator, at(300)).unwrap().0.count, 34);
    assert_eq!(send(&mut correlator, at(300)), None);
}

#[test]
fn t6_2_13_many_unique_events_pass() {
    let mut correlator = correlator();
    for number in 0..200 {
        let one = event(&format!("pod-{number}"), "Pulled", &format!("message {number}"), at(0));
        assert_eq!(told(correlator.correlate(&one, at(0))), Some((one, false)));
    }
}

#[test]
fn t6_2_14_the_tenth_similar_message_turns_into_an_aggregate() {
    let mut correlator = correlator();
    for number in 0..9 {
        let one = event("web", "Pulled", &format!("message {number}"), at(number));
        assert_eq!(told(correlator.correlate(&one, at(number))), Some((one, false)));
    }
    let (made, patch) =
        told(correlator.correlate(&event("web", "Pulled", "message 9", at(9)), at(9))).unwrap();
    assert!(!patch);
    assert_eq!(made.message, "(combined from similar events): message 9");
    assert_eq!((made.count, made.first_timestamp, made.last_timestamp), (1, Some(at(9)), Some(at(9))));
    assert_eq!(made.metadata.name, client_rs_events::event_name("web", at(9)));
    assert_eq!((made.metadata.namespace.as_str(), made.reason.as_str()), ("shop", "Pulled"));
}

#[test]
fn t6_2_15_further_similar_ones_count_the_aggregate() {
    let mut correlator = correlator();
    for number in 0..10 {
        correlator.correlate(&event("web", "Pulled", &format!("message {number}"), at(0)), at(0));
    }
    for count in 2..=12 {
        let now = at(i64::from(count));
        let message = format!("later {count}");
        let (made, patch) = told(correlator.correlate(&event("web", "Pulled", &message, now), now)).unwrap();
        assert_eq!((made.count, patch), (count, true));
        assert_eq!(made.message, format!("(combined from similar events): {message}"));
        assert_eq!(made.first_timestamp, Some(at(0)));
    }
    // One of the first messages is still counted separately.
    let (made, _) = told(correlator.correlate(&event("web", "Pulled", "message 3", at(20)), at(20))).unwrap();
    assert_eq!((made.message.as_str(), made.count), ("message 3", 2));
}

#[test]
fn t6_2_16_different_containers_do_not_merge_counts() {
    let mut correlator = correlator();
    let of = |container: &str| {
        let mut one = event("web", "Pulled", "same", at(0));
        one.involved_object.field_path = format!("spec.containers{{{container}}}").into();
        one
    };
    assert_eq!(told(correlator.correlate(&of("app"), at(0))).unwrap().0.count, 1);
    assert_eq!(told(correlator.correlate(&of("sidecar"), at(0))).unwrap().0.count, 1);
    assert_eq!(told(correlator.correlate(&of("app"), at(0))).unwrap().0.count, 2);
    assert_eq!(told(correlator.correlate(&of("sidecar"), at(0))).unwrap().0.count, 2);
}

#[test]
fn t6_2_17_similar_events_slower_than_the_window_do_not_aggregate() {
    let mut correlator = correlator();
    for number in 0..30 {
        let now = at(number * 601);
        let one = event("web", "Pulled", &format!("message {number}"), now);
        assert_eq!(told(correlator.correlate(&one, now)), Some((one, false)));
    }
    // In time for the window, each renews it.
    let combined = (0..10)
        .filter_map(|number| {
            let now = at(40_000 + number * 600);
            told(correlator.correlate(&event("web", "Pulled", &format!("again {number}"), now), now))
        })
        .filter(|(made, _)| made.message.starts_with("(combined"))
        .count();
    assert_eq!(combined, 1);
}

#[test]
fn t6_2_18_the_spam_limit_is_by_source_object_and_type_or_as_one_says() {
    let passed = |options: CorrelatorOptions, events: &[Event]| {
        let mut correlator = EventCorrelator::new(options);
        let told = events.iter().filter(|event| told(correlator.correlate(event, at(0))).is_some());
        told.count()
    };
    let mut events = Vec::new();
    for number in 0..40 {
        events.push(event("web", &format!("Reason{number}"), "same", at(0)));
        events.push(Event { type_: "Warning".into(), ..events[events.len() - 1].clone() });
        events.push(event("db", "Pulled", &format!("message {number}"), at(0)));
    }
    assert_eq!(passed(CorrelatorOptions::default(), &events), 75);
    let of_one = CorrelatorOptions::default().with_burst(3).with_spam_key(Arc::new(|_| "all".into()));
    assert_eq!(passed(of_one, &events), 3);
    let none_back = CorrelatorOptions::default().with_burst(1).with_qps(0.0);
    assert_eq!(passed(none_back, &events), 3);
}

#[test]
fn options_change_when_events_are_combined() {
    let options = CorrelatorOptions::default()
        .with_max_events(2)
        .with_max_interval(Duration::from_secs(1))
        .with_message(Arc::new(|event| format!("many, such as {}", event.message)));
    let mut correlator = EventCorrelator::new(options);
    correlator.correlate(&event("web", "Pulled", "a", at(0)), at(0));
    let (made, _) = told(correlator.correlate(&event("web", "Pulled", "b", at(1)), at(1))).unwrap();
    assert_eq!(made.message, "many, such as b");
    let (made, _) = told(correlator.correlate(&event("web", "Pulled", "c", at(3)), at(3))).unwrap();
    assert_eq!(made.message, "c");
}

#[test]
fn a_small_cache_forgets_and_time_that_goes_back_gives_nothing() {
    let options = CorrelatorOptions::default().with_cache_size(1).with_burst(1);
    let mut correlator = EventCorrelator::new(options);
    let web = event("web", "Pulled", "same", at(0));
    assert!(told(correlator.correlate(&web, at(1000))).is_some());
    assert!(told(correlator.correlate(&web, at(0))).is_none());
    assert!(told(correlator.correlate(&web, at(1001))).is_none());
    assert!(told(correlator.correlate(&event("db", "Pulled", "same", at(0)), at(1001))).is_some());
    // Forgotten: it is new again.
    assert_eq!(told(correlator.correlate(&web, at(1002))).unwrap(), (web, false));
}

/// An event some seconds after the previous one, and client-go's result for it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Step {
    after: i64,
    component: String,
    object: String,
    #[serde(default)]
    field_path: String,
    r#type: String,
    reason: String,
    message: String,
    out: Out,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Out {
    #[serde(default)]
    skip: bool,
    #[serde(default)]
    name: String,
    #[serde(default)]
    version: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    count: i32,
    #[serde(default)]
    first: String,
    #[serde(default)]
    last: String,
    #[serde(default)]
    patch: Option<serde_json::Value>,
}

#[test]
fn the_same_events_have_the_same_results_as_in_client_go() {
    let mut compared = 0;
    for (number, line) in
        include_str!("../../../../tests/corpora/correlator.jsonl").lines().skip(1).enumerate()
    {
        let steps: Vec<Step> = serde_json::from_str(line).unwrap();
        let mut correlator = correlator();
        let mut now = 0;
        for (index, step) in steps.into_iter().enumerate() {
            now += step.after;
            let mut one = event(&step.object, &step.reason, &step.message, at(now));
            one.metadata.name = format!("event-{index}").into();
            one.involved_object.field_path = step.field_path.into();
            one.type_ = step.r#type.into();
            one.source = EventSource { component: step.component.into(), ..EventSource::EMPTY };
            let correlated = correlator.correlate(&one, at(now));
            assert_eq!(out(&correlated), step.out, "sequence {number}, step {index}");
            if let Some((mut stored, _)) = told(correlated) {
                stored.metadata.resource_version = (100 + index).to_string().into();
                correlator.update_state(&stored);
            }
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared}");
}

fn out(correlated: &Correlated) -> Out {
    let (made, patch) = match correlated {
        Correlated::Skip => {
            return Out {
                skip: true,
                name: String::new(),
                version: String::new(),
                message: String::new(),
                count: 0,
                first: String::new(),
                last: String::new(),
                patch: None,
            };
        }
        Correlated::Create(made) => (made, None),
        Correlated::Patch(made, patch) => (made, Some(serde_json::from_slice(&patch.body()).unwrap())),
    };
    let text = |time: Option<Time>| time.unwrap().to_string();
    Out {
        skip: false,
        name: made.metadata.name.as_str().to_owned(),
        version: made.metadata.resource_version.as_str().to_owned(),
        message: made.message.as_str().to_owned(),
        count: made.count,
        first: text(made.first_timestamp),
        last: text(made.last_timestamp),
        patch,
    }
}

#[test]
fn a_clock_that_is_set_back_does_not_stop_the_refill() {
    let options = CorrelatorOptions::default().with_burst(1);
    let mut correlator = EventCorrelator::new(options);
    let mut comes = |reason: &str, now: Time, uptime: u64| {
        told(correlator.correlate_at(&event("web", reason, "a", now), now, Duration::from_secs(uptime)))
            .is_some()
    };
    // The clock is an hour ahead: one event takes the only token.
    assert!(comes("A", at(3600), 10));
    // The clock is corrected: five minutes later there is another token, and the jump adds none.
    assert!(!comes("B", at(0), 11));
    assert!(comes("C", at(300), 310));
    assert!(!comes("D", at(9000), 311));
}
