//! Which plugins may run.

use std::{
    env,
    ffi::OsStr,
    path::{MAIN_SEPARATOR, Path, PathBuf},
};

use super::ExecError;
use crate::paths::clean;

/// Which plugins may run. A kubeconfig can name any program; a policy limits what that can do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PluginPolicy {
    /// All of them.
    #[default]
    AllowAll,
    /// None of them.
    DenyAll,
    /// Only these: each an absolute path, or a name to look for in `PATH`. Must not be empty. A command that is a
    /// relative path never runs then (those of kubeconfig files are made absolute when they are loaded).
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

    /// The program to run for this command, if the policy allows it; `None` if there is none.
    ///
    /// Under an allowlist it is the very path that was compared: absolute, with no link on the way to its directory, so
    /// that the system finds there what the list names. Its own name stays as it is, also where that is a link: programs
    /// of many names do what they are called.
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
            // Nothing to run: that it is missing is the more useful answer.
            None if entries.iter().any(|entry| entry == command) => Ok(None),
            None => deny("it is not installed, so that the allowlist can't be asked about it"),
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

/// The path with every link on the way to its directory followed.
fn settled(program: &Path) -> Option<PathBuf> {
    let (directory, name) = (program.parent()?, program.file_name()?);
    Some(directory.canonicalize().ok()?.join(name))
}

/// Finds a program as a shell would: a name in the directories of `path`, anything with a separator as it is.
///
/// Directories that are not absolute are passed over: what runs must not depend on where one stands.
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
            "the command's directory is found as the system finds it"
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
        assert_eq!(
            look_path("sh", OsStr::new(".:bin")),
            None,
            "directories that are not absolute don't count"
        );
        assert_eq!(look_path(directory.path().to_str().unwrap(), OsStr::new("")), None, "a directory");
    }
}
