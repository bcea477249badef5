//! Every rule of the machine, as scripts of events and actions.

use std::fmt::Write as _;

use client_rs_machinery::{ApiError, CauseType, ErrorCause, ErrorDetails, ErrorStatus, StatusReason};

use super::*;
use crate::reflector::backoff::BackoffOptions;

/// A machine under a clock that only moves by hand.
struct Script {
    machine: Machine,
    now: Instant,
}

fn options() -> MachineOptions {
    MachineOptions {
        watch_list: false,
        backoff: Box::new(ExponentialBackoff::new(BackoffOptions::default(), Random::from_fn(|| 0.0))),
        random: Random::from_fn(|| 0.0),
        ..MachineOptions::default()
    }
}

fn streaming() -> MachineOptions {
    MachineOptions { watch_list: true, ..options() }
}

impl Script {
    fn new(options: MachineOptions) -> Self {
        Self { machine: Machine::new(options), now: Instant::now() }
    }

    /// After a list at version 5, with an open watch.
    fn watching(options: MachineOptions) -> Self {
        let mut script = Self::new(options);
        script.run(&[(Event::Start, "LIST rv=0 limit=500"), (listed("5", ""), "COMMIT 5")]);
        script.run(&[(Event::Committed, "at=5 WATCH rv=5"), (Event::Opened, "READ")]);
        script
    }

    fn run(&mut self, steps: &[(Event, &str)]) {
        for (event, expected) in steps {
            let actions = self.machine.step(event.clone(), self.now);
            assert_eq!(show(&actions), *expected, "after {event:?}");
        }
    }

    fn pass(&mut self, time: Duration) {
        self.now += time;
    }

    /// Advances the clock to the deadline of the machine, and calls it.
    fn wake(&mut self, expected: &str) -> Duration {
        let deadline = self.machine.deadline().expect("it waits for something");
        let waited = deadline.saturating_duration_since(self.now);
        self.now = self.now.max(deadline);
        self.run(&[(Event::Tick, expected)]);
        waited
    }
}

fn show(actions: &Actions) -> String {
    let mut text = String::new();
    match actions.object {
        Disposal::None => (),
        Disposal::Stage => text.push_str("stage "),
        Disposal::Apply => text.push_str("apply "),
    }
    if let Some(version) = &actions.resource_version {
        let _ = write!(text, "at={version} ");
    }
    if actions.report.is_some() {
        text.push_str("report ");
    }
    if actions.resync {
        text.push_str("resync ");
    }
    match &actions.note {
        Some(Note::Quiet { events, idle }) => {
            let _ = write!(text, "quiet events={events} idle={}s ", idle.as_secs());
        }
        Some(Note::Overdue) => text.push_str("overdue "),
        _ => (),
    }
    let _ = match &actions.next {
        Next::Continue => write!(text, "CONTINUE"),
        Next::Rest => write!(text, "REST"),
        Next::Read => write!(text, "READ"),
        Next::List { options, first_page } => {
            assert_eq!(*first_page, options.continue_.is_empty());
            assert_eq!((options.watch, options.send_initial_events), (false, None));
            let token = if options.continue_.is_empty() {
                String::new()
            } else {
                format!(" continue={}", options.continue_)
            };
            write!(text, "LIST rv={} limit={}{token}", options.resource_version, options.limit)
        }
        Next::Watch { options, stream } => {
            assert!(options.watch && options.allow_watch_bookmarks && options.timeout_seconds.is_some());
            assert_eq!(*stream, options.send_initial_events == Some(true));
            assert_eq!(*stream, options.resource_version_match == "NotOlderThan");
            let word = if *stream { "STREAM" } else { "WATCH" };
            write!(text, "{word} rv={}", options.resource_version)
        }
        Next::Commit { resource_version, check } => {
            write!(text, "COMMIT {resource_version}{}", if *check { " after a check" } else { "" })
        }
    };
    text
}

fn listed(version: &str, token: &str) -> Event {
    Event::Listed { resource_version: version.into(), continue_token: token.into() }
}

fn object(kind: WatchEventType, version: &str) -> Event {
    Event::Object { kind, resource_version: version.into() }
}

fn added(version: &str) -> Event {
    object(WatchEventType::Added, version)
}

fn modified(version: &str) -> Event {
    object(WatchEventType::Modified, version)
}

fn bookmark(version: &str) -> Event {
    Event::Bookmark { resource_version: version.into(), initial_events_end: false }
}

fn initial_events_end(version: &str) -> Event {
    Event::Bookmark { resource_version: version.into(), initial_events_end: true }
}

fn expired() -> FetchError {
    ApiError::resource_expired("too old resource version").into()
}

fn gone() -> FetchError {
    ApiError::gone("too old resource version").into()
}

fn too_many() -> FetchError {
    ApiError::too_many_requests("later", 1).into()
}

fn internal() -> FetchError {
    ApiError::internal_error("etcd").into()
}

fn refused() -> FetchError {
    FetchError::ConnectionRefused(std::sync::Arc::new(std::io::Error::from(
        std::io::ErrorKind::ConnectionRefused,
    )))
}

fn other() -> FetchError {
    FetchError::other("odd")
}

fn too_large(cause: Option<&str>, message: &str) -> FetchError {
    let causes = cause.map(|message| ErrorCause {
        cause_type: if message.is_empty() {
            CauseType::ResourceVersionTooLarge
        } else {
            CauseType::default()
        },
        message: message.into(),
        field: Str::EMPTY,
    });
    ApiError::new(ErrorStatus {
        code: 504,
        reason: StatusReason::Timeout,
        message: message.into(),
        details: Some(ErrorDetails {
            causes: causes.into_iter().collect::<Vec<_>>().into(),
            ..ErrorDetails::default()
        }),
        unexpected_object: false,
    })
    .into()
}

#[test]
fn t1_2_18_the_first_list_requests_version_zero_and_the_next_the_last_seen_version() {
    let mut script = Script::watching(options());
    script.run(&[
        (added("6"), "apply at=6 READ"),
        (object(WatchEventType::Deleted, "8"), "apply at=8 READ"),
        (bookmark("9"), "at=9 READ"),
        (Event::Broken(gone()), "REST"),
    ]);
    script.wake("LIST rv=9 limit=0");
}

#[test]
fn t1_2_05_a_watch_that_ends_is_opened_again_at_once_unless_it_was_short_and_empty() {
    let mut script = Script::watching(options());
    script.pass(Duration::from_secs(1));
    script.run(&[(Event::Closed, "WATCH rv=5"), (Event::Opened, "READ"), (modified("6"), "apply at=6 READ")]);
    // Ends soon, but had an event.
    script.run(&[(Event::Closed, "WATCH rv=6"), (Event::Opened, "READ")]);
    script.pass(Duration::from_millis(999));
    script.run(&[(Event::Closed, "REST")]);
    assert_eq!(script.wake("LIST rv=6 limit=0"), Duration::from_millis(800));
}

#[test]
fn watches_that_end_after_one_event_lead_to_a_pause() {
    let mut script = Script::watching(options());
    for round in 6..8 {
        let at = format!("apply at={round} READ");
        script.run(&[(modified(&round.to_string()), &*at)]);
        script.run(&[(Event::Closed, &*format!("WATCH rv={round}")), (Event::Opened, "READ")]);
    }
    script.run(&[(modified("8"), "apply at=8 READ"), (Event::Closed, "REST")]);
    assert_eq!(script.wake("WATCH rv=8"), Duration::from_millis(800));
    script.run(&[(Event::Opened, "READ"), (modified("9"), "apply at=9 READ")]);
    script.pass(Duration::from_secs(2));
    script.run(&[
        (Event::Closed, "WATCH rv=9"),
        (Event::Opened, "READ"),
        (modified("10"), "apply at=10 READ"),
    ]);
    script.run(&[(Event::Closed, "WATCH rv=10")]);
}

#[test]
fn t1_2_09_failures_lead_to_a_relist_or_to_the_next_watch() {
    // Opening.
    for (error, expected, next) in [
        (refused(), "REST", "WATCH rv=5"),
        (too_many(), "REST", "WATCH rv=5"),
        (ApiError::service_unavailable("x").into(), "report REST", "LIST rv=5 limit=0"),
        (internal(), "report REST", "LIST rv=5 limit=0"),
        (expired(), "report REST", "LIST rv=5 limit=0"),
        (FetchError::Eof, "report REST", "LIST rv=5 limit=0"),
        (other(), "report REST", "LIST rv=5 limit=0"),
    ] {
        let mut script = Script::watching(options());
        script.pass(Duration::from_secs(2));
        script.run(&[(Event::Closed, "WATCH rv=5"), (Event::OpenFailed(error), expected)]);
        assert_eq!(script.wake(next), Duration::from_millis(800));
    }
    // Reading.
    for (error, expected, next) in [
        (expired(), "REST", "LIST rv=5 limit=0"),
        (gone(), "REST", "LIST rv=5 limit=0"),
        (too_many(), "REST", "WATCH rv=5"),
        (internal(), "REST", "LIST rv=5 limit=0"),
        (other(), "REST", "LIST rv=5 limit=0"),
    ] {
        let mut script = Script::watching(options());
        script.pass(Duration::from_secs(2));
        script.run(&[(Event::Broken(error), expected)]);
        assert_eq!(script.wake(next), Duration::from_millis(800));
    }
    // A lost connection counts as the end of the watch.
    for error in [FetchError::Eof, FetchError::Disconnected(std::sync::Arc::new(std::fmt::Error))] {
        let mut script = Script::watching(options());
        script.pass(Duration::from_secs(2));
        script.run(&[(Event::Broken(error), "WATCH rv=5")]);
    }
    // Listing.
    for error in [refused(), too_many(), internal(), other(), FetchError::Table] {
        let mut script = Script::new(options());
        script.run(&[(Event::Start, "LIST rv=0 limit=500"), (Event::ListFailed(error), "report REST")]);
        assert_eq!(script.wake("LIST rv=0 limit=500"), Duration::from_millis(800));
    }
}

#[test]
fn t1_2_11_one_backoff_serves_rounds_and_waits_inside_them() {
    struct Counting(u64);
    impl RetryBackoff for Counting {
        fn next_delay(&mut self, _: Instant) -> Duration {
            self.0 += 1;
            Duration::from_secs(self.0)
        }
    }
    let mut script = Script::new(MachineOptions { backoff: Box::new(Counting(0)), ..options() });
    script.run(&[(Event::Start, "LIST rv=0 limit=500"), (Event::ListFailed(other()), "report REST")]);
    assert_eq!(script.wake("LIST rv=0 limit=500").as_secs(), 1);
    script.run(&[(listed("5", ""), "COMMIT 5"), (Event::Committed, "at=5 WATCH rv=5")]);
    script.run(&[(Event::OpenFailed(refused()), "REST")]);
    assert_eq!(script.wake("WATCH rv=5").as_secs(), 2);
    script.run(&[(Event::Opened, "READ"), (Event::Broken(too_many()), "REST")]);
    assert_eq!(script.wake("WATCH rv=5").as_secs(), 3);
}

#[test]
fn t1_2_12_too_many_requests_backs_off_without_a_relist() {
    let mut script = Script::watching(options());
    script.run(&[(Event::Broken(too_many()), "REST")]);
    let mut waits = vec![script.wake("WATCH rv=5")];
    for _ in 0..3 {
        script.run(&[(Event::OpenFailed(too_many()), "REST")]);
        waits.push(script.wake("WATCH rv=5"));
    }
    assert_eq!(waits, [800, 1600, 3200, 6400].map(Duration::from_millis));
}

#[test]
fn t1_2_13_internal_errors_are_retried_while_the_window_is_open() {
    // Off.
    let mut script = Script::watching(options());
    script.run(&[(Event::Broken(internal()), "REST")]);
    // Always failing: until the window closes.
    let window = || MachineOptions { max_internal_error_retry: Duration::from_secs(50), ..options() };
    let mut script = Script::watching(window());
    for _ in 0..3 {
        script.run(&[(Event::Broken(internal()), "WATCH rv=5"), (Event::Opened, "READ")]);
        script.pass(Duration::from_secs(25));
    }
    script.run(&[(Event::Broken(internal()), "REST")]);
    // One success, and errors a minute apart: a new window.
    let mut script = Script::watching(window());
    for _ in 0..5 {
        script.run(&[(Event::Broken(internal()), "WATCH rv=5"), (Event::Opened, "READ")]);
        script.run(&[(modified("5"), "apply at=5 READ")]);
        script.pass(Duration::from_mins(1));
    }
}

// T1.2-14. A deliberate difference from client-go: a resync cannot fail, so it ends nothing.
#[test]
fn t1_2_14_resyncs_follow_the_schedule_and_end_with_the_round() {
    let period = Duration::from_secs(30);
    let mut script = Script::watching(MachineOptions { resync_period: Some(period), ..options() });
    for _ in 0..3 {
        assert_eq!(script.wake("resync CONTINUE"), period);
    }
    // Also during a pause before a watch.
    script.run(&[(Event::Broken(too_many()), "REST")]);
    script.pass(period);
    script.run(&[(Event::Tick, "resync WATCH rv=5"), (Event::Opened, "READ")]);
    script.run(&[(Event::Broken(other()), "REST")]);
    assert_eq!(script.wake("LIST rv=5 limit=0"), Duration::from_millis(1600), "no resync while resting");
}

#[test]
fn t1_2_03_no_resync_without_a_period() {
    let script = Script::watching(options());
    let overdue = script.machine.deadline().unwrap();
    assert_eq!(overdue - script.now, Duration::from_secs(330), "it waits only for the end of the watch");
}

#[test]
fn t1_2_15_every_request_has_the_page_size() {
    let mut script = Script::new(MachineOptions { page_size: 4, ..options() });
    script.run(&[
        (Event::Start, "LIST rv=0 limit=4"),
        (listed("10", "t1"), "LIST rv= limit=4 continue=t1"),
        (listed("11", "t2"), "LIST rv= limit=4 continue=t2"),
        // The version of the first page counts: later ones may be newer than the items of the first.
        (listed("12", ""), "COMMIT 10"),
        (Event::Committed, "at=10 WATCH rv=10"),
        (Event::OpenFailed(other()), "report REST"),
    ]);
    script.wake("LIST rv=10 limit=4");
}

#[test]
fn t1_2_16_a_list_from_a_version_is_not_paginated() {
    let mut script = Script::watching(options());
    script.run(&[(Event::Broken(other()), "REST")]);
    script.wake("LIST rv=5 limit=0");
}

#[test]
fn t1_2_17_pages_at_version_zero_show_that_there_is_no_watch_cache() {
    let mut script = Script::new(options());
    script.run(&[
        (Event::Start, "LIST rv=0 limit=500"),
        (listed("10", "t"), "LIST rv= limit=500 continue=t"),
        (listed("10", ""), "COMMIT 10"),
        (Event::Committed, "at=10 WATCH rv=10"),
        (Event::OpenFailed(other()), "report REST"),
    ]);
    script.wake("LIST rv=10 limit=500");
}

#[test]
fn t1_2_19_a_list_at_an_expired_version_is_followed_by_one_without() {
    for error in [expired(), gone()] {
        let mut script = Script::watching(options());
        script.run(&[(Event::Broken(expired()), "REST")]);
        script.wake("LIST rv=5 limit=0");
        script.run(&[(Event::ListFailed(error), "LIST rv= limit=500")]);
        script.run(&[(listed("20", ""), "COMMIT 20"), (Event::Committed, "at=20 WATCH rv=20")]);
        // Success: the version counts again.
        script.run(&[(Event::OpenFailed(other()), "report REST")]);
        script.wake("LIST rv=20 limit=0");
        // Failure: it still does not count.
        script.run(&[(Event::ListFailed(expired()), "LIST rv= limit=500")]);
        script.run(&[(Event::ListFailed(expired()), "report REST")]);
        script.wake("LIST rv= limit=500");
    }
}

#[test]
fn t1_2_20_an_expired_continuation_is_followed_by_the_whole_list() {
    let mut script = Script::new(options());
    script.run(&[
        (Event::Start, "LIST rv=0 limit=500"),
        (listed("10", "t"), "LIST rv= limit=500 continue=t"),
        (Event::ListFailed(expired()), "LIST rv=0 limit=0"),
        (listed("12", ""), "COMMIT 12"),
    ]);
}

#[test]
fn t1_2_21_too_large_a_version_is_followed_by_a_list_without() {
    for error in [
        too_large(Some(""), "x"),
        too_large(Some("Too large resource version"), "x"),
        too_large(None, "Timeout: Too large resource version: 5, current: 3"),
    ] {
        let mut script = Script::watching(options());
        script.run(&[(Event::Broken(other()), "REST")]);
        script.wake("LIST rv=5 limit=0");
        script.run(&[(Event::ListFailed(error), "LIST rv= limit=500"), (listed("3", ""), "COMMIT 3")]);
        script.run(&[(Event::Committed, "at=3 WATCH rv=3")]);
    }
}

#[test]
fn t1_2_23_watch_timeouts_are_random_whole_seconds() {
    let timeout = |min: Duration, unit: f64| {
        let random = Random::from_fn(move || unit);
        let mut machine = Machine::new(MachineOptions { min_watch_timeout: min, random, ..options() });
        let (options, overdue) = machine.watch_options(Instant::now());
        assert!(overdue > Instant::now() + Duration::from_secs(299));
        options.timeout_seconds.unwrap()
    };
    let minute = Duration::from_mins(1);
    assert_eq!((timeout(Duration::ZERO, 0.0), timeout(Duration::ZERO, 0.999_999)), (300, 599));
    assert_eq!((timeout(minute, 0.0), timeout(minute, 0.5)), (300, 450), "too short to count");
    assert_eq!((timeout(30 * minute, 0.0), timeout(30 * minute, 0.999_999)), (1800, 3599));
    // Each request has its own random timeout.
    let mut machine = Machine::new(MachineOptions { random: Random::seeded(1), ..options() });
    let drawn: std::collections::HashSet<_> =
        (0..20).map(|_| machine.watch_options(Instant::now()).0.timeout_seconds).collect();
    assert!(drawn.len() > 15, "{drawn:?}");
}

#[test]
fn a_watch_that_the_server_does_not_end_in_time_is_dropped() {
    let mut script = Script::watching(options());
    assert_eq!(script.wake("overdue WATCH rv=5"), Duration::from_secs(330));
    assert_eq!(script.wake("overdue WATCH rv=5"), Duration::from_secs(330), "also one that never opens");
    let mut script = Script::new(streaming());
    script.run(&[(Event::Start, "STREAM rv=")]);
    assert_eq!(script.wake("overdue STREAM rv="), Duration::from_secs(330));
}

#[test]
fn t1_2_26_a_storage_read_error_ends_the_watch_and_a_relist_follows() {
    let mut script = Script::watching(options());
    let corrupt = ApiError::new(ErrorStatus {
        code: 500,
        reason: StatusReason::StorageReadError,
        ..ErrorStatus::default()
    });
    script.run(&[(Event::Broken(corrupt.into()), "REST")]);
    script.wake("LIST rv=5 limit=0");
    script.run(&[(listed("9", ""), "COMMIT 9")]);
}

#[test]
fn a_store_that_refuses_a_list_is_reported() {
    let mut script = Script::new(options());
    script.run(&[
        (Event::Start, "LIST rv=0 limit=500"),
        (listed("5", ""), "COMMIT 5"),
        (Event::CommitFailed(other()), "report REST"),
    ]);
    script.wake("LIST rv=0 limit=500");
}

#[test]
fn additions_of_a_watch_without_a_version_do_not_advance_the_version() {
    let mut script = Script::new(options());
    script.run(&[
        (Event::Start, "LIST rv=0 limit=500"),
        (listed("", ""), "COMMIT "),
        (Event::Committed, "at= WATCH rv="),
        (Event::Opened, "READ"),
        (added("7"), "apply READ"),
        (added("9"), "apply READ"),
        (modified("10"), "apply at=10 READ"),
        (added("11"), "apply at=11 READ"),
        (bookmark("12"), "at=12 READ"),
    ]);
}

#[test]
fn t1_2_31_without_streaming_there_is_a_list_and_then_a_watch() {
    Script::watching(options());
}

#[test]
fn t1_2_30_without_the_marker_a_stream_commits_nothing() {
    let mut script = Script::new(streaming());
    script.run(&[
        (Event::Start, "STREAM rv="),
        (Event::Opened, "READ"),
        (added("1"), "stage READ"),
        (added("2"), "stage READ"),
        (bookmark("3"), "READ"),
    ]);
    assert_eq!(script.machine.last_resource_version(), "");
}

#[test]
fn t1_2_33_the_marker_commits_once_and_the_same_watch_continues() {
    let mut script = Script::new(streaming());
    script.run(&[
        (Event::Start, "STREAM rv="),
        (Event::Opened, "READ"),
        (added("1"), "stage READ"),
        (initial_events_end("10"), "COMMIT 10"),
        (Event::Committed, "at=10 READ"),
        (added("11"), "apply at=11 READ"),
        (bookmark("12"), "at=12 READ"),
        (initial_events_end("13"), "at=13 READ"),
    ]);
}

#[test]
fn t1_2_34_changes_before_the_marker_belong_to_the_list() {
    let mut script = Script::new(streaming());
    script.run(&[
        (Event::Start, "STREAM rv="),
        (Event::Opened, "READ"),
        (added("1"), "stage READ"),
        (modified("2"), "stage READ"),
        (object(WatchEventType::Deleted, "3"), "stage READ"),
        (initial_events_end("3"), "COMMIT 3"),
    ]);
}

#[test]
fn t1_2_40_additions_never_become_the_version_before_the_marker() {
    let mut script = Script::new(streaming());
    script.run(&[
        (Event::Start, "STREAM rv="),
        (Event::Opened, "READ"),
        (added("100"), "stage READ"),
        (added("200"), "stage READ"),
        (initial_events_end("150"), "COMMIT 150"),
        (Event::Committed, "at=150 READ"),
    ]);
    assert_eq!(script.machine.last_resource_version(), "150");
}

#[test]
fn t1_2_32_any_other_error_falls_back_to_a_list_for_this_round() {
    let bad_request = || ApiError::bad_request("sendInitialEvents is forbidden").into();
    for error in [bad_request(), internal(), other(), FetchError::Eof, expired()] {
        let mut script = Script::new(streaming());
        script.run(&[(Event::Start, "STREAM rv="), (Event::OpenFailed(error), "LIST rv=0 limit=500")]);
    }
    for error in [internal(), other(), bad_request()] {
        let mut script = Script::new(streaming());
        script.run(&[
            (Event::Start, "STREAM rv="),
            (Event::Opened, "READ"),
            (added("1"), "stage READ"),
            (Event::Broken(error), "LIST rv=0 limit=500"),
            (listed("5", ""), "COMMIT 5"),
            (Event::Committed, "at=5 WATCH rv=5"),
            (Event::OpenFailed(other()), "report REST"),
        ]);
        // The next round tries a stream again.
        script.wake("STREAM rv=5");
    }
    let mut script = Script::new(streaming());
    script.run(&[(Event::Start, "STREAM rv="), (Event::Opened, "READ")]);
    script.run(&[(Event::Closed, "LIST rv=0 limit=500")]);
    let mut script = Script::new(streaming());
    script.run(&[
        (Event::Start, "STREAM rv="),
        (Event::Opened, "READ"),
        (initial_events_end("5"), "COMMIT 5"),
    ]);
    script.run(&[(Event::CommitFailed(other()), "LIST rv=0 limit=500")]);
}

#[test]
fn t1_2_35_with_a_busy_server_the_stream_is_retried_and_never_replaced_by_a_list() {
    for error in [too_many(), refused()] {
        let mut script = Script::new(streaming());
        script.run(&[(Event::Start, "STREAM rv="), (Event::OpenFailed(error.clone()), "REST")]);
        assert_eq!(script.wake("STREAM rv="), Duration::from_millis(800));
        script.run(&[(Event::Opened, "READ"), (added("1"), "stage READ"), (Event::Broken(error), "REST")]);
        assert_eq!(script.wake("STREAM rv="), Duration::from_millis(1600));
    }
}

#[test]
fn t1_2_36_a_stream_that_ends_before_the_marker_starts_over_after_a_pause() {
    let mut script = Script::new(streaming());
    script.run(&[(Event::Start, "STREAM rv="), (Event::Opened, "READ"), (added("1"), "stage READ")]);
    script.pass(Duration::from_mins(5));
    script.run(&[(Event::Closed, "REST")]);
    assert_eq!(script.wake("STREAM rv="), Duration::from_millis(800));
    script.run(&[(Event::Opened, "READ"), (initial_events_end("5"), "COMMIT 5")]);
    script.run(&[(Event::Committed, "at=5 READ")]);
}

fn streamed() -> Script {
    let mut script = Script::new(streaming());
    script.run(&[
        (Event::Start, "STREAM rv="),
        (Event::Opened, "READ"),
        (added("1"), "stage READ"),
        (initial_events_end("10"), "COMMIT 10"),
        (Event::Committed, "at=10 READ"),
    ]);
    script
}

#[test]
fn t1_2_37_a_watch_that_ends_after_the_sync_resumes_without_initial_events() {
    let mut script = streamed();
    script.pass(Duration::from_secs(2));
    script.run(&[(Event::Closed, "WATCH rv=10")]);
}

#[test]
fn t1_2_38_an_expired_watch_leads_to_a_stream_from_the_last_version_and_then_from_any() {
    let mut script = streamed();
    script.run(&[(Event::Broken(expired()), "REST")]);
    script.wake("STREAM rv=10");
    script.run(&[
        (Event::OpenFailed(too_large(Some(""), "x")), "STREAM rv="),
        (Event::Opened, "READ"),
        (initial_events_end("3"), "COMMIT 3"),
        (Event::Committed, "at=3 READ"),
        (Event::Broken(gone()), "REST"),
    ]);
    script.wake("STREAM rv=3");
    script.run(&[
        (Event::Opened, "READ"),
        (Event::Broken(expired()), "STREAM rv="),
        (Event::OpenFailed(expired()), "LIST rv= limit=500"),
    ]);
}

#[test]
fn t1_2_41_a_quiet_stream_is_reported_every_ten_seconds() {
    let mut script = Script::new(streaming());
    script.run(&[(Event::Start, "STREAM rv="), (Event::Opened, "READ")]);
    assert_eq!(script.wake("quiet events=0 idle=10s CONTINUE"), Duration::from_secs(10));
    script.pass(Duration::from_secs(4));
    script.run(&[(added("1"), "stage READ")]);
    assert_eq!(script.wake("CONTINUE"), Duration::from_secs(6), "the last event is not ten seconds old");
    assert_eq!(script.wake("quiet events=1 idle=16s CONTINUE"), Duration::from_secs(10));
    script.run(&[(initial_events_end("10"), "COMMIT 10"), (Event::Committed, "at=10 READ")]);
    // A watch may be quiet for any time.
    let end = script.machine.deadline().unwrap();
    assert!(end > script.now + Duration::from_secs(200));
}

#[test]
fn t1_3_06_a_check_is_made_unless_the_version_is_zero() {
    for (version, expected) in [("10", "COMMIT 10 after a check"), ("0", "COMMIT 0")] {
        let mut script = Script::new(MachineOptions { check_consistency: true, ..streaming() });
        script.run(&[(Event::Start, "STREAM rv="), (Event::Opened, "READ")]);
        script.run(&[(initial_events_end(version), expected)]);
    }
    let mut script = Script::new(MachineOptions { check_consistency: true, ..streaming() });
    script.run(&[(Event::Start, "STREAM rv="), (Event::Opened, "READ")]);
    script.run(&[
        (initial_events_end("10"), "COMMIT 10 after a check"),
        (Event::CommitFailed(FetchError::Inconsistent("x".into())), "report LIST rv=0 limit=500"),
    ]);
}

#[test]
fn a_resting_machine_ignores_late_events() {
    let mut script = Script::watching(options());
    script.run(&[(Event::Broken(other()), "REST")]);
    for event in [Event::Closed, Event::Opened, modified("9"), listed("9", ""), Event::Committed] {
        script.run(&[(event, "CONTINUE")]);
    }
    assert_eq!(script.machine.last_resource_version(), "5");
}

mod odd;
