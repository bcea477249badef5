//! [`Source`]: an informer of a controller, as `why` sees it.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use client_rs_cache::{InformerActivity, InformerState};
use client_rs_machinery::ObjectKey;
use tokio::sync::watch;

use crate::detect::InformerFacts;

/// The relation of the objects of an informer to the keys of the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Primary,
    Owned,
    Watched,
    Read,
}

/// An informer of a controller.
pub(crate) struct Source {
    /// The name of the informer.
    pub(crate) name: String,
    pub(crate) role: Role,
    /// The names of the parts of its predicate.
    pub(crate) parts: Vec<String>,
    /// The newest version that the handler has seen; zero if there was none.
    pub(crate) seen: AtomicU64,
    pub(crate) look: Box<dyn Look>,
}

/// The live side of a source.
pub(crate) trait Look: Send + Sync {
    fn activity(&self) -> InformerActivity;
    fn state(&self) -> InformerState;
    /// Changes when the activity shows another list or error.
    fn fetches(&self) -> watch::Receiver<u64>;
    /// Whether the cache has an object.
    fn has(&self, object: &ObjectKey) -> bool;
    /// The keys to which an object maps that the cache has, or had.
    fn keys(&self, object: &ObjectKey) -> Vec<ObjectKey>;
    /// The versions of the newest lists or changes in the cache, by their collections.
    #[cfg(feature = "recording")]
    fn versions(&self) -> Vec<(String, String)>;
}

impl Source {
    pub(crate) fn saw(&self, version: u64) {
        if version > 0 {
            self.seen.store(version, Ordering::Relaxed);
        }
    }

    pub(crate) fn version(&self) -> u64 {
        self.seen.load(Ordering::Relaxed)
    }

    /// The facts for the detectors; `handler` is the name of the controller's handler.
    pub(crate) fn facts(&self, handler: &str) -> InformerFacts {
        let activity = self.look.activity();
        let micros = |duration: Duration| i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        let watching = activity.reflectors.iter().filter(|reflector| reflector.phase == "watching");
        let silent = watching.filter_map(|reflector| reflector.last_event_age).map(micros).max();
        let lag = activity
            .handlers
            .iter()
            .filter(|of| of.name == handler && of.pending > 0)
            .map(|of| of.lag.map_or(0, micros))
            .max();
        InformerFacts { name: self.name.clone(), silent, lag }
    }

    /// The name of a part of the predicate.
    pub(crate) fn part(&self, number: u8) -> &str {
        self.parts.get(usize::from(number)).map_or("a predicate", String::as_str)
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("name", &self.name).field("role", &self.role).finish_non_exhaustive()
    }
}
