//! The words of an answer.

use std::time::Duration;

use client_rs_machinery::MicroTime;

use crate::ReconcileOutcome;
use crate::recorder::{EventKind, changed};

/// The parts of an object that changed.
pub(super) fn parts(bits: u8) -> Vec<&'static str> {
    [
        (changed::SPEC, "spec"),
        (changed::LABELS, "labels"),
        (changed::ANNOTATIONS, "annotations"),
        (changed::FINALIZERS, "finalizers"),
        (changed::OWNERS, "ownerReferences"),
        (changed::DELETION, "deletion"),
        (changed::UID, "uid"),
        (changed::OTHER, "other"),
    ]
    .into_iter()
    .filter(|(bit, _)| bits & bit != 0)
    .map(|(_, name)| name)
    .collect()
}

/// The change of an event: "was updated to version 7 (its spec changed)".
pub(super) fn change(kind: EventKind, version: u64, bits: u8) -> String {
    let version = if version == 0 { String::new() } else { format!(" version {version}") };
    match kind {
        EventKind::Added => format!("was added{}", version.replacen(" version", " at version", 1)),
        EventKind::Initial => {
            format!("was in the first list{}", version.replacen(" version", " at version", 1))
        }
        EventKind::Deleted => "was deleted".to_owned(),
        EventKind::Resync => format!(
            "was replayed without a change (resync){}",
            version.replacen(" version", " at version", 1)
        ),
        EventKind::Updated => {
            let what = match &parts(bits)[..] {
                [] | ["other"] => "neither its metadata nor its generation changed: its status, or content without a generation".to_owned(),
                ["uid"] => "it was deleted and created again".to_owned(),
                parts => format!("changed: {}", parts.join(", ")),
            };
            let version = version.replacen(" version", " to version", 1);
            format!("was updated{version} ({what})")
        }
    }
}

/// The name of an outcome in the JSON.
pub(super) fn result(outcome: ReconcileOutcome) -> &'static str {
    match outcome {
        ReconcileOutcome::Success => "success",
        ReconcileOutcome::Requeue => "requeue",
        ReconcileOutcome::RequeueAfter => "requeueAfter",
        ReconcileOutcome::Error => "error",
        ReconcileOutcome::TerminalError => "terminalError",
        ReconcileOutcome::Panic => "panic",
        ReconcileOutcome::Timeout => "timeout",
        ReconcileOutcome::Cancelled => "cancelled",
    }
}

/// An outcome in words.
pub(super) fn ended(outcome: ReconcileOutcome, again: Option<u64>, code: u16) -> String {
    let code = if code == 0 { String::new() } else { format!(" (status {code})") };
    match outcome {
        ReconcileOutcome::Success => "it succeeded".to_owned(),
        ReconcileOutcome::Requeue => "it asked for another run after the backoff".to_owned(),
        ReconcileOutcome::RequeueAfter => {
            let delay = Duration::from_millis(again.unwrap_or_default());
            format!("it asked for another run after {delay:?}")
        }
        ReconcileOutcome::Error => format!("it failed{code}"),
        ReconcileOutcome::TerminalError => format!("it failed with a terminal error{code}"),
        ReconcileOutcome::Panic => "it panicked".to_owned(),
        ReconcileOutcome::Timeout => "it took too long and was dropped".to_owned(),
        ReconcileOutcome::Cancelled => "it was dropped before its end".to_owned(),
    }
}

/// A time to milliseconds.
pub(super) fn clock(time: MicroTime) -> String {
    let text = time.to_string();
    match text.split_once('.') {
        Some((seconds, _)) => format!("{seconds}.{:03}Z", time.nanos() / 1_000_000),
        None => text,
    }
}

/// A duration as people read it: `0s`, `340µs`, `3.2ms`, `59m59s`.
pub(super) fn span(microseconds: u64) -> String {
    let step = match microseconds {
        0..1_000 => 1,
        1_000..1_000_000 => 100,
        1_000_000..60_000_000 => 100_000,
        _ => 1_000_000,
    };
    let rounded = Duration::from_micros(microseconds / step * step);
    client_rs_machinery::Duration::from(rounded).to_string()
}

/// "1 key", "2 keys".
pub(super) fn count(number: usize, one: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{number} {one}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_times_are_short() {
        for (microseconds, text) in [
            (0, "0s"),
            (340, "340µs"),
            (3_271, "3.2ms"),
            (20_949_000, "20.9s"),
            (3_599_900_000, "59m59s"),
            (75_601_000_000, "21h0m1s"),
        ] {
            assert_eq!(span(microseconds), text);
        }
        let time = MicroTime::parse("2026-11-17T14:13:47.568912Z").unwrap();
        assert_eq!(clock(time), "2026-11-17T14:13:47.568Z");
        assert_eq!(
            (count(0, "key"), count(1, "key"), count(2, "key")),
            ("0 keys".into(), "1 key".into(), "2 keys".into())
        );
    }

    #[test]
    fn changes_are_sentences() {
        assert_eq!(change(EventKind::Added, 7, 0), "was added at version 7");
        assert_eq!(change(EventKind::Deleted, 7, 0), "was deleted");
        assert_eq!(
            change(EventKind::Updated, 8, changed::SPEC | changed::LABELS),
            "was updated to version 8 (changed: spec, labels)"
        );
        assert_eq!(
            change(EventKind::Updated, 0, changed::UID),
            "was updated (it was deleted and created again)"
        );
    }
}
