//! Catches panics of the user's code, so that a worker survives them.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, UnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// Makes a future and runs it; a panic of either is returned as an error.
///
/// The caller decides what to do with state that the panic may have left half changed: it should only use its
/// own.
pub(crate) async fn caught<F: Future>(
    make: impl FnOnce() -> F + UnwindSafe,
) -> Result<F::Output, Box<dyn Any + Send>> {
    let mut future = pin!(catch_unwind(make)?);
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}

/// Returns the message of a caught panic, for logs and errors.
///
/// ```
/// # use client_rs_workqueue::panic_message;
/// let panic = std::panic::catch_unwind(|| panic!("disk full")).unwrap_err();
/// assert_eq!(panic_message(&*panic), "disk full");
/// ```
pub fn panic_message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic without a message")
}
