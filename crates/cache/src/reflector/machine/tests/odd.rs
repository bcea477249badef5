//! Unusual servers and options.

use super::*;

#[test]
fn a_skipped_event_does_not_end_the_synthetic_additions() {
    let mut script = Script::new(options());
    script.run(&[
        (Event::Start, "LIST rv=0 limit=500"),
        (listed("0", ""), "COMMIT 0"),
        (Event::Committed, "at=0 WATCH rv=0"),
        (Event::Opened, "READ"),
        (added("7"), "apply READ"),
        (Event::Skipped, "READ"),
        // Not all existing objects have been sent: a watch that resumes after this would miss the rest.
        (added("3"), "apply READ"),
    ]);
    script.pass(Duration::from_secs(2));
    script.run(&[(Event::Closed, "WATCH rv=0")]);
}

#[test]
fn a_list_older_than_the_cache_is_repeated_and_every_object_counts_as_new() {
    let mut script = Script::watching(options());
    script.run(&[(Event::Broken(gone()), "REST")]);
    script.wake("LIST rv=5 limit=0");
    assert!(script.machine.trusts_versions());
    script.run(&[(listed("4", ""), "LIST rv= limit=500")]);
    assert!(!script.machine.trusts_versions());
    script.run(&[(listed("4", ""), "COMMIT 4"), (Event::Committed, "at=4 WATCH rv=4")]);
    assert!(script.machine.trusts_versions());
    // A version that the server reports as too large may belong to other content by now.
    script.run(&[(Event::Opened, "READ"), (Event::Broken(gone()), "REST")]);
    script.wake("LIST rv=4 limit=0");
    script.run(&[(Event::ListFailed(too_large(Some(""), "")), "LIST rv= limit=500")]);
    assert!(!script.machine.trusts_versions());
    script.run(&[(listed("6", ""), "COMMIT 6"), (Event::Committed, "at=6 WATCH rv=6")]);
    assert!(script.machine.trusts_versions());
}

#[test]
fn a_server_that_handles_a_streamed_list_as_a_watch_gets_a_plain_list_request() {
    // It sends no further event and no end marker.
    let mut script = Script::new(streaming());
    script.run(&[(Event::Start, "STREAM rv="), (Event::Opened, "READ"), (added("5"), "stage READ")]);
    for idle in 1..6 {
        script.wake(&format!("quiet events=1 idle={idle}0s CONTINUE"));
    }
    script.wake("LIST rv=0 limit=500");
    // It sends an event now and then, and ends the watch in time.
    let mut script = Script::new(streaming());
    script.run(&[(Event::Start, "STREAM rv="), (Event::Opened, "READ"), (added("5"), "stage READ")]);
    script.pass(Duration::from_mins(6));
    script.run(&[(Event::Closed, "REST")]);
    assert_eq!(script.wake("STREAM rv="), Duration::from_millis(800));
    script.run(&[(Event::Opened, "READ"), (added("5"), "stage READ")]);
    script.pass(Duration::from_mins(6));
    script.run(&[(Event::Closed, "LIST rv=0 limit=500")]);
}

#[test]
fn a_maximal_duration_does_not_panic() {
    struct Never;
    impl RetryBackoff for Never {
        fn next_delay(&mut self, _: Instant) -> Duration {
            Duration::MAX
        }
    }
    let never = || MachineOptions {
        backoff: Box::new(Never),
        resync_period: Some(Duration::MAX),
        min_watch_timeout: Duration::MAX,
        max_internal_error_retry: Duration::MAX,
        ..options()
    };
    let mut script = Script::watching(never());
    script.run(&[(Event::Broken(too_many()), "REST")]);
    assert_eq!(script.machine.deadline(), None);
    let mut script = Script::watching(never());
    script.run(&[(Event::Broken(gone()), "REST")]);
    assert_eq!(script.machine.deadline(), None);
}
