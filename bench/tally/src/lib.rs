//! The counts that both Rust operators of `cargo xtask bench controller` keep of themselves. The Go side
//! (bench/go/cmd/appcontroller) keeps the same; change both together.
//!
//! A run is stale if the cache does not have this process's own last write to the App or to one of its children. Each run
//! reads all three objects first and passes their versions to [`Tally::began`].

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The objects of an App.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    App,
    ConfigMap,
    Service,
}

/// Counts of runs.
#[derive(Debug, Default)]
pub struct Tally {
    objects: usize,
    runs: AtomicU64,
    stale: AtomicU64,
    errors: AtomicU64,
    /// The version of the last write to each object, by App and kind.
    written: Mutex<HashMap<String, [u64; 3]>>,
    /// Apps that had a run without an error.
    done: Mutex<HashSet<String>>,
}

impl Tally {
    /// A tally for this many Apps.
    #[must_use]
    pub fn new(objects: usize) -> Self {
        Self { objects, ..Self::default() }
    }

    /// Notes a run and the versions that the cache has of the App, its `ConfigMap` and its `Service`.
    pub fn began(&self, app: &str, cached: [Option<&str>; 3]) {
        self.runs.fetch_add(1, Ordering::Relaxed);
        let written = locked(&self.written).get(app).copied().unwrap_or_default();
        if written.iter().zip(cached).any(|(written, cached)| version(cached) < *written) {
            self.stale.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Notes a successful write and the version that the server returned.
    pub fn wrote(&self, app: &str, kind: Kind, returned: &str) {
        let mut written = locked(&self.written);
        if !written.contains_key(app) {
            written.insert(app.to_owned(), [0; 3]);
        }
        if let Some(of_app) = written.get_mut(app) {
            of_app[kind as usize] = version(Some(returned));
        }
    }

    /// Notes the end of a run. Prints a line when every App had a run without an error for the first time.
    pub fn ended(&self, app: &str, failed: bool) {
        if failed {
            self.errors.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let mut done = locked(&self.done);
        if done.len() < self.objects && !done.contains(app) {
            done.insert(app.to_owned());
            if done.len() == self.objects {
                println!(r#"{{"ready":{}}}"#, self.objects);
            }
        }
    }

    /// Prints the counts. The last line of a program.
    pub fn print(&self) {
        let [runs, stale, errors] =
            [&self.runs, &self.stale, &self.errors].map(|count| count.load(Ordering::Relaxed));
        println!(r#"{{"runs":{runs},"stale":{stale},"errors":{errors}}}"#);
    }
}

/// Zero if the object is not in the cache.
fn version(text: Option<&str>) -> u64 {
    text.and_then(|text| text.parse().ok()).unwrap_or_default()
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stale(tally: &Tally) -> u64 {
        tally.stale.load(Ordering::Relaxed)
    }

    #[test]
    fn a_run_is_stale_if_an_own_write_is_missing_in_the_cache() {
        let tally = Tally::new(2);
        tally.began("a", [Some("1"), None, None]);
        assert_eq!(stale(&tally), 0);
        tally.wrote("a", Kind::ConfigMap, "5");
        tally.began("a", [Some("1"), None, None]);
        assert_eq!(stale(&tally), 1);
        tally.began("a", [Some("1"), Some("4"), None]);
        assert_eq!(stale(&tally), 2);
        // Somebody else has written since.
        tally.began("a", [Some("1"), Some("9"), None]);
        // Another App.
        tally.began("b", [Some("1"), None, None]);
        assert_eq!(stale(&tally), 2);
        assert_eq!(tally.runs.load(Ordering::Relaxed), 5);
    }

    #[test]
    fn an_app_is_done_after_a_run_without_an_error() {
        let tally = Tally::new(2);
        tally.ended("a", true);
        tally.ended("b", false);
        tally.ended("b", false);
        assert_eq!(locked(&tally.done).len(), 1);
        assert_eq!(tally.errors.load(Ordering::Relaxed), 1);
    }
}
