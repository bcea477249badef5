//! The requests of the operator, as the proxy sees them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// All requests of a phase.
pub(crate) struct Requests {
    objects: usize,
    phase: Mutex<Phase>,
}

struct Phase {
    /// Open watches by resource, of all phases.
    watches: BTreeMap<String, usize>,
    /// Counts by method and resource.
    counts: BTreeMap<String, u64>,
    writes: u64,
    written: u64,
    conflicts: u64,
    duplicates: u64,
    failures: u64,
    last_write: Instant,
    /// For each App, when the users' request had its response.
    changed: Vec<Option<Instant>>,
    /// For each App, when the first write to it or to a child came.
    first_write: Vec<Option<Instant>>,
}

/// A request, from its path and method.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// The resource, with its subresource behind a slash; or the path if it has none.
    pub(crate) resource: String,
    pub(crate) is_watch: bool,
    is_write: bool,
}

/// The outcome of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Written,
    Conflict,
    Duplicate,
    Failed,
}

impl Target {
    pub(crate) fn new(method: &str, path: &str, query: &str) -> Self {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        // /api/v1/… or /apis/GROUP/VERSION/…
        let rest = match parts.first() {
            Some(&"api") => parts.get(2..),
            Some(&"apis") => parts.get(3..),
            _ => None,
        };
        let resource = match rest {
            Some(["namespaces", _, resource, _, subresource, ..]) => format!("{resource}/{subresource}"),
            Some(["namespaces", _, resource, ..] | [resource, ..]) => (*resource).to_owned(),
            _ => path.to_owned(),
        };
        let is_watch = query.split('&').any(|parameter| matches!(parameter, "watch=true" | "watch=1"));
        let not_counted = matches!(resource.as_str(), "leases" | "events");
        let is_write = matches!(method, "POST" | "PUT" | "PATCH" | "DELETE") && !not_counted;
        Self { resource, is_watch, is_write }
    }

    pub(crate) fn is_write(&self) -> bool {
        self.is_write
    }
}

impl Requests {
    pub(crate) fn new(objects: usize) -> Self {
        Self { objects, phase: Mutex::new(Phase::new(objects, BTreeMap::new())) }
    }

    /// Begins a phase: all counts are zero.
    pub(crate) fn begin(&self) {
        let mut phase = self.phase();
        let watches = std::mem::take(&mut phase.watches);
        *phase = Phase::new(self.objects, watches);
    }

    /// Notes a user's change of an App.
    pub(crate) fn changed(&self, number: usize, at: Instant) {
        if let Some(slot) = self.phase().changed.get_mut(number) {
            *slot = Some(at);
        }
    }

    pub(crate) fn sent(&self, method: &str, target: &Target, number: Option<usize>, at: Instant) {
        let mut phase = self.phase();
        let verb = if target.is_watch { "WATCH" } else { method };
        *phase.counts.entry(format!("{verb} {}", target.resource)).or_default() += 1;
        if target.is_write {
            phase.writes += 1;
            phase.last_write = Instant::now();
            if let Some(slot) = number.and_then(|number| phase.first_write.get_mut(number)) {
                slot.get_or_insert(at);
            }
        }
    }

    pub(crate) fn answered(&self, outcome: Outcome) {
        let mut phase = self.phase();
        let count = match outcome {
            Outcome::Written => &mut phase.written,
            Outcome::Conflict => &mut phase.conflicts,
            Outcome::Duplicate => &mut phase.duplicates,
            Outcome::Failed => &mut phase.failures,
        };
        *count += 1;
        phase.last_write = Instant::now();
    }

    pub(crate) fn watch_began(&self, resource: &str) {
        *self.phase().watches.entry(resource.to_owned()).or_default() += 1;
    }

    pub(crate) fn watch_ended(&self, resource: &str) {
        if let Some(count) = self.phase().watches.get_mut(resource) {
            *count = count.saturating_sub(1);
        }
    }

    pub(crate) fn watches_everything(&self) -> bool {
        let phase = self.phase();
        ["apps", "configmaps", "services"].iter().all(|resource| phase.watches.get(*resource) > Some(&0))
    }

    pub(crate) fn since_last_write(&self) -> Duration {
        self.phase().last_write.elapsed()
    }

    /// The figures of the phase.
    pub(crate) fn figures(&self) -> Value {
        let phase = self.phase();
        let mut delays: Vec<Duration> = Vec::new();
        for (changed, first) in phase.changed.iter().zip(&phase.first_write) {
            if let (Some(changed), Some(first)) = (changed, first) {
                // The event may come before the response.
                delays.push(first.saturating_duration_since(*changed));
            }
        }
        delays.sort_unstable();
        let at = |share: usize| {
            let delay = delays.get((delays.len() * share / 100).min(delays.len().saturating_sub(1)));
            delay.map(|delay| delay.as_secs_f64() * 1e3)
        };
        json!({
            "writes": phase.writes, "written": phase.written, "conflicts": phase.conflicts,
            "duplicates": phase.duplicates, "failures": phase.failures, "requests": phase.counts,
            "p50_ms": at(50), "p99_ms": at(99),
        })
    }

    fn phase(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Phase {
    fn new(objects: usize, watches: BTreeMap<String, usize>) -> Self {
        Self {
            watches,
            counts: BTreeMap::new(),
            writes: 0,
            written: 0,
            conflicts: 0,
            duplicates: 0,
            failures: 0,
            last_write: Instant::now(),
            changed: vec![None; objects],
            first_write: vec![None; objects],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_found_in_paths() {
        let resource = |path: &str| Target::new("GET", path, "").resource;
        assert_eq!(resource("/api/v1/namespaces/bench/configmaps"), "configmaps");
        assert_eq!(resource("/api/v1/configmaps"), "configmaps");
        assert_eq!(resource("/apis/g/v1/namespaces/bench/apps/a"), "apps");
        assert_eq!(resource("/apis/g/v1/namespaces/bench/apps/a/status"), "apps/status");
        assert_eq!(resource("/version"), "/version");
        assert_eq!(resource("/apis"), "/apis");
    }

    #[test]
    fn watches_and_writes_are_known() {
        assert!(Target::new("GET", "/api/v1/services", "limit=5&watch=true").is_watch);
        assert!(!Target::new("GET", "/api/v1/services", "limit=5").is_watch);
        assert!(Target::new("PUT", "/api/v1/namespaces/a/services/b", "").is_write());
        assert!(!Target::new("GET", "/api/v1/services", "").is_write());
        assert!(!Target::new("POST", "/apis/coordination.k8s.io/v1/namespaces/a/leases", "").is_write());
    }

    #[test]
    fn the_first_write_to_an_app_counts() {
        let requests = Requests::new(2);
        let start = Instant::now();
        let target = Target::new("POST", "/api/v1/namespaces/a/services", "");
        requests.changed(0, start);
        requests.sent("POST", &target, Some(0), start + Duration::from_millis(5));
        requests.sent("POST", &target, Some(0), start + Duration::from_millis(9));
        requests.answered(Outcome::Written);
        requests.answered(Outcome::Duplicate);
        let figures = requests.figures();
        assert_eq!((figures["p50_ms"].as_f64(), figures["p99_ms"].as_f64()), (Some(5.0), Some(5.0)));
        assert_eq!(figures["writes"], 2);
        assert_eq!((&figures["written"], &figures["duplicates"]), (&json!(1), &json!(1)));
        requests.begin();
        assert_eq!(requests.figures()["writes"], 0);
    }
}
