//! What a reconcile asks for at its end.

use std::time::Duration;

/// What is to happen with a key after it was reconciled without an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Action {
    pub(crate) again: Again,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Again {
    #[default]
    OnChange,
    After(Duration),
    RateLimited,
}

impl Action {
    /// Nothing until something changes. Its failures so far are forgotten.
    pub const fn done() -> Self {
        Self { again: Again::OnChange }
    }

    /// Once more after this time, and sooner if something changes. Its failures so far are forgotten.
    pub const fn requeue_after(delay: Duration) -> Self {
        Self { again: Again::After(delay) }
    }

    /// Once more after the limiter's wait, as after an error, but none is counted.
    pub const fn requeue() -> Self {
        Self { again: Again::RateLimited }
    }
}
