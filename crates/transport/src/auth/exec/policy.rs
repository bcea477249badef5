//! Which plugins may run.

use std::{
    collections::HashSet,
    env,
    ffi::OsStr,
    path::{MAIN_SEPARATOR, Path, PathBuf},
};

use super::ExecError;
use crate::kubeconfig::path::clean;

/// Which plugins may run. A kubeconfig can name any program; a policy limits what that can do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum PluginPolicy {
    /// All of them.
    #[default]
    AllowAll,
    /// None of them.
    DenyAll,
    /// Only these: each a path, or a name to look for in `PATH`. Must not be empty.
    Allowlist(Vec<String>),
}

impl PluginPolicy {
    /// Does the policy itself make sense?
    pub fn validate(&self) -> Result<(), ExecError> {
        let Self::Allowlist(entries) = self else { return Ok(()) };
        let refuse = |reason| Err(ExecError::InvalidPolicy(reason));
        if entries.is_empty() {
            return refuse("the allowlist is empty; use the policy DenyAll to allow nothing".to_owned());
        }
        for (index, entry) in entries.iter().enumerate() {
            if entry.is_empty() {
                return refuse(format!("entry #{} of the allowlist is empty", index + 1));
            }
            let cleaned = clean(entry);
            if cleaned != *entry {
                return refuse(format!(
                    "entry {entry:?} of the allowlist is not normalized: write {cleaned:?}"
                ));
            }
        }
        Ok(())
    }

    /// May this command run? `resolved` is where it was found in the file system, if it was.
    pub(super) fn check(
        &self,
        command: &str,
        resolved: Option<&Path>,
        path: &OsStr,
    ) -> Result<(), ExecError> {
        let deny =
            |reason: &str| Err(ExecError::Denied { command: command.to_owned(), reason: reason.to_owned() });
        let entries = match self {
            Self::AllowAll => return Ok(()),
            Self::DenyAll => return deny("the plugin policy is DenyAll"),
            Self::Allowlist(entries) => entries,
        };
        let verbatim: HashSet<&str> = entries.iter().map(String::as_str).collect();
        if verbatim.contains(clean(command).as_str()) {
            return Ok(());
        }
        let Some(resolved) = resolved else {
            return deny("it is not installed, so that the allowlist can't be asked about it");
        };
        let allowed = resolved.to_str().is_some_and(|resolved| verbatim.contains(resolved))
            || entries.iter().any(|entry| look_path(entry, path).is_some_and(|entry| entry == resolved));
        if allowed { Ok(()) } else { deny("it is not on the allowlist") }
    }
}

/// Finds a program as a shell would: a name in the directories of `path`, anything with a separator as it is.
///
/// Directories that are not absolute are passed over: what runs must not depend on where one stands.
pub(crate) fn look_path(command: &str, path: &OsStr) -> Option<PathBuf> {
    if command.contains(MAIN_SEPARATOR) {
        let command = PathBuf::from(command);
        return is_executable(&command).then_some(command);
    }
    env::split_paths(path)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(command))
        .find(|candidate| is_executable(candidate))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file() || path.with_extension("exe").is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    fn allow(entries: &[&str]) -> PluginPolicy {
        PluginPolicy::Allowlist(entries.iter().map(|entry| (*entry).to_owned()).collect())
    }

    #[test]
    fn t3_9_13_allow_all_deny_all_allowlist_by_base_name_full_path_path_resolved_non_clean_and_empty_entries()
    {
        let directory = tempfile::tempdir().unwrap();
        let [ours, other] = ["ours", "other"].map(|name| {
            let place = directory.path().join(name);
            fs::create_dir(&place).unwrap();
            let file = place.join("plugin");
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
            file
        });
        let path = ours.parent().unwrap().as_os_str();
        let [ours, other] = [&ours, &other].map(|file| file.to_str().unwrap());
        let check = |policy: &PluginPolicy, command: &str| {
            policy.validate().unwrap();
            policy.check(command, look_path(command, path).as_deref(), path).is_ok()
        };

        assert!(check(&PluginPolicy::AllowAll, "plugin") && check(&PluginPolicy::default(), other));
        assert!(!check(&PluginPolicy::DenyAll, "plugin"));
        assert!(check(&allow(&["plugin"]), "plugin"), "by base name");
        assert!(check(&allow(&[ours]), ours), "by full path");
        assert!(check(&allow(&[ours]), "plugin"), "the command resolved through PATH");
        assert!(check(&allow(&["plugin"]), ours), "the entry resolved through PATH");
        assert!(check(&allow(&["absent", ours]), ours), "any entry will do");
        assert!(!check(&allow(&["plugin"]), other), "another file of the same name");
        assert!(!check(&allow(&[other]), "plugin"));
        assert!(!check(&allow(&["absent"]), "plugin"));
        assert!(!check(&allow(&["plugin"]), "absent"));
        assert!(
            check(&allow(&[ours]), &ours.replace("/ours/", "/other/../ours/./")),
            "the command is cleaned"
        );

        for bad in [&[][..], &[""], &["plugin", ""], &["./plugin"], &["/a/../b"], &["/a//b"], &["/a/"]] {
            let error = allow(bad).validate().unwrap_err();
            assert!(matches!(error, ExecError::InvalidPolicy(_)), "{bad:?}: {error}");
        }
    }

    #[test]
    fn a_program_that_cannot_run_is_not_found() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("data"), "").unwrap();
        assert_eq!(look_path("data", directory.path().as_os_str()), None);
        assert_eq!(
            look_path("sh", OsStr::new(".:bin")),
            None,
            "directories that are not absolute don't count"
        );
        assert_eq!(look_path(directory.path().to_str().unwrap(), OsStr::new("")), None, "a directory");
    }
}
