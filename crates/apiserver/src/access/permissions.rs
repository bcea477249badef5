//! The permissions that requests needed: what the rules of roles must grant.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use client_rs_machinery::{collections::VecSet, json};

use super::Attributes;
use crate::request::User;

/// The environment variable with the folder in which servers record the permissions that requests need. `krs rbac` sets it
/// for the tests that it runs, and writes roles from the records.
///
/// Each process adds lines to a file of its own, `permissions-PID.jsonl`. A line is a JSON object with the fields of
/// [`Permission`].
pub const RECORD_PERMISSIONS: &str = "CLIENT_RS_RECORD_PERMISSIONS";

/// The number of different permissions that a server keeps.
const MOST: usize = 65_536;

/// A permission that a request needed, whether or not the user has it: a verb on a resource, in a namespace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Permission {
    /// The name of the user. That of a service account is `system:serviceaccount:NAMESPACE:NAME`.
    pub user: String,
    /// The API group; empty for the core group.
    pub group: String,
    /// The resource, with its subresource if there is one: `deployments/scale`.
    pub resource: String,
    /// The verb, as rules of roles have it: `get`, `list`, `deletecollection`, …
    pub verb: String,
    /// The namespace. Empty for a request for all namespaces, or for a resource without namespaces.
    pub namespace: String,
}

/// Keeps each permission that a request needed, once.
#[derive(Debug, Default)]
pub(crate) struct PermissionLog(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    seen: VecSet<Permission>,
    file: Option<File>,
}

impl PermissionLog {
    /// A log that also adds each new permission to a file of this folder.
    pub(crate) fn in_folder(folder: &Path) -> io::Result<Self> {
        let path = folder.join(format!("permissions-{}.jsonl", std::process::id()));
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(|error| {
            let text =
                format!("can't record permissions in {} ({RECORD_PERMISSIONS}): {error}", path.display());
            io::Error::new(error.kind(), text)
        })?;
        Ok(Self(Mutex::new(State { seen: VecSet::new(), file: Some(file) })))
    }

    /// Notes a request for a resource. Other paths are not noted: every user may read discovery and health.
    pub(crate) fn note(&self, user: &User, asked: &Attributes) {
        let Some(resource) = &asked.resource else { return };
        let permission = Permission {
            user: user.name.clone(),
            group: resource.group.clone(),
            resource: resource.combined(),
            verb: asked.verb.clone(),
            namespace: resource.namespace.clone(),
        };
        let mut state = self.lock();
        if state.seen.len() >= MOST || state.seen.contains(&permission) {
            return;
        }
        if let Some(file) = &mut state.file
            && let Err(error) = file.write_all(&line(&permission))
        {
            tracing::warn!(%error, "can't record a permission");
        }
        state.seen.insert(permission);
    }

    /// Returns the permissions so far, sorted.
    pub(crate) fn all(&self) -> Vec<Permission> {
        self.lock().seen.iter().cloned().collect()
    }

    /// Forgets the permissions so far. Lines in a file stay.
    pub(crate) fn clear(&self) {
        self.lock().seen.clear();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A permission as one line, which is written at once.
fn line(permission: &Permission) -> Vec<u8> {
    let Permission { user, group, resource, verb, namespace } = permission;
    let mut line = json!({
        "user": user.as_str(), "group": group.as_str(), "resource": resource.as_str(), "verb": verb.as_str(),
        "namespace": namespace.as_str(),
    })
    .to_vec();
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::ResourceAttributes;

    fn list_pods(namespace: &str) -> Attributes {
        let resource = ResourceAttributes {
            resource: "pods".into(),
            namespace: namespace.into(),
            ..ResourceAttributes::default()
        };
        Attributes { verb: "list".into(), resource: Some(resource), path: String::new() }
    }

    #[test]
    fn each_permission_is_kept_once_and_becomes_one_line() {
        let folder = tempfile::tempdir().unwrap();
        let log = PermissionLog::in_folder(folder.path()).unwrap();
        let jane = User::new("jane", ["developers"]);
        for namespace in ["", "shop", "shop", ""] {
            log.note(&jane, &list_pods(namespace));
        }
        log.note(&jane, &Attributes { verb: "get".into(), resource: None, path: "/healthz".into() });
        let namespaces: Vec<String> = log.all().into_iter().map(|permission| permission.namespace).collect();
        assert_eq!(namespaces, ["", "shop"]);
        let file = folder.path().join(format!("permissions-{}.jsonl", std::process::id()));
        assert_eq!(
            std::fs::read_to_string(file).unwrap().lines().next(),
            Some(r#"{"group":"","namespace":"","resource":"pods","user":"jane","verb":"list"}"#)
        );
        log.clear();
        assert_eq!(log.all(), []);
    }

    #[test]
    fn a_folder_that_does_not_exist_is_an_error_that_names_it() {
        let error = PermissionLog::in_folder(Path::new("/does/not/exist")).unwrap_err().to_string();
        assert!(error.contains("/does/not/exist") && error.contains(RECORD_PERMISSIONS), "{error}");
    }
}
