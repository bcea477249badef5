//! [`logged`]: tasks whose panics are logged.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use client_rs_workqueue::panic_message;

/// Runs a future to its end. Logs its panic, because nobody waits for the tasks of a graph.
pub(crate) async fn logged(what: &'static str, future: impl Future<Output = ()>) {
    let mut future = pin!(future);
    poll_fn(move |cx| {
        catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))).unwrap_or_else(|panic| {
            tracing::error!(panic = panic_message(&*panic), "{what} panicked, and has ended");
            Poll::Ready(())
        })
    })
    .await;
}
