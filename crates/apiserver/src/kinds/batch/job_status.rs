//! The status of a job. A rule about fields is checked only when one of them changes, because a change of the spec can break it for a
//! moment.

use std::collections::HashSet;

use client_rs_machinery::{FieldError, Json, Time, Unstructured};

use crate::kinds::rules::Errors;
use crate::kinds::shared::checks::{IMMUTABLE, at, is_empty, list, not_negative, text, wrong};

const CONDITIONS: &str = "status.conditions";

/// The statuses and the spec of a job that is written.
struct Change<'a> {
    spec: &'a Json,
    new: &'a Json,
    old: &'a Json,
}

pub(super) fn validate(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let change = Change { spec: at(new, "spec"), new: at(new, "status"), old: at(old, "status") };
    not_negative(change.new, "status", &["active", "succeeded", "failed", "ready", "terminating"], errors);
    change.uncounted(errors);
    change.ends(errors);
    change.finished(errors);
    change.indexes(errors);
    change.criteria(errors);
    change.transitions(errors);
}

impl Change<'_> {
    /// Whether one of these fields changes.
    fn fields(&self, fields: &[&str]) -> bool {
        fields.iter().any(|field| self.new[*field] != self.old[*field])
    }

    /// Whether one of these conditions becomes true or false.
    fn conditions(&self, kinds: &[&str]) -> bool {
        kinds.iter().any(|kind| holds(self.new, kind) != holds(self.old, kind))
    }

    /// The pods that have ended and are not counted yet.
    fn uncounted(&self, errors: &mut Errors) {
        let mut seen = HashSet::new();
        for field in ["succeeded", "failed"] {
            for (index, uid) in list(&self.new["uncountedTerminatedPods"][field]).map(text).enumerate() {
                let path = format!("status.uncountedTerminatedPods.{field}[{index}]");
                if uid.is_empty() {
                    errors.push(FieldError::invalid(path, uid, "must not be empty"));
                } else if !seen.insert(uid) {
                    errors.push(FieldError::duplicate(path, uid));
                }
            }
        }
    }

    /// The conditions at the end, and the time of completion.
    fn ends(&self, errors: &mut Errors) {
        let (new, complete) = (self.new, holds(self.new, "Complete"));
        let mut refuse = |why: &str| errors.push(FieldError::invalid_omitted(CONDITIONS, why));
        if self.conditions(&["Complete", "Failed"]) && complete && holds(new, "Failed") {
            refuse("cannot set Complete=True and Failed=true conditions");
        }
        if self.conditions(&["Complete", "FailureTarget"]) && complete && holds(new, "FailureTarget") {
            refuse("cannot set Complete=True and FailureTarget=true conditions");
        }
        let (end, path) = (&new["completionTime"], "status.completionTime");
        if self.conditions(&["Complete"]) || self.fields(&["completionTime"]) {
            if !end.is_null() && !complete {
                wrong(
                    path,
                    end,
                    "cannot set completionTime when there is no Complete=True condition",
                    errors,
                );
            }
            if end.is_null() && complete {
                errors.push(FieldError::required(path, "completionTime is required for Complete jobs"));
            }
        }
        let time = |field: &str| text(&new[field]).parse::<Time>().ok();
        let early = time("completionTime").zip(time("startTime")).is_some_and(|(end, start)| end < start);
        if self.fields(&["startTime", "completionTime"]) && early {
            wrong(path, end, "must be equal to or after `startTime`", errors);
        }
        let mut refuse = |why: &str| errors.push(FieldError::invalid_omitted(CONDITIONS, why));
        let changed = self.conditions(&["Failed"]) || self.fields(&["failedIndexes"]);
        if changed && holds(new, "Failed") && !holds(new, "FailureTarget") {
            refuse("cannot set Failed=True condition without the FailureTarget=true condition");
        }
        if self.conditions(&["Complete", "SuccessCriteriaMet"])
            && complete
            && !holds(new, "SuccessCriteriaMet")
        {
            refuse("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
        }
    }

    /// A finished job has begun, and has no pods.
    fn finished(&self, errors: &mut Errors) {
        let (new, is_finished) = (self.new, is_finished(self.new));
        let ends = is_finished != self::is_finished(self.old);
        let checks = |field: &str| is_finished && (ends || self.fields(&[field]));
        let some = |field: &str| new[field].as_i64().is_some_and(|count| count > 0);
        if checks("active") && some("active") {
            wrong("status.active", &new["active"], "active>0 is invalid for finished job", errors);
        }
        let nothing_to_do =
            self.spec["suspend"].as_bool() == Some(true) && self.spec["completions"].as_i64() == Some(0);
        if checks("startTime") && new["startTime"].is_null() && !nothing_to_do {
            errors.push(FieldError::required("status.startTime", "startTime is required for finished job"));
        }
        let uncounted = &new["uncountedTerminatedPods"];
        let any = ["succeeded", "failed"].iter().any(|field| !is_empty(&uncounted[*field]));
        if checks("uncountedTerminatedPods") && any {
            wrong("status.uncountedTerminatedPods", uncounted, "must be empty for finished job", errors);
        }
    }

    fn indexes(&self, errors: &mut Errors) {
        let (completed, failed) = (text(&self.new["completedIndexes"]), self.new["failedIndexes"].as_str());
        let (succeeds, fails) = (self.fields(&["completedIndexes"]), self.fields(&["failedIndexes"]));
        let completions = self.spec["completions"].as_i64();
        let per_index = !self.spec["backoffLimitPerIndex"].is_null();
        let mut refuse = |field: &str, value: &str, why: String| {
            errors.push(FieldError::invalid(format!("status.{field}"), value, why));
        };
        if let Some(Err(why)) = completions.filter(|_| succeeds).map(|count| intervals(completed, count)) {
            refuse("completedIndexes", completed, format!("error parsing completedIndexes: {why}"));
        }
        if let Some((count, failed)) = completions.zip(failed).filter(|_| fails && per_index)
            && let Err(why) = intervals(failed, count)
        {
            refuse("failedIndexes", failed, format!("error parsing failedIndexes: {why}"));
        }
        if succeeds && !completed.is_empty() && text(&self.spec["completionMode"]) != "Indexed" {
            let why = "cannot set non-empty completedIndexes when non-indexed completion mode";
            refuse("completedIndexes", completed, why.to_owned());
        }
        let Some(failed) = failed else { return };
        if fails && !per_index {
            let why = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
            refuse("failedIndexes", failed, why.to_owned());
        }
        if succeeds || fails {
            let of =
                |text: &str| completions.and_then(|count| intervals(text, count).ok()).unwrap_or_default();
            if let Some(at) = overlap(&of(completed), &of(failed)) {
                let why = format!("failedIndexes and completedIndexes overlap at index: {at}");
                refuse("failedIndexes", failed, why);
            }
        }
    }

    fn criteria(&self, errors: &mut Errors) {
        let new = self.new;
        let is_finished = is_finished(new);
        let ends = is_finished != self::is_finished(self.old);
        let count = |field: &str| new[field].as_i64().unwrap_or(0);
        if is_finished && (ends || self.fields(&["terminating"])) && count("terminating") > 0 {
            wrong(
                "status.terminating",
                &new["terminating"],
                "terminating>0 is invalid for finished job",
                errors,
            );
        }
        if self.fields(&["ready", "active"]) && count("ready") > count("active") {
            wrong("status.ready", &new["ready"], "cannot set more ready pods than active", errors);
        }
        let mut refuse = |why: &str| errors.push(FieldError::invalid_omitted(CONDITIONS, why));
        let met = holds(new, "SuccessCriteriaMet");
        if met && holds(new, "Failed") {
            refuse("cannot set SuccessCriteriaMet=True and Failed=true conditions");
        }
        if met && holds(new, "FailureTarget") {
            refuse("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
        }
        if !self.spec["successPolicy"].is_null() && !met && holds(new, "Complete") {
            refuse("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
        }
    }

    /// An end stays, and counters do not shrink.
    fn transitions(&self, errors: &mut Errors) {
        let (new, old) = (self.new, self.old);
        for kind in ["Failed", "Complete", "FailureTarget"] {
            if holds(old, kind) && !holds(new, kind) {
                let why = format!("cannot disable the terminal {kind}=True condition");
                errors.push(FieldError::invalid_omitted(CONDITIONS, why));
            }
        }
        let count = |status: &Json, field: &str| status[field].as_i64().unwrap_or(0);
        let elastic = text(&self.spec["completionMode"]) == "Indexed"
            && self.spec["completions"] == self.spec["parallelism"];
        for (field, may_shrink) in [("failed", false), ("succeeded", elastic)] {
            let value = count(new, field);
            if value < count(old, field) && !may_shrink {
                let why = format!("cannot decrease the {field} counter");
                errors.push(FieldError::invalid_json(format!("status.{field}"), value.to_string(), why));
            }
        }
        let both = !new["completionTime"].is_null() && !old["completionTime"].is_null();
        if both && self.fields(&["completionTime"]) {
            wrong("status.completionTime", &new["completionTime"], IMMUTABLE, errors);
        }
        let resumes = holds(old, "Suspended")
            && list(&new["conditions"])
                .any(|one| text(&one["type"]) == "Suspended" && text(&one["status"]) == "False");
        let runs = self.spec["suspend"].as_bool() != Some(true);
        if self.fields(&["startTime"]) && !old["startTime"].is_null() && runs && !resumes {
            let why = "field is immutable for unsuspended job once set";
            wrong("status.startTime", &new["startTime"], why, errors);
        }
        let mut refuse = |why: &str| errors.push(FieldError::invalid_omitted(CONDITIONS, why));
        let (met, was_met) = (holds(new, "SuccessCriteriaMet"), holds(old, "SuccessCriteriaMet"));
        if was_met && !met {
            refuse("cannot disable the SuccessCriteriaMet=True condition");
        }
        if holds(old, "Complete") && !was_met && met {
            refuse("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
        }
    }
}

/// Whether a condition of a status is true.
fn holds(status: &Json, kind: &str) -> bool {
    list(&status["conditions"]).any(|one| text(&one["type"]) == kind && text(&one["status"]) == "True")
}

fn is_finished(status: &Json) -> bool {
    holds(status, "Complete") || holds(status, "Failed")
}

/// Parses indexes such as `1,3-5`, which are below a count.
fn intervals(indexes: &str, count: i64) -> Result<Vec<(i64, i64)>, String> {
    let mut all: Vec<(i64, i64)> = Vec::new();
    for part in indexes.split(',').filter(|_| !indexes.is_empty()) {
        let index = |text: &str| {
            let index = text.parse::<i64>();
            let index = index.map_err(|_| format!("cannot convert string to integer for index: {text:?}"))?;
            if index < count { Ok(index) } else { Err(format!("too large index: {text:?}")) }
        };
        let mut ends = part.split('-');
        let (first, last, more) = (ends.next().unwrap_or_default(), ends.next(), ends.next());
        if more.is_some() {
            return Err(format!(
                "the fragment {part:?} violates the requirement that an index interval can have at most two parts \
                 separated by '-'"
            ));
        }
        let first = index(first)?;
        let last = last.map(index).transpose()?;
        let order = |previous: i64, current: i64| {
            Err(format!("non-increasing order, previous: {previous}, current: {current}"))
        };
        match (last, all.last()) {
            (Some(last), _) if first >= last => return order(first, last),
            (_, Some((_, before))) if *before >= first => return order(*before, first),
            (last, _) => all.push((first, last.unwrap_or(first))),
        }
    }
    Ok(all)
}

/// The first index that two sorted lists of intervals share.
fn overlap(one: &[(i64, i64)], other: &[(i64, i64)]) -> Option<i64> {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    while let (Some(a), Some(b)) = (one.peek(), other.peek()) {
        if a.0 <= b.1 && b.0 <= a.1 {
            return Some(a.0.max(b.0));
        }
        let _ = if a.0 <= b.0 { one.next() } else { other.next() };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_are_ascending_intervals() {
        assert_eq!(intervals("", 3), Ok(Vec::new()));
        assert_eq!(intervals("0,2-4,6", 7), Ok(vec![(0, 0), (2, 4), (6, 6)]));
        for (indexes, why) in [
            ("7", "too large index: \"7\""),
            ("x", "cannot convert string to integer for index: \"x\""),
            ("2-1", "non-increasing order, previous: 2, current: 1"),
            ("2,2", "non-increasing order, previous: 2, current: 2"),
        ] {
            assert_eq!(intervals(indexes, 7), Err(why.to_owned()));
        }
        assert!(intervals("1-2-3", 7).unwrap_err().starts_with("the fragment \"1-2-3\" violates"));
        assert_eq!(overlap(&[(0, 1), (4, 6)], &[(2, 3), (6, 8)]), Some(6));
        assert_eq!(overlap(&[(0, 1), (4, 6)], &[(2, 3)]), None);
    }
}
