//! The policy that limits exec plugins.

use std::{
    env,
    ffi::OsStr,
    path::{MAIN_SEPARATOR, Path, PathBuf},
};

use super::ExecError;
use crate::paths::clean;

/// Limits the exec plugins that may run. A kubeconfig can name any program: set a policy if you do not trust its source.
///
/// ```
/// use client_rs_transport::auth::exec::PluginPolicy;
///
/// let policy = PluginPolicy::Allowlist(vec!["/usr/local/bin/aws".to_owned(), "gke-gcloud-auth-plugin".to_owned()]);
/// assert!(policy.validate().is_ok());
/// assert!(PluginPolicy::Allowlist(vec!["./plugin".to_owned()]).validate().is_err());
/// ```
///
/// Set it with [`ExecConfig::with_policy`](super::ExecConfig::with_policy), or for a whole kubeconfig with
/// [`Overrides::with_plugin_policy`](crate::kubeconfig::Overrides::with_plugin_policy).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PluginPolicy {
    /// All of them.
    #[default]
    AllowAll,
    /// None of them.
    DenyAll,
    /// Only these: each is an absolute path, or a name to look up in `PATH`. The list must not be empty. A command with a
    /// relative path is always denied (loading a kubeconfig file makes its commands absolute).
    Allowlist(Vec<String>),
}

impl PluginPolicy {
    /// Checks the policy itself: an empty list, an empty entry, or a path that is neither absolute nor clean is an error.
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
            if entry.contains(MAIN_SEPARATOR) && !Path::new(entry).is_absolute() {
                return refuse(format!(
                    "entry {entry:?} of the allowlist must be an absolute path or a name in PATH"
                ));
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

    /// Returns the program to run for this command, if the policy allows it; `None` if it is not installed.
    ///
    /// With an allowlist, the result is exactly the path that was compared: it is absolute, and its directory contains no
    /// symbolic link, so that the system runs the program that the list names. The last component is not resolved, even if it
    /// is a link, because some programs behave differently under each name.
    pub(crate) fn program(&self, command: &str, path: &OsStr) -> Result<Option<PathBuf>, ExecError> {
        let deny =
            |reason: &str| Err(ExecError::Denied { command: command.to_owned(), reason: reason.to_owned() });
        let entries = match self {
            Self::AllowAll => return Ok(look_path(command, path)),
            Self::DenyAll => return deny("the plugin policy is DenyAll"),
            Self::Allowlist(entries) => entries,
        };
        if command.contains(MAIN_SEPARATOR) && !Path::new(command).is_absolute() {
            return deny("with an allowlist, a command must be an absolute path or a name in PATH");
        }
        match look_path(command, path).map(|found| settled(&found)) {
            // The program is missing: that is the more useful error.
            None if entries.iter().any(|entry| entry == command) => Ok(None),
            None => deny("it is not installed, so it can't be compared with the allowlist"),
            Some(Some(program)) => {
                let mut allowed = entries.iter().filter_map(|entry| look_path(entry, path));
                if allowed.any(|entry| settled(&entry).as_ref() == Some(&program)) {
                    Ok(Some(program))
                } else {
                    deny(&format!("{} is not on the allowlist", program.display()))
                }
            }
            Some(None) => deny("the directory that it is in can't be found"),
        }
    }
}

/// The path with all symbolic links in its directory resolved.
fn settled(program: &Path) -> Option<PathBuf> {
    let (directory, name) = (program.parent()?, program.file_name()?);
    Some(directory.canonicalize().ok()?.join(name))
}

/// Finds a program as a shell does: a name in the directories of `path`, and a command with a separator unchanged.
///
/// Relative directories are skipped: the program that runs must not depend on the current directory.
fn look_path(command: &str, path: &OsStr) -> Option<PathBuf> {
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
            policy.program(command, path).is_ok()
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
        assert_eq!(allow(&["absent"]).program("absent", path), Ok(None), "allowed, but not installed");
        assert!(
            check(&allow(&[ours]), &ours.replace("/ours/", "/other/../ours/./")),
            "the command's directory is resolved as the system resolves it"
        );

        for bad in
            [&[][..], &[""], &["plugin", ""], &["./plugin"], &["/a/../b"], &["/a//b"], &["/a/"], &["a/b"]]
        {
            let error = allow(bad).validate().unwrap_err();
            assert!(matches!(error, ExecError::InvalidPolicy(_)), "{bad:?}: {error}");
        }
    }

    #[test]
    fn a_program_that_cannot_run_is_not_found() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("data"), "").unwrap();
        assert_eq!(look_path("data", directory.path().as_os_str()), None);
        assert_eq!(look_path("sh", OsStr::new(".:bin")), None, "relative directories are skipped");
        assert_eq!(look_path(directory.path().to_str().unwrap(), OsStr::new("")), None, "a directory");
    }
}
