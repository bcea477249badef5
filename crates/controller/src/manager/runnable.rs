//! What a manager runs.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;

use tokio_util::sync::CancellationToken;

use crate::{ControllerError, ControllerState, ReadyController};

pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
type Run =
    Box<dyn FnOnce(CancellationToken) -> BoxFuture<'static, Result<(), Box<dyn Error + Send + Sync>>> + Send>;

/// A controller of whatever kind.
pub trait AnyController: Send + Sync + 'static {
    /// What it is called.
    fn name_any(&self) -> &str;

    /// Runs until the token is cancelled, and returns when the last run has ended.
    fn run_any(&self, stop: CancellationToken) -> BoxFuture<'_, Result<(), ControllerError>>;

    /// How it is doing.
    fn state_any(&self) -> ControllerState;
}

impl AnyController for ReadyController {
    fn name_any(&self) -> &str {
        self.name()
    }

    fn run_any(&self, stop: CancellationToken) -> BoxFuture<'_, Result<(), ControllerError>> {
        Box::pin(self.run(stop))
    }

    fn state_any(&self) -> ControllerState {
        self.state()
    }
}

impl<C: AnyController> AnyController for std::sync::Arc<C> {
    fn name_any(&self) -> &str {
        (**self).name_any()
    }

    fn run_any(&self, stop: CancellationToken) -> BoxFuture<'_, Result<(), ControllerError>> {
        (**self).run_any(stop)
    }

    fn state_any(&self) -> ControllerState {
        (**self).state_any()
    }
}

/// The work of a leader: it is given a token that is cancelled when the leadership ends, and is over when it returns.
pub type Work = Box<dyn FnOnce(CancellationToken) -> BoxFuture<'static, ()> + Send>;

/// A way to be the one of several replicas that works.
pub trait Election: Send + Sync + 'static {
    /// Waits until this replica leads, then does the work, once. Returns when the work is over and the leadership given up:
    /// because `stop` was cancelled, or because the leadership was lost. The work's token is cancelled as soon as another
    /// replica might lead; the leadership is released only after the work has returned.
    fn lead(&self, stop: CancellationToken, work: Work) -> BoxFuture<'_, ()>;

    /// Whether it is well: a leader that could not renew in time and still works is not.
    fn healthy(&self) -> Result<(), String> {
        Ok(())
    }
}

/// Something else that runs.
pub(super) struct Runnable {
    pub(super) name: String,
    pub(super) run: Run,
}
