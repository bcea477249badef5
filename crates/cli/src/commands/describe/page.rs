//! A description in the making.

use std::fmt::Write as _;

use client_rs_machinery::{Json, Time};

use crate::output::{number, printable, tabs};

/// The longest annotation that stands on its key's line.
const LONGEST: usize = 140;
/// The annotation of client-side apply, which repeats the object.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Lines, indented by levels, their cells divided by tabs until the end.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
}

impl Page {
    /// A line.
    pub(super) fn line(&mut self, level: usize, text: impl std::fmt::Display) {
        let _ = writeln!(self.text, "{}{}", "  ".repeat(level), printable(&text.to_string()));
    }

    /// A field and its value.
    pub(super) fn field(&mut self, level: usize, name: &str, value: impl std::fmt::Display) {
        self.line(level, format_args!("{name}:\t{value}"));
    }

    /// A field whose text is not empty.
    pub(super) fn some(&mut self, level: usize, name: &str, value: &Json) {
        if !shown(value).is_empty() {
            self.field(level, name, shown(value));
        }
    }

    /// Values below each other.
    pub(super) fn column(&mut self, title: &str, values: impl IntoIterator<Item = String>) {
        let mut values = values.into_iter();
        self.line(0, format_args!("{title}:\t{}", values.next().unwrap_or_else(|| "<none>".to_owned())));
        for value in values {
            self.line(0, format_args!("\t{value}"));
        }
    }

    pub(super) fn labels(&mut self, title: &str, labels: &Json) {
        let pairs = labels.as_map().into_iter().flatten();
        self.column(title, pairs.map(|(key, value)| format!("{key}={}", shown(value))));
    }

    pub(super) fn annotations(&mut self, title: &str, annotations: &Json) {
        let pairs = annotations.as_map().into_iter().flatten().filter(|(key, _)| *key != LAST_APPLIED);
        let mut lines = Vec::new();
        for (key, value) in pairs {
            let value = shown(value);
            let value = value.strip_suffix('\n').unwrap_or(&value);
            if value.len() + key.len() + 2 <= LONGEST && !value.contains('\n') {
                lines.push(format!("{key}: {value}"));
                continue;
            }
            lines.push(format!("{key}:"));
            lines.extend(value.split('\n').map(|line| format!("  {}", shortened(line, LONGEST - 2))));
        }
        self.column(title, lines);
    }

    /// The events of an object, the latest last.
    pub(super) fn events(&mut self, events: &[Json], now: Time) {
        if events.is_empty() {
            self.field(0, "Events", "<none>");
            return;
        }
        self.line(0, "Events:");
        self.line(1, "Type\tReason\tAge\tFrom\tMessage");
        self.line(1, "----\t------\t----\t----\t-------");
        let mut events: Vec<&Json> = events.iter().collect();
        events.sort_by_key(|event| time(&event["lastTimestamp"]));
        for event in events {
            let first = since(
                if event["eventTime"].is_null() { &event["firstTimestamp"] } else { &event["eventTime"] },
                now,
            );
            let (series, count) = (&event["series"], event["count"].as_i64().unwrap_or(0));
            let age = match series.as_map() {
                Some(_) => {
                    format!("{} (x{} over {first})", since(&series["lastObservedTime"], now), series["count"])
                }
                None if count > 1 => {
                    format!("{} (x{count} over {first})", since(&event["lastTimestamp"], now))
                }
                None => first,
            };
            let from = shown(&event["source"]["component"]);
            let from = if from.is_empty() { shown(&event["reportingComponent"]) } else { from };
            let message = shown(&event["message"]).trim().to_owned();
            let path = shown(&event["involvedObject"]["fieldPath"]);
            let message = if path.is_empty() { message } else { format!("{path}: {message}") };
            self.line(
                1,
                format_args!(
                    "{}\t{}\t{age}\t{from}\t{message}",
                    shown(&event["type"]),
                    shown(&event["reason"])
                ),
            );
        }
    }

    /// The text, its columns aligned.
    pub(super) fn finish(self) -> String {
        tabs::description(&self.text)
    }
}

/// A value as text; nothing for nothing.
pub(super) fn shown(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::Str(text) => text.to_string(),
        Json::Float(value) => number::shortest(*value),
        other => other.to_string(),
    }
}

/// The items of a list.
pub(super) fn list(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_list().into_iter().flatten()
}

pub(super) fn or_none(text: String) -> String {
    if text.is_empty() { "<none>".to_owned() } else { text }
}

/// How long ago it was.
pub(super) fn since(time_text: &Json, now: Time) -> String {
    match time(time_text) {
        Some(time) if !time.is_zero() => client_rs_apiserver::columns::age(time, now),
        _ => "<unknown>".to_owned(),
    }
}

fn time(value: &Json) -> Option<Time> {
    value.as_str().and_then(|text| Time::parse(text).ok())
}

/// A point in time as people write it: `Sun, 15 Nov 2026 16:00:00 +0000`.
pub(super) fn date(value: &Json) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let Some(time) = time(value) else { return "Mon, 01 Jan 0001 00:00:00 +0000".to_owned() };
    let text = time.to_string();
    let weekday = usize::try_from(time.seconds().div_euclid(86400).rem_euclid(7)).unwrap_or(0);
    let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
    let month = part(5..7).parse::<usize>().ok().and_then(|month| MONTHS.get(month.wrapping_sub(1)));
    let month = month.copied().unwrap_or_default();
    format!("{}, {} {month} {} {} +0000", DAYS[weekday], part(8..10), part(0..4), part(11..19))
}

fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    format!("{}...", &text[..end])
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn labels_and_annotations_stand_below_each_other() {
        let mut page = Page::default();
        page.field(0, "Name", "web");
        page.labels("Labels", &json!({"a": "b", "c": "d"}));
        page.annotations("Annotations", &json!({"k": "v", (LAST_APPLIED): "x", "long": "l".repeat(200)}));
        page.labels("Selector", &Json::Null);
        let expected = format!(
            "Name:         web\nLabels:       a=b\n              c=d\nAnnotations:  k: v\n              long:\n                {}...\nSelector:     <none>\n",
            "l".repeat(138)
        );
        assert_eq!(page.finish(), expected);
    }

    #[test]
    fn dates_are_people_s() {
        assert_eq!(date(&json!("2026-11-15T16:00:01Z")), "Sun, 15 Nov 2026 16:00:01 +0000");
        assert_eq!(date(&json!("1970-01-01T00:00:00Z")), "Thu, 01 Jan 1970 00:00:00 +0000");
        assert_eq!(since(&Json::Null, Time::now()), "<unknown>");
    }

    #[test]
    fn events_say_how_often() {
        let now = Time::parse("2026-01-01T00:10:00Z").unwrap();
        let events = [
            json!({"type": "Warning", "reason": "Later", "count": 3, "firstTimestamp": "2026-01-01T00:00:00Z",
                "lastTimestamp": "2026-01-01T00:09:00Z", "source": {"component": "kubelet"}, "message": "m\n"}),
            json!({"type": "Normal", "reason": "First", "firstTimestamp": "2026-01-01T00:00:00Z",
                "lastTimestamp": "2026-01-01T00:00:00Z", "reportingComponent": "sched", "message": "n",
                "involvedObject": {"fieldPath": "spec.c"}}),
        ];
        let mut page = Page::default();
        page.events(&events, now);
        let expected = "Events:\n  Type     Reason  Age                From     Message\n  ----     ------  ----               ----     -------\n  \
                        Normal   First   10m                sched    spec.c: n\n  Warning  Later   60s (x3 over 10m)  kubelet  m\n";
        assert_eq!(page.finish(), expected);
    }
}
