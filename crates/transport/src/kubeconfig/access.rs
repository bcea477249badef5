//! Which files there are, and which of them is written to.

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
};

use super::{Kubeconfig, KubeconfigError, LoadingRules};
use crate::paths::home_dir;

/// The variable that lists kubeconfig files.
pub(super) const KUBECONFIG: &str = "KUBECONFIG";

/// Knows the files that make up a config. All methods may block on files.
pub trait ConfigAccess: Send + Sync {
    /// The files, the one that counts most first. A copy: sort it if you like.
    fn loading_precedence(&self) -> Vec<PathBuf>;
    /// What the files hold, merged, to begin an edit with. Files that aren't there hold nothing.
    fn starting_config(&self) -> Result<Kubeconfig, KubeconfigError>;
    /// The file that new entries go to; it need not be there. An empty path if there is none, as without a home
    /// directory.
    fn default_filename(&self) -> PathBuf;
    /// The one file that the user asked for, if they did.
    fn explicit_file(&self) -> Option<PathBuf>;
}

client_rs_machinery::options! {
    /// The files as `kubectl config` sees them: paths in them stay as they are written, and new entries go to the only file
    /// of `KUBECONFIG`, or to the first one there that exists, or to the last.
    #[derive(Clone, Debug)]
    pub struct PathOptions {
        /// The file to use when `KUBECONFIG` names none; `None` without a home directory.
        pub global_file: Option<PathBuf> => with_global_file,
        /// The files of `KUBECONFIG`.
        pub env_files: Vec<PathBuf> => with_env_files,
        /// How to load them. Its own list of files is not looked at.
        pub loading_rules: LoadingRules => with_loading_rules,
    }
}

impl PathOptions {
    /// What `KUBECONFIG` and the home directory say.
    pub fn from_env() -> Self {
        Self::new(env::var_os(KUBECONFIG).as_deref(), home_dir().as_deref())
    }

    /// What this list, as `KUBECONFIG` holds it, and this home directory say.
    pub fn new(kubeconfig: Option<&OsStr>, home: Option<&Path>) -> Self {
        let loading_rules =
            LoadingRules { do_not_resolve_paths: true, ..LoadingRules::new(kubeconfig, home) };
        Self { global_file: home_file(home), env_files: files_of(kubeconfig), loading_rules }
    }
}

impl ConfigAccess for PathOptions {
    fn loading_precedence(&self) -> Vec<PathBuf> {
        match (self.explicit_file(), &self.env_files[..]) {
            (Some(file), _) => vec![file],
            (None, []) => self.global_file.iter().cloned().collect(),
            (None, files) => files.to_vec(),
        }
    }

    fn starting_config(&self) -> Result<Kubeconfig, KubeconfigError> {
        LoadingRules { precedence: self.loading_precedence(), ..self.loading_rules.clone() }.starting_config()
    }

    fn default_filename(&self) -> PathBuf {
        match (self.explicit_file(), &self.env_files[..]) {
            (Some(file), _) => file,
            (None, []) => self.global_file.clone().unwrap_or_default(),
            (None, [.., last]) => self.env_files.iter().find(|file| file.exists()).unwrap_or(last).clone(),
        }
    }

    fn explicit_file(&self) -> Option<PathBuf> {
        self.loading_rules.explicit_path.clone()
    }
}

/// The files that a `KUBECONFIG` lists, each once.
pub(super) fn files_of(kubeconfig: Option<&OsStr>) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for file in kubeconfig.into_iter().filter(|list| !list.is_empty()).flat_map(env::split_paths) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    files
}

/// `~/.kube/config`; none without a home: a kubeconfig can name programs to run, so that one is never read just because
/// it lies in the current directory.
pub(super) fn home_file(home: Option<&Path>) -> Option<PathBuf> {
    let home = home.filter(|home| !home.as_os_str().is_empty())?;
    Some(home.join(".kube").join("config"))
}
