//! Steps in the wrong order, and errors that nobody retries.

use client_rs_controller::{Action, ReconcileError};

use super::case;
use crate::kit::{Case, Kit, Setup};

pub(super) const CASES: &[Case] = &[
    case!("second-child-forgotten", "partial failure between two creates", Setup::PLAIN, |kit, key| {
        // If the first child exists, the buggy one takes the second one for granted.
        let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
        let (one, other) = (format!("{}-one", key.name), format!("{}-other", key.name));
        if kit.bug && kit.cached(&one).is_some() && kit.cached(&other).is_none() {
            return Ok(Action::done());
        }
        kit.ensure(Kit::child(&app, &one)?).await?;
        kit.ensure(Kit::child(&app, &other)?).await?;
        Ok(Action::done())
    }),
    case!("create-error-swallowed", "error swallowed", Setup::PLAIN, |kit, key| {
        let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
        let made = kit.ensure(Kit::child(&app, &key.name)?).await;
        if !kit.bug {
            made?;
        }
        Ok(Action::done())
    }),
    case!("ready-before-the-work", "status before the work", Setup::PLAIN, |kit, key| {
        // The status says that the work is done, so it is not done after a crash.
        let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
        let done = app.status.as_ref().is_some_and(|status| {
            status.phase == "Ready" && status.observed_generation == app.metadata.generation
        });
        if kit.bug {
            if !done {
                kit.report(&app, "Ready").await?;
                kit.ensure(Kit::child(&app, &key.name)?).await?;
            }
        } else {
            kit.ensure(Kit::child(&app, &key.name)?).await?;
            kit.report(&app, "Ready").await?;
        }
        Ok(Action::done())
    }),
    case!("failed-for-good", "error taken for a permanent one", Setup::PLAIN, |kit, key| {
        // One refused request, and the app has failed for good.
        let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
        let failed = app.status.as_ref().is_some_and(|status| status.phase == "Failed");
        if kit.bug && failed {
            return Ok(Action::done());
        }
        match kit.ensure(Kit::child(&app, &key.name)?).await {
            Err(_) if kit.bug => kit.report(&app, "Failed").await?,
            made => {
                made?;
                kit.report(&app, "Ready").await?;
            }
        }
        Ok(Action::done())
    }),
    case!("error-taken-for-not-found", "error taken for not found", Setup::PLAIN, |kit, key| {
        // The child counts the times that it was made.
        let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
        let current = kit.maps_api().get(&key.name).await;
        let missing = match &current {
            Ok(_) => false,
            Err(error) => kit.bug || error.is_not_found(),
        };
        if missing {
            let mut child = Kit::child(&app, &key.name)?;
            child.data.insert("made", "again".into());
            match kit.maps_api().create(child.clone()).await {
                Err(error) if error.is_already_exists() && kit.bug => {
                    let known = kit.maps_api().get(&key.name).await?;
                    child.metadata.resource_version = known.metadata.resource_version;
                    child.data.insert("made", "over an existing one".into());
                    kit.maps_api().update(child).await?;
                }
                made => drop(made?),
            }
            return Ok(Action::done());
        }
        let mut child = current?;
        let value = app.spec.value.as_str().into();
        if child.data.get("value") != Some(&value) {
            child.data.insert("value", value);
            kit.maps_api().update(child).await?;
        }
        Ok(Action::done())
    }),
    case!("retried-at-once", "unbounded retry", Setup::PLAIN, |kit, key| {
        // A conflict does not go away when the same update is sent again.
        let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
        let wanted = Kit::child(&app, &key.name)?;
        if kit.bug {
            for _ in 0..500 {
                if kit.ensure(wanted.clone()).await.is_ok() {
                    return Ok(Action::done());
                }
            }
            return Err(ReconcileError::message("it does not work"));
        }
        kit.ensure(wanted).await?;
        Ok(Action::done())
    }),
    case!(
        "children-not-watched",
        "watch on the wrong kind",
        Setup { bug_watches_children: false, expects_child: true, ..Setup::PLAIN },
        |kit, key| {
            // Nobody notices that the child was deleted.
            let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
            kit.ensure(Kit::child(&app, &key.name)?).await?;
            Ok(Action::done())
        }
    ),
    case!(
        "every-replica-works",
        "two leaders",
        Setup { replicas: 2, needs_election: true, ..Setup::PLAIN },
        |kit, key| {
            // The buggy one runs without an election.
            let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
            kit.ensure(Kit::child(&app, &key.name)?).await?;
            kit.report(&app, "Ready").await?;
            Ok(Action::done())
        }
    ),
    case!(
        "gate-of-one-term",
        "leader change in the middle of the work",
        Setup { replicas: 2, keeps_gate: true, ..Setup::PLAIN },
        |kit, key| {
            // A replica that leads again can't write: the gate of its first term is closed.
            let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
            kit.ensure(Kit::child(&app, &key.name)?).await?;
            kit.report(&app, "Ready").await?;
            Ok(Action::done())
        }
    ),
];
