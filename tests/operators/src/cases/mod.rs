//! The operators, by what their bugs are about.

mod deletion;
mod memory;
mod order;
mod staleness;
mod status;

use crate::kit::Case;

/// All of them.
pub fn all() -> Vec<Case> {
    [deletion::CASES, memory::CASES, order::CASES, staleness::CASES, status::CASES].concat()
}

/// Defines a case: its name, the class of its bug, its setup, and the operator.
macro_rules! case {
    ($name:literal, $class:literal, $setup:expr, |$kit:ident, $key:ident| $body:block) => {{
        fn reconcile(
            $kit: $crate::kit::Kit,
            $key: client_rs_machinery::ObjectKey,
        ) -> std::pin::Pin<Box<dyn Future<Output = $crate::kit::Done> + Send>> {
            Box::pin(async move $body)
        }
        $crate::kit::Case { name: $name, class: $class, reconcile, setup: $setup }
    }};
}
use case;
