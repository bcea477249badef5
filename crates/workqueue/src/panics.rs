//! Panics of the user's code, kept from taking a worker along.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, UnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// Makes a future and runs it; a panic of either comes back as an error.
///
/// The caller judges what a panic may have left half done: it should use nothing of it but what is its own.
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

/// The message of a panic that was caught, for logs and errors.
pub fn panic_message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic without a message")
}
