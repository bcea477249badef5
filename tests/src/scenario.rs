//! [`Scenario`]: a test that runs on both servers.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use crate::{Backend, Stage};
use anyhow::Result;

/// The body of a scenario, on a stage of its own. It need not be `Send`: all run on the thread that runs the suite.
pub type Play = fn(&Stage) -> Pin<Box<dyn Future<Output = Result<()>> + '_>>;

/// Something that must hold, and how it is tried.
///
/// Several scenarios run at the same time, each with its own namespaces and, if embedded, its own server. One that
/// changes what others can see (flow control, resource definitions that others use) must be [`alone`](Self::alone).
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// The property that must hold, as a sentence.
    pub name: &'static str,
    /// How it is tried.
    pub play: Play,
    /// How long it may take; past that it has failed. Default: two minutes, on a busy machine in a debug build.
    pub deadline: Duration,
    /// The only server it runs on, and why. Default: both.
    pub only: Option<(Backend, &'static str)>,
    /// Whether it cannot run at the same time as others. Default: false.
    pub alone: bool,
}

/// A scenario: its name, as a sentence that holds, and the `async fn(&Stage) -> Result<()>` that tries it.
///
/// Collect scenarios in a `static`. The functions behind a `const` are compiled in each crate that uses it, so a change of
/// one suite would compile all of them.
///
/// ```
/// # use client_rs_tests::{Scenario, Stage, scenario};
/// static SCENARIOS: &[Scenario] = &[scenario!("the server returns its version", version)];
///
/// async fn version(stage: &Stage) -> anyhow::Result<()> {
///     let request = client_rs_client::Request::get().abs_path(["/version"]);
///     anyhow::ensure!(stage.client()?.send_raw(request).await?.body.starts_with(b"{"));
///     Ok(())
/// }
/// ```
#[macro_export]
macro_rules! scenario {
    ($name:expr, $play:path) => {
        $crate::Scenario::new($name, |stage| ::std::boxed::Box::pin($play(stage)))
    };
}

impl Scenario {
    /// Creates a scenario that runs on both servers, at the same time as others.
    #[must_use]
    pub const fn new(name: &'static str, play: Play) -> Self {
        Self { name, play, deadline: Duration::from_mins(2), only: None, alone: false }
    }

    /// Runs on the real server only, for this reason: it is printed, as a skip, whenever the embedded one is tried.
    #[must_use]
    pub const fn real_only(self, reason: &'static str) -> Self {
        Self { only: Some((Backend::Real, reason)), ..self }
    }

    /// Runs on the embedded server only, for this reason.
    #[must_use]
    pub const fn embedded_only(self, reason: &'static str) -> Self {
        Self { only: Some((Backend::Embedded, reason)), ..self }
    }

    /// May take so long.
    #[must_use]
    pub const fn within(self, deadline: Duration) -> Self {
        Self { deadline, ..self }
    }

    /// Runs when no other does.
    #[must_use]
    pub const fn alone(self) -> Self {
        Self { alone: true, ..self }
    }
}

/// A named set of scenarios.
#[derive(Clone, Copy, Debug)]
pub struct Suite {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its scenarios, in the order in which they begin.
    pub scenarios: &'static [Scenario],
}
