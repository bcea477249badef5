//! The users of the operator: they create Apps and change them, at a fixed rate, past the proxy.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use bench_controller::{App, AppSpec};
use client_rs::machinery::patch::Patch;
use client_rs::prelude::*;
use tokio::task::JoinSet;

use crate::NAMESPACE;
use crate::requests::Requests;

/// The change that a phase begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Create,
    Update,
}

pub(crate) struct Users {
    apps: Api<App>,
    objects: usize,
    rate: u32,
    /// The message that the Apps have now, and the number of writes of the phase.
    message: &'static str,
    writes: u64,
}

impl Users {
    pub(crate) fn new(rest: &RestClient, objects: usize, rate: u32) -> Self {
        Self { apps: Api::namespaced(rest, NAMESPACE), objects, rate, message: "", writes: 0 }
    }

    /// The number of writes of this phase.
    pub(crate) fn writes(&self) -> u64 {
        self.writes
    }

    /// Whether an App has the spec that the users have written last.
    pub(crate) fn is_current(&self, number: usize, app: &App) -> bool {
        app.spec == spec(self.message, number)
    }

    /// Changes all Apps. Returns when the last request has its response.
    pub(crate) async fn change(&mut self, change: Change, requests: &Arc<Requests>) -> Result<()> {
        self.message = match change {
            Change::Create => "created",
            Change::Update => "changed",
        };
        let mut pace = tokio::time::interval(Duration::from_secs(1) / self.rate);
        let mut sending = JoinSet::new();
        for number in 0..self.objects {
            pace.tick().await;
            let (apps, spec, requests) =
                (self.apps.clone(), spec(self.message, number), Arc::clone(requests));
            sending.spawn(async move {
                one(&apps, change, number, spec)
                    .await
                    .with_context(|| format!("{change:?} of App {number}"))?;
                requests.changed(number, Instant::now());
                anyhow::Ok(())
            });
            while let Some(outcome) = sending.try_join_next() {
                outcome??;
            }
        }
        while let Some(outcome) = sending.join_next().await {
            outcome??;
        }
        self.writes = self.objects as u64;
        Ok(())
    }

    /// Begins a phase: there was no change yet.
    pub(crate) fn begin(&mut self) {
        self.writes = 0;
    }
}

async fn one(apps: &Api<App>, change: Change, number: usize, spec: AppSpec) -> Result<()> {
    let name = name(number);
    match change {
        Change::Create => drop(apps.create(App::new(name, spec)).await?),
        Change::Update => {
            let document = json!({"spec": {"replicas": spec.replicas, "message": spec.message.as_str()}});
            apps.patch(&name, &Patch::Merge(document)).await?;
        }
    }
    Ok(())
}

fn spec(message: &str, number: usize) -> AppSpec {
    let replicas = i32::try_from(number % 10).unwrap_or_default() + i32::from(message != "created");
    AppSpec { replicas, message: format!("{message} {number}") }
}

/// The prefix of the names of Apps and their children. No other name or text has it.
const PREFIX: &str = "bench-app-";
const DIGITS: usize = 6;

pub(crate) fn name(number: usize) -> String {
    format!("{PREFIX}{number:0DIGITS$}")
}

/// The number of the first name in a text, or in an encoded object.
pub(crate) fn number(bytes: &[u8]) -> Option<usize> {
    let at = bytes.windows(PREFIX.len()).position(|window| window == PREFIX.as_bytes())? + PREFIX.len();
    std::str::from_utf8(bytes.get(at..at + DIGITS)?).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_encoded_objects() {
        assert_eq!(number(name(42).as_bytes()), Some(42));
        assert_eq!(number(b"k8s\0\n\x02v1\x12\x10bench-app-001234\x1a\0"), Some(1234));
        assert_eq!(number(b"/api/v1/namespaces/bench/configmaps"), None);
        assert_eq!(number(b"bench-app-12"), None);
    }
}
