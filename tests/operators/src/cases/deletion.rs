//! Children that are leaked, and objects that are never removed.

use client_rs_controller::Action;
use client_rs_machinery::Object as _;

use super::case;
use crate::kit::{Case, Kit, Setup};

pub(super) const CASES: &[Case] = &[
    case!(
        "deletion-without-finalizer",
        "missed deletion",
        Setup { bug_watches_children: false, ..Setup::PLAIN },
        |kit, key| {
            // Nobody owns the child: the operator has to delete it. Without a finalizer it misses deletions while it is down.
            let Ok(app) = kit.apps.get(&key) else {
                if kit.bug {
                    kit.remove(&key.name).await?;
                }
                return Ok(Action::done());
            };
            if app.is_being_deleted() {
                if Kit::is_guarded(&app) {
                    kit.remove(&key.name).await?;
                    kit.guard(&app, false).await?;
                }
                return Ok(Action::done());
            }
            if !kit.bug && !Kit::is_guarded(&app) {
                kit.guard(&app, true).await?;
                return Ok(Action::done());
            }
            kit.ensure_stray(&app, &key.name).await?;
            Ok(Action::done())
        }
    ),
    case!("finalizer-removed-first", "lost finalizer", Setup::PLAIN, |kit, key| {
        let Ok(app) = kit.apps.get(&key) else { return Ok(Action::done()) };
        if app.is_being_deleted() {
            if Kit::is_guarded(&app) {
                if kit.bug {
                    kit.guard(&app, false).await?;
                    kit.remove(&key.name).await?;
                } else {
                    kit.remove(&key.name).await?;
                    kit.guard(&app, false).await?;
                }
            }
            return Ok(Action::done());
        }
        if !Kit::is_guarded(&app) {
            kit.guard(&app, true).await?;
            return Ok(Action::done());
        }
        kit.ensure_stray(&app, &key.name).await?;
        Ok(Action::done())
    }),
    case!("finalizer-stuck-on-not-found", "finalizer never removed", Setup::PLAIN, |kit, key| {
        // The child is gone already: an error for good in the buggy one.
        let Ok(app) = kit.apps.get(&key) else { return Ok(Action::done()) };
        if app.is_being_deleted() {
            if Kit::is_guarded(&app) {
                if kit.bug {
                    kit.maps_api().delete(&key.name).await?;
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
        kit.ensure_stray(&app, &key.name).await?;
        Ok(Action::done())
    }),
    case!("finalizer-conflict-swallowed", "conflict swallowed", Setup::PLAIN, |kit, key| {
        let Ok(app) = kit.apps.get(&key) else { return Ok(Action::done()) };
        if app.is_being_deleted() {
            if Kit::is_guarded(&app) {
                // A child that is gone is not deleted again, so the run has one write only.
                if !kit.bug || kit.cached(&key.name).is_some() {
                    kit.remove(&key.name).await?;
                }
                let removed = kit.guard(&app, false).await;
                if !kit.bug {
                    removed?;
                }
            }
            return Ok(Action::done());
        }
        if !Kit::is_guarded(&app) {
            kit.guard(&app, true).await?;
            return Ok(Action::done());
        }
        kit.ensure_stray(&app, &key.name).await?;
        Ok(Action::done())
    }),
    case!("child-leaked-on-rename", "leaked child on rename", Setup::PLAIN, |kit, key| {
        // The child has the name that the spec says. The old one is forgotten when the spec changes.
        let Ok(app) = kit.apps.get(&key) else { return Ok(Action::done()) };
        if app.is_being_deleted() {
            if Kit::is_guarded(&app) {
                if kit.bug {
                    kit.remove(&app.spec.target).await?;
                } else {
                    // The cache of children may be older than that of apps.
                    for child in kit.live_children(&key.name).await? {
                        kit.remove(child.name()).await?;
                    }
                }
                kit.guard(&app, false).await?;
            }
            return Ok(Action::done());
        }
        if !Kit::is_guarded(&app) {
            kit.guard(&app, true).await?;
            return Ok(Action::done());
        }
        kit.ensure_stray(&app, &app.spec.target).await?;
        for child in kit.children(&key.name) {
            if !kit.bug && child.name() != app.spec.target {
                kit.remove(child.name()).await?;
            }
        }
        Ok(Action::done())
    }),
    case!(
        "delete-before-create",
        "delete before drain",
        Setup { expects_child_always: true, ..Setup::PLAIN },
        |kit, key| {
            // A change of the spec replaces the child. The old one has to stay until the new one exists.
            let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
            let children = kit.children(&key.name);
            let old: Vec<_> = children.iter().filter(|child| child.name() != app.spec.target).collect();
            if kit.bug {
                for child in &old {
                    kit.remove(child.name()).await?;
                }
                kit.ensure(Kit::child(&app, &app.spec.target)?).await?;
            } else {
                kit.ensure(Kit::child(&app, &app.spec.target)?).await?;
                for child in &old {
                    kit.remove(child.name()).await?;
                }
            }
            kit.report(&app, "Ready").await?;
            Ok(Action::done())
        }
    ),
    case!("owner-in-another-namespace", "cross-namespace owner", Setup::PLAIN, |kit, key| {
        // The garbage collector deletes a child whose owner is not in its namespace, again and again.
        let Some(app) = kit.app(&key) else { return Ok(Action::done()) };
        let mut child = Kit::child(&app, &key.name)?;
        if kit.bug {
            for owner in &mut child.metadata.owner_references {
                owner.uid = "00000000-0000-4000-8000-000000000000".into();
            }
        }
        kit.ensure(child).await?;
        Ok(Action::done())
    }),
];
