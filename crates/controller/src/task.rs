//! Background tasks, all of one type: tokio's code for tasks is compiled once per type of future and scheduler.

use std::pin::Pin;

use tokio::task::{AbortHandle, JoinHandle, JoinSet};

/// Like `tokio::spawn`, boxed.
pub(crate) fn spawn(task: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
    let task: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(task);
    tokio::spawn(task)
}

/// Like `JoinSet::spawn`, boxed.
pub(crate) fn spawn_in<T: Send + 'static>(
    tasks: &mut JoinSet<T>,
    task: impl Future<Output = T> + Send + 'static,
) -> AbortHandle {
    let task: Pin<Box<dyn Future<Output = T> + Send>> = Box::pin(task);
    tasks.spawn(task)
}
