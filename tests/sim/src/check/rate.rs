//! No hot loops: the number of requests without a pause is small.

use super::{Violation, broken};
use crate::history::{Fact, History, Phase, Verb};

/// The most requests within a second. A round has a streamed list, its fallback without a version, a plain list, the same
/// without a version, and a watch; pages and watches that sent something are not counted.
const MOST: usize = 14;
const SECOND: u64 = 1_000_000;

pub(super) fn check(history: &History) -> Result<(), Violation> {
    let mut times = [u64::MAX; MOST];
    let mut count = 0;
    // Whether the last response was a page with more to come, or an event: then the next request is progress.
    let mut progress = false;
    for (at, entry) in history.entries.iter().enumerate() {
        match (entry.phase, entry.op) {
            (_, Fact::Event { .. }) => progress = true,
            (_, Fact::Answer { verb: Verb::List, more, .. }) => progress = more,
            (Phase::Invoke, Fact::Request { .. }) if std::mem::take(&mut progress) => {}
            (Phase::Invoke, Fact::Request { .. }) => {
                let oldest = std::mem::replace(&mut times[count % MOST], entry.t);
                count += 1;
                if count > MOST && entry.t - oldest < SECOND {
                    let message = format!("{} requests without progress within a second", MOST + 1);
                    return Err(broken("rate", at, message));
                }
            }
            _ => {}
        }
    }
    Ok(())
}
