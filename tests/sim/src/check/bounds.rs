//! Queues have bounds.

use super::{Violation, broken};
use crate::content::KEYS;
use crate::history::{Fact, History};

/// Per key an update, a deletion and an addition may wait beyond the limit.
const PER_KEY: u32 = 3;
/// The handler that the informer waits for gets at most one batch or list beyond its limit, and lists replay all objects.
const BATCH: u32 = 2 * KEYS as u32;

pub(super) fn check(history: &History) -> Result<(), Violation> {
    for (at, entry) in history.entries.iter().enumerate() {
        let Fact::Gauge { pending, handler, limit, .. } = entry.op else { continue };
        let most = limit.saturating_add(PER_KEY * u32::from(KEYS)).saturating_add(BATCH);
        if pending > most {
            let message = format!("{pending} notifications wait for handler {handler}, more than {most}");
            return Err(broken("bounds", at, message));
        }
    }
    Ok(())
}
