//! Statuses that are wrong, or that never end.

use client_rs_controller::Action;

use super::case;
use crate::app::{App, AppStatus};
use crate::kit::{Case, Kit, Setup};

pub(super) const CASES: &[Case] = &[
    case!("status-conflict-swallowed", "status conflict swallowed", Setup::PLAIN, |kit, key| {
        let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
        kit.ensure(Kit::child(&app, &key.name)?).await?;
        let reported = kit.report(&app, "Ready").await;
        if !kit.bug {
            reported?;
        }
        Ok(Action::done())
    }),
    case!("generation-ignored", "generation ignored", Setup::PLAIN, |kit, key| {
        // The generation is that of the first time.
        let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
        kit.ensure(Kit::child(&app, &key.name)?).await?;
        let mut seen = App::clone(&app);
        if let Some(status) = app.status.as_ref().filter(|_| kit.bug) {
            seen.metadata.generation = status.observed_generation;
        }
        kit.report(&seen, "Ready").await?;
        Ok(Action::done())
    }),
    case!("status-changes-each-time", "requeue storm", Setup::PLAIN, |kit, key| {
        // Each status write leads to another run, and each run to another status.
        let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
        kit.ensure(Kit::child(&app, &key.name)?).await?;
        if kit.bug {
            let runs = app.status.as_ref().map_or(0, |status| status.value.parse().unwrap_or(0)) + 1;
            let status = AppStatus { value: runs.to_string(), ..AppStatus::default() };
            kit.apps_api().update_status(App { status: Some(status), ..App::clone(&app) }).await?;
        } else {
            kit.report(&app, "Ready").await?;
        }
        Ok(Action::done())
    }),
    case!("defaults-fight", "defaulting loop", Setup::PLAIN, |kit, key| {
        // It writes a value that it reads as another one.
        let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
        let mut wanted = Kit::child(&app, &key.name)?;
        let cached = kit.cached(&key.name);
        let mode = cached.as_ref().and_then(|child| child.data.get("mode").cloned());
        let next = match mode.as_deref() {
            Some("default") if kit.bug => "",
            _ => "default",
        };
        wanted.data.insert("mode", next.into());
        kit.ensure(wanted).await?;
        Ok(Action::done())
    }),
];
