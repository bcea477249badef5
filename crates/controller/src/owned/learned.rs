//! What the server has made of documents that come back in other words.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_machinery::Str;
use tokio::time::Instant;

/// How long it counts: after that a document is sent once more, in case the server has come to understand it.
const LIFE: Duration = Duration::from_hours(1);

/// How many objects are remembered, in each of two generations.
const GENERATION: usize = 32_768;

/// For each object the last document that was applied to it, and the values that the server answered it with.
///
/// Only where these differ from the document in a way that the kind's type does not explain. Two numbers an object; when a
/// generation is full, the one before it is forgotten. What is forgotten costs one request that changes nothing.
#[derive(Default)]
pub(super) struct Learned {
    young: HashMap<Id, Answer>,
    old: HashMap<Id, Answer>,
}

/// An object's UID and who applies.
type Id = (Str, Str);

#[derive(Clone, Copy, Debug)]
struct Answer {
    asked: u64,
    values: u64,
    at: Instant,
}

/// What this process has learned.
pub(super) fn learned() -> MutexGuard<'static, Learned> {
    static LEARNED: LazyLock<Mutex<Learned>> = LazyLock::new(Mutex::default);
    LEARNED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Learned {
    /// Whether the document was answered with these values.
    pub(super) fn knows(&self, uid: &str, manager: &Str, asked: u64, values: u64, now: Instant) -> bool {
        let id = (Str::from(uid), manager.clone());
        let answer = self.young.get(&id).or_else(|| self.old.get(&id));
        answer.is_some_and(|answer| {
            answer.asked == asked && answer.values == values && now.duration_since(answer.at) < LIFE
        })
    }

    /// The document was answered with these values now.
    pub(super) fn learn(&mut self, uid: &str, manager: &Str, asked: u64, values: u64, now: Instant) {
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert((uid.into(), manager.clone()), Answer { asked, values, at: now });
    }

    /// The object is gone, or needs no remembering.
    pub(super) fn forget(&mut self, uid: &str, manager: &Str) {
        let id = (Str::from(uid), manager.clone());
        self.young.remove(&id);
        self.old.remove(&id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_answer_counts_for_its_document_and_values_and_not_for_ever() {
        let (mut learned, manager) = (Learned::default(), Str::from("m"));
        let now = Instant::now();
        learned.learn("u", &manager, 1, 2, now);
        assert!(learned.knows("u", &manager, 1, 2, now + Duration::from_mins(59)));
        for (uid, manager, asked, values, after) in [
            ("v", "m", 1, 2, Duration::ZERO),
            ("u", "n", 1, 2, Duration::ZERO),
            ("u", "m", 2, 2, Duration::ZERO),
            ("u", "m", 1, 3, Duration::ZERO),
            ("u", "m", 1, 2, LIFE),
        ] {
            assert!(
                !learned.knows(uid, &manager.into(), asked, values, now + after),
                "{uid} {manager} {after:?}"
            );
        }
        learned.forget("u", &manager);
        assert!(!learned.knows("u", &manager, 1, 2, now));
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_bounded() {
        let (mut learned, manager) = (Learned::default(), Str::from("m"));
        let now = Instant::now();
        for object in 0..GENERATION * 3 {
            learned.learn(&object.to_string(), &manager, 1, 1, now);
        }
        assert!(learned.young.len() + learned.old.len() <= 2 * GENERATION);
        // The newest are there.
        for object in GENERATION * 2..GENERATION * 3 {
            assert!(learned.knows(&object.to_string(), &manager, 1, 1, now), "{object}");
        }
    }
}
