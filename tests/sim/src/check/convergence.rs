//! In the end everything is as its user wants it, nobody writes any more, and no task is left behind.

use super::{Violation, broken};
use crate::history::{Fact, History};

pub(super) fn check(history: &History) -> Result<(), Violation> {
    for (at, entry) in history.entries.iter().enumerate() {
        let message = match entry.op {
            Fact::Unsettled { key, wanted, found } => {
                format!("object {key} should have the value {wanted:?}, and has {found:?}")
            }
            Fact::Busy { writes } => format!("{writes} writes, although nothing is left to do"),
            Fact::Leak { tasks } => format!("process {} has left {tasks} tasks behind", entry.node),
            Fact::Ended => format!("process {} has ended by itself", entry.node),
            _ => continue,
        };
        return Err(broken("convergence", at, message));
    }
    Ok(())
}
