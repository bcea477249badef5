//! The last run of each key has seen what the cache has at the end; and no key is in two runs at once.

use super::{Violation, broken};
use crate::content::OWNERS;
use crate::history::{Fact, History, Phase};

pub(super) fn check(history: &History) -> Result<(), Violation> {
    let fail = |at, message: String| Err(broken("level triggering", at, message));
    // Without a run, a key has seen an empty cache.
    let empty = 0xcbf2_9ce4_8422_2325_u64;
    let mut seen = [empty; OWNERS as usize];
    let mut doubt = false;
    let mut running = [false; OWNERS as usize];
    for (at, entry) in history.entries.iter().enumerate() {
        match entry.op {
            Fact::Run { key, view, .. } => {
                let key = usize::from(key);
                if std::mem::replace(&mut running[key], true) {
                    return fail(at, format!("key {key} is in two runs at once"));
                }
                seen[key] = view;
            }
            Fact::Done { key, .. } => {
                running[usize::from(key)] = false;
                if entry.phase == Phase::Fail {
                    // It has to run again.
                    seen[usize::from(key)] = 0;
                }
            }
            Fact::Doubt => doubt = true,
            Fact::Quiet { settled: true, views, .. } if !doubt => {
                for (key, (seen, view)) in seen.iter().zip(views).enumerate() {
                    if *seen != view {
                        return fail(at, format!("the last run of key {key} has not seen the newest state"));
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}
