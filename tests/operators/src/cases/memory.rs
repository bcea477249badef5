//! Facts that only the memory of the process has, and that a restart loses.

use client_rs_controller::Action;
use client_rs_machinery::Object as _;

use super::case;
use crate::kit::{Case, Kit, Setup};

pub(super) const CASES: &[Case] = &[
    case!("children-known-by-memory", "state in memory", Setup::PLAIN, |kit, key| {
        // The buggy one remembers what it has made, and deletes that.
        let Ok(app) = kit.apps.get(&key) else { return Ok(Action::done()) };
        if app.is_being_deleted() {
            if Kit::is_guarded(&app) {
                let remembered = kit.memory().get(key.name.as_str()).cloned();
                if kit.bug {
                    if let Some(name) = remembered {
                        kit.remove(&name).await?;
                    }
                } else {
                    kit.remove(&key.name).await?;
                }
                kit.guard(&app, false).await?;
            }
            return Ok(Action::done());
        }
        if !Kit::is_guarded(&app) {
            kit.guard(&app, true).await?;
            return Ok(Action::done());
        }
        if kit.cached(&key.name).is_none() && kit.is_live(&app).await? {
            kit.maps_api().create(Kit::stray(&app, &key.name)).await?;
            kit.memory().insert(key.name.to_string(), key.name.to_string());
            return Ok(Action::done());
        }
        kit.ensure_stray(&app, &key.name).await?;
        Ok(Action::done())
    }),
    case!("names-from-a-counter", "non-deterministic names", Setup::PLAIN, |kit, key| {
        // The buggy one counts its children in memory, and so makes others after a restart.
        let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
        let name = if kit.bug {
            let mut memory = kit.memory();
            let count = memory.len();
            memory.entry(key.name.to_string()).or_insert_with(|| format!("{}-{count}", key.name)).clone()
        } else {
            key.name.to_string()
        };
        kit.ensure(Kit::child(&app, &name)?).await?;
        Ok(Action::done())
    }),
    case!("marked-done-first", "marked as done before the work", Setup::PLAIN, |kit, key| {
        // An error of the create is never retried.
        let Some(app) = kit.app(&key) else {
            kit.memory().remove(key.name.as_str());
            return Ok(Action::done());
        };
        let mark = format!("{} {}", app.uid(), app.spec.value);
        let done = kit.memory().insert(key.name.to_string(), mark.clone()) == Some(mark);
        if kit.bug && done && kit.cached(&key.name).is_none() {
            return Ok(Action::done());
        }
        kit.ensure(Kit::child(&app, &key.name)?).await?;
        Ok(Action::done())
    }),
    case!("overwritten-on-restart", "secret overwritten on restart", Setup::PLAIN, |kit, key| {
        // A process makes a new token, although there is one.
        let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
        let mut child = Kit::child(&app, &key.name)?;
        let token = kit.identity.clone();
        let cached = kit.cached(&key.name);
        let known = cached.as_ref().and_then(|child| child.data.get("token").cloned());
        let owner = |map: &client_rs_api::core::v1::ConfigMap| {
            map.metadata.owner_references.iter().any(|owner| owner.uid == app.metadata.uid)
        };
        let token = if kit.bug { token.into() } else { known.unwrap_or_else(|| "made once".into()) };
        child.data.insert("token", token);
        if cached.as_deref().is_some_and(|child| !owner(child)) {
            return Err(client_rs_controller::ReconcileError::message(
                "the child of the last app is still there",
            ));
        }
        kit.ensure(child).await?;
        Ok(Action::done())
    }),
];
