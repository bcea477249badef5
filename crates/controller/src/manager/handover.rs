//! The handover from one leader to the next: the next one starts with caches that are as new as those of the last one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use client_rs_cache::{AnyInformer, Coverage, InformerFactory};
use futures_util::future::join_all;
use tokio::time::sleep;

use super::seen::{Seen, is_older, name_of};

/// How long a new leader waits for its watches before it asks the server whether its versions have gone back.
const BEFORE_ASKING: Duration = Duration::from_secs(1);

/// The two sides of a handover: the note that this replica leaves as leader, and the wait of a new leader.
pub(super) struct Handover {
    factory: InformerFactory,
    /// Whether this replica, in its current term, has reached the versions of the leader before it.
    caught_up: AtomicBool,
    /// Whether it was logged that the note is too long.
    warned: AtomicBool,
}

/// A part of a cache that must reach a version.
struct Wait {
    informer: Arc<dyn AnyInformer>,
    part: Coverage,
    name: String,
    version: String,
}

/// The end of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waited {
    Reached,
    /// The server has a lower version: it was restored from a backup.
    Rewound,
    /// The informer has stopped, or its versions can't be compared.
    Unknown,
}

impl Handover {
    pub(super) fn new(factory: InformerFactory) -> Self {
        Self { factory, caught_up: AtomicBool::new(false), warned: AtomicBool::new(false) }
    }

    /// Must be called before each campaign.
    pub(super) fn campaign(&self) {
        self.caught_up.store(false, Ordering::Relaxed);
    }

    /// The note for the next leader: the versions of the caches. Until they have reached those of the note that was found,
    /// the newer ones of both.
    pub(super) fn note(&self, found: Option<&str>) -> String {
        let mut seen = self.seen();
        if !self.caught_up.load(Ordering::Relaxed) {
            seen = seen.newest(&Seen::parse(found.unwrap_or_default()));
        }
        let (text, left_out) = seen.text();
        if left_out > 0 && !self.warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                left_out,
                "too many informers for the lease: the next leader does not wait for all of them"
            );
        }
        text
    }

    /// Waits until the caches have reached the versions of the note. Ends with a warning after `limit`.
    pub(super) async fn catch_up(&self, found: Option<&str>, limit: Duration) {
        let wanted = Seen::parse(found.unwrap_or_default());
        let waits = self.waits(&wanted);
        let left: Mutex<Vec<&Wait>> = Mutex::new(waits.iter().collect());
        let all = join_all(waits.iter().map(|wait| async {
            let end = wait.end().await;
            if end != Waited::Reached {
                tracing::warn!(
                    cache = wait.name,
                    version = wait.version,
                    ?end,
                    "not waiting for the version that the last leader had seen"
                );
            }
            lock(&left).retain(|other| !std::ptr::eq(*other, wait));
        }));
        if tokio::time::timeout(limit, all).await.is_err() {
            for wait in lock(&left).iter() {
                let has = self.seen().get(&wait.name).unwrap_or_default().to_owned();
                tracing::warn!(
                    cache = wait.name, version = wait.version, has, after = ?limit,
                    "leading with a cache that is older than what the last leader had seen"
                );
            }
        }
        self.caught_up.store(true, Ordering::Relaxed);
    }

    fn seen(&self) -> Seen {
        let mut seen = Seen::default();
        for informer in self.factory.informers() {
            for (part, version) in informer.changed_versions() {
                seen.add(name_of(informer.sync_name(), &part), &version);
            }
        }
        seen
    }

    /// The parts of caches whose versions are in the note.
    fn waits(&self, wanted: &Seen) -> Vec<Wait> {
        let mut waits = Vec::new();
        for informer in self.factory.informers() {
            for (part, _) in informer.changed_versions() {
                let name = name_of(informer.sync_name(), &part);
                if let Some(version) = wanted.get(&name) {
                    let (informer, version) = (Arc::clone(&informer), version.to_owned());
                    waits.push(Wait { informer, part, name, version });
                }
            }
        }
        waits
    }
}

impl Wait {
    async fn end(&self) -> Waited {
        tokio::select! {
            biased;
            reached = self.informer.reaches(&self.part, &self.version) => {
                if reached { Waited::Reached } else { Waited::Unknown }
            }
            () = self.rewound() => Waited::Rewound,
        }
    }

    /// Returns when the server is known to have a lower version, otherwise never.
    async fn rewound(&self) {
        loop {
            sleep(BEFORE_ASKING).await;
            match self.informer.part_version_on_server(&self.part).await {
                Ok(Some(version)) if is_older(&version, &self.version) => return,
                Ok(_) => std::future::pending().await,
                Err(error) => {
                    tracing::debug!(cache = self.name, %error, "can't read the version of the server");
                }
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
