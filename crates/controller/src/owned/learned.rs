//! The server's responses to documents that it normalizes.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_machinery::Str;
use tokio::time::Instant;

/// How long a response is remembered. After that the document is sent once more, because the server may treat it differently
/// by then.
const LIFE: Duration = Duration::from_hours(1);

/// How many objects are remembered, in each of two generations.
const GENERATION: usize = 32_768;

/// For each object, the last document that was applied and the values in the server's response.
///
/// Only objects whose response differs from the document in a way that the kind's type does not explain are in it. Each
/// takes two numbers. When a generation is full, the previous one is dropped. A dropped entry costs one request that changes
/// nothing.
#[derive(Default)]
pub(super) struct Learned {
    young: HashMap<Id, Answer>,
    old: HashMap<Id, Answer>,
}

/// An object's UID and the field manager.
type Id = (Str, Str);

#[derive(Clone, Copy, Debug)]
struct Answer {
    asked: u64,
    values: u64,
    at: Instant,
}

/// The responses that this process remembers.
pub(super) fn learned() -> MutexGuard<'static, Learned> {
    static LEARNED: LazyLock<Mutex<Learned>> = LazyLock::new(Mutex::default);
    LEARNED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Learned {
    /// Whether the server's last response to the document had these values.
    pub(super) fn knows(&self, uid: &str, manager: &Str, asked: u64, values: u64, now: Instant) -> bool {
        let id = (Str::from(uid), manager.clone());
        let answer = self.young.get(&id).or_else(|| self.old.get(&id));
        answer.is_some_and(|answer| {
            answer.asked == asked && answer.values == values && now.duration_since(answer.at) < LIFE
        })
    }

    /// Remembers that the server responded to the document with these values.
    pub(super) fn learn(&mut self, uid: &str, manager: &Str, asked: u64, values: u64, now: Instant) {
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert((uid.into(), manager.clone()), Answer { asked, values, at: now });
    }

    /// Forgets an object: it is gone, or its response needs no entry.
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
    async fn a_response_is_valid_for_its_document_and_values_until_it_expires() {
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
        // The newest entries are still known.
        for object in GENERATION * 2..GENERATION * 3 {
            assert!(learned.knows(&object.to_string(), &manager, 1, 1, now), "{object}");
        }
    }
}
