//! The files of a config, and the file that new entries go to.

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
};

use super::{Kubeconfig, KubeconfigError, LoadingRules};
use crate::paths::home_dir;

/// The variable that lists kubeconfig files.
pub(super) const KUBECONFIG: &str = "KUBECONFIG";

/// Lists and reads the files of a config. All methods may block on files.
pub trait ConfigAccess: Send + Sync {
    /// The files, the one with the highest precedence first.
    fn loading_precedence(&self) -> Vec<PathBuf>;
    /// The merged content of the files, as the start of an edit. Missing files are empty.
    fn starting_config(&self) -> Result<Kubeconfig, KubeconfigError>;
    /// The file for new entries; it need not exist. The path is empty if there is none, for example without a home directory.
    fn default_filename(&self) -> PathBuf;
    /// The one file that the user selected, if any.
    fn explicit_file(&self) -> Option<PathBuf>;
}

client_rs_machinery::options! {
    /// The files with the rules of `kubectl config`: relative paths in them stay relative, and new entries go to the only file in
    /// `KUBECONFIG`, or to the first one that exists, or to the last.
    ///
    /// Use it with [`modify`](super::modify) to edit files. To load a config, use [`LoadingRules`].
    #[derive(Clone, Debug)]
    pub struct PathOptions {
        /// The file to use if `KUBECONFIG` is empty; `None` without a home directory.
        pub global_file: Option<PathBuf> => with_global_file,
        /// The files in `KUBECONFIG`.
        pub env_files: Vec<PathBuf> => with_env_files,
        /// The rules to load them. Its own list of files is ignored.
        pub loading_rules: LoadingRules => with_loading_rules,
    }
}

impl PathOptions {
    /// The files of `KUBECONFIG` and of the home directory.
    pub fn from_env() -> Self {
        Self::new(env::var_os(KUBECONFIG).as_deref(), home_dir().as_deref())
    }

    /// The files of this list, in the format of `KUBECONFIG`, and of this home directory.
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

/// The files in a `KUBECONFIG` list, without duplicates.
pub(super) fn files_of(kubeconfig: Option<&OsStr>) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for file in kubeconfig.into_iter().filter(|list| !list.is_empty()).flat_map(env::split_paths) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    files
}

/// `~/.kube/config`; `None` without a home directory. A kubeconfig can name programs to run, so a file is never read just because
/// it is in the current directory.
pub(super) fn home_file(home: Option<&Path>) -> Option<PathBuf> {
    let home = home.filter(|home| !home.as_os_str().is_empty())?;
    Some(home.join(".kube").join("config"))
}
