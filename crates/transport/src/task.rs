//! Background tasks, all of one type.

use std::pin::Pin;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

/// Spawns a task on the current runtime. Like `tokio::spawn`, but boxed: tokio's code for tasks is compiled once per type of
/// future and scheduler, so a type for each task would cost more to compile than the tasks themselves.
pub(crate) fn spawn(task: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
    spawn_boxed(None, Box::pin(task))
}

/// Spawns a task on a runtime.
pub(crate) fn spawn_on(runtime: &Handle, task: impl Future<Output = ()> + Send + 'static) {
    drop(spawn_boxed(Some(runtime), Box::pin(task)));
}

fn spawn_boxed(runtime: Option<&Handle>, task: Pin<Box<dyn Future<Output = ()> + Send>>) -> JoinHandle<()> {
    match runtime {
        Some(runtime) => runtime.spawn(task),
        None => tokio::spawn(task),
    }
}
