//! Functions of users that panic.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use client_rs_workqueue::panic_message;

use super::look::{inside, take_misuse};

/// The longest message of a panic that is kept, in characters.
const LONGEST: usize = 300;

/// Runs a function of a user. Returns the message of its panic if it panics.
///
/// In debug builds a panic because of a use of the graph past `Look` continues: it is a mistake of the program, as a
/// function that is not pure is.
pub(crate) fn caught<R>(function: impl FnOnce() -> R) -> Result<R, String> {
    match catch_unwind(AssertUnwindSafe(|| inside(function))) {
        Ok(returned) => Ok(returned),
        Err(panic) => {
            if take_misuse() && cfg!(debug_assertions) {
                resume_unwind(panic);
            }
            Err(panic_message(&*panic).chars().take(LONGEST).collect())
        }
    }
}
