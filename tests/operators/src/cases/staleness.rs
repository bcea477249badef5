//! Decisions from caches that are behind.

use client_rs_api::core::v1::ConfigMap;
use client_rs_controller::Action;
use client_rs_machinery::Object as _;
use client_rs_machinery::labels::Selector;

use super::case;
use crate::kit::{Case, Kit, LABEL, Setup};

pub(super) const CASES: &[Case] = &[
    case!(
        "generated-name-and-lost-response",
        "non-idempotent create with a lost response",
        Setup::PLAIN,
        |kit, key| {
            // Each try of the create makes another child.
            let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
            if kit.bug {
                if kit.children(&key.name).is_empty() {
                    let mut child = Kit::child(&app, "")?;
                    child.metadata.generate_name = format!("{}-", key.name).as_str().into();
                    kit.maps_api().create(child).await?;
                }
            } else {
                kit.ensure(Kit::child(&app, &key.name)?).await?;
            }
            Ok(Action::done())
        }
    ),
    case!(
        "create-from-a-stale-cache",
        "stale cache read before create",
        Setup { reads_own_writes: false, ..Setup::PLAIN },
        |kit, key| {
            // The status write starts a run before the cache has the child.
            let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
            if kit.bug {
                if kit.children(&key.name).is_empty() {
                    let mut child = Kit::child(&app, "")?;
                    child.metadata.generate_name = format!("{}-", key.name).as_str().into();
                    kit.maps_api().create(child).await?;
                }
            } else {
                match kit.ensure(Kit::child(&app, &key.name)?).await {
                    Err(error) if error.is_already_exists() => {}
                    made => made?,
                }
            }
            kit.report(&app, "Ready").await?;
            Ok(Action::done())
        }
    ),
    case!("replaced-without-a-version", "time travel after a restart", Setup::PLAIN, |kit, key| {
        // An update without a version lets an old cache win.
        let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
        let mut wanted = Kit::child(&app, &key.name)?;
        match kit.cached(&key.name) {
            None => drop(kit.maps_api().create(wanted).await?),
            Some(child) if child.data != wanted.data => {
                if !kit.bug {
                    wanted.metadata.resource_version = child.metadata.resource_version.clone();
                }
                kit.maps_api().update(wanted).await?;
            }
            Some(_) => {}
        }
        Ok(Action::done())
    }),
    case!("deleted-by-name", "deletion of an object that was never seen", Setup::PLAIN, |kit, key| {
        // The buggy one deletes and creates a child to change it, whether it has seen it or not.
        let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
        let wanted = Kit::child(&app, &key.name)?;
        let cached = kit.cached(&key.name);
        if cached.as_ref().is_some_and(|child| child.data == wanted.data) {
            return Ok(Action::done());
        }
        if kit.bug {
            match kit.maps_api().delete(&key.name).await {
                Err(error) if !error.is_not_found() => return Err(error.into()),
                _ => kit.maps_api().create(wanted).await?,
            };
        } else {
            kit.ensure(wanted).await?;
        }
        Ok(Action::done())
    }),
    case!("shared-object-overwritten", "lost update", Setup::PLAIN, |kit, _key| {
        // All apps have an entry in one config map. An old cache overwrites the entries of others.
        let index = kit.cached("index");
        let mut next = index.as_deref().cloned().unwrap_or_default();
        let apps = kit.apps.list(&Selector::everything());
        let live = apps.iter().filter(|app| !app.is_being_deleted());
        next.data = live.map(|app| (app.metadata.name.clone(), app.spec.value.as_str().into())).collect();
        if index.as_ref().is_some_and(|index| index.data == next.data) {
            return Ok(Action::done());
        }
        next.metadata.name = "index".into();
        next.metadata.namespace = "default".into();
        // Changes of it lead to a run, so that it is repaired.
        next.metadata.labels.insert(LABEL, "index".into());
        if next.data.is_empty() {
            kit.remove("index").await?;
        } else if index.is_none() {
            kit.maps_api().create(next).await?;
        } else {
            if kit.bug {
                next.metadata.resource_version = client_rs_machinery::Str::EMPTY;
            }
            kit.maps_api().update(next).await?;
        }
        Ok(Action::done())
    }),
    case!(
        "owner-replaced",
        "owner replaced under the same name",
        Setup { expects_child: true, ..Setup::PLAIN },
        |kit, key| {
            // A child of the app that had this name before is not the child of this one.
            let Ok(app) = kit.apps.get(&key) else { return Ok(Action::done()) };
            if app.is_being_deleted() {
                return Ok(Action::done());
            }
            let wanted = Kit::child(&app, &key.name)?;
            let mine = |child: &ConfigMap| {
                child.metadata.owner_references.iter().any(|owner| owner.uid == app.metadata.uid)
            };
            match kit.cached(&key.name) {
                Some(child) if !mine(&child) && kit.bug => {
                    // It claims the child, which the garbage collector removes, with an owner that it keeps in mind.
                    kit.memory().insert(key.name.to_string(), app.uid().to_owned());
                }
                Some(child) if !mine(&child) => {
                    return Err(client_rs_controller::ReconcileError::message(format!(
                        "{} belongs to an app that is gone",
                        child.name()
                    )));
                }
                None if kit.bug
                    && kit.memory().get(key.name.as_str()).is_some_and(|uid| uid == app.uid()) => {}
                _ => kit.ensure(wanted).await?,
            }
            Ok(Action::done())
        }
    ),
];
