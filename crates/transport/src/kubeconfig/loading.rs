//! The selection of files, and how they are merged.

use std::{
    env,
    ffi::OsStr,
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    ConfigAccess, DirectConfig, Kubeconfig, KubeconfigError, Loader,
    access::{KUBECONFIG, files_of, home_file},
};
use crate::Config;
use crate::paths::{directory_of, home_dir, resolve};
use client_rs_machinery::collections::VecMap;

client_rs_machinery::options! {
    /// Selects the files of a config. Of entries with the same name, the one in the first file wins as a whole.
    ///
    /// ```
    /// use client_rs_transport::kubeconfig::{Loader, LoadingRules};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    /// std::fs::write(&one, "current-context: dev")?;
    /// std::fs::write(&two, "current-context: prod\nclusters: [{name: prod, cluster: {server: 'https://prod'}}]")?;
    ///
    /// let rules = LoadingRules::default().with_precedence([one, two, folder.path().join("missing")]);
    /// let merged = rules.load()?;
    /// assert_eq!(merged.current_context, "dev");
    /// assert!(merged.clusters.contains_key("prod"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Default)]
    pub struct LoadingRules {
        /// The one file to read, which must exist. Default: none.
        pub explicit_path: Option<PathBuf> => with_explicit_path,
        /// The files to read if there is no explicit path. Missing files are skipped.
        pub precedence: Vec<PathBuf> => with_precedence,
        /// Files to copy before anything is read, if the target does not exist: target to source.
        pub migration: VecMap<PathBuf, PathBuf> => with_migration,
        /// Keep relative paths in the files unchanged, to edit the files. Default: false, they are resolved against the directory
        /// of their file.
        pub do_not_resolve_paths: bool => with_do_not_resolve_paths,
        /// Warn if none of the files exists. Default: true if `KUBECONFIG` names them.
        pub warn_if_all_missing: bool => with_warn_if_all_missing,
        /// Receives the warning. Default: the log.
        pub warner: Option<Arc<Warner>> => with_warner,
        /// The config without any file. A loaded config that equals it counts as empty. Default: none.
        pub default_config: Option<DirectConfig> => with_default_config,
    }
}

/// Receives the missing files.
type Warner = dyn Fn(&[PathBuf]) + Send + Sync;

impl LoadingRules {
    /// The files of `KUBECONFIG`, else `~/.kube/config`; no file without a home directory.
    pub fn from_env() -> Self {
        Self::new(env::var_os(KUBECONFIG).as_deref(), home_dir().as_deref())
    }

    /// One file, which must exist.
    pub fn explicit(path: impl Into<PathBuf>) -> Self {
        Self { explicit_path: Some(path.into()), ..Self::default() }
    }

    /// The files of this list, in the format of `KUBECONFIG`, else those of this home directory; without both, no file.
    pub fn new(kubeconfig: Option<&OsStr>, home: Option<&Path>) -> Self {
        let listed = kubeconfig.is_some_and(|list| !list.is_empty());
        let home_file = home_file(home);
        let old_name = if cfg!(windows) { "config" } else { ".kubeconfig" };
        let migration = home_file.iter().map(|file| (file.clone(), file.with_file_name(old_name))).collect();
        Self {
            precedence: if listed { files_of(kubeconfig) } else { home_file.into_iter().collect() },
            migration,
            warn_if_all_missing: listed,
            ..Self::default()
        }
    }

    /// Copies files to their current location. Files without permission are skipped.
    pub fn migrate(&self) -> Result<(), KubeconfigError> {
        for (destination, source) in &self.migration {
            match fs::metadata(destination) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) if error.kind() != io::ErrorKind::PermissionDenied => {
                    return Err(KubeconfigError::read(destination, error));
                }
                _ => continue,
            }
            let metadata = match fs::metadata(source) {
                Ok(metadata) => metadata,
                Err(error)
                    if [io::ErrorKind::NotFound, io::ErrorKind::PermissionDenied].contains(&error.kind()) =>
                {
                    continue;
                }
                Err(error) => return Err(KubeconfigError::read(source, error)),
            };
            if metadata.is_dir() {
                let error = io::Error::new(io::ErrorKind::IsADirectory, "cannot migrate a directory");
                return Err(KubeconfigError::read(source, error));
            }
            let data = fs::read(source).map_err(|error| KubeconfigError::read(source, error))?;
            write_with_mode(destination, &data, &metadata)
                .map_err(|error| KubeconfigError::write(destination, error))?;
        }
        Ok(())
    }

    fn files(&self) -> Result<Vec<PathBuf>, KubeconfigError> {
        if let Some(path) = &self.explicit_path {
            return match fs::metadata(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    Err(KubeconfigError::read(path, error))
                }
                _ => Ok(vec![path.clone()]),
            };
        }
        Ok(self.precedence.iter().filter(|path| !path.as_os_str().is_empty()).cloned().collect())
    }

    fn warn(&self, missing: &[PathBuf]) {
        if let Some(warner) = &self.warner {
            warner(missing);
        } else {
            tracing::warn!(?missing, "none of the files in KUBECONFIG exists");
        }
    }
}

impl Loader for LoadingRules {
    fn load(&self) -> Result<Kubeconfig, KubeconfigError> {
        self.migrate()?;
        let (mut errors, mut missing, mut found) = (Vec::new(), Vec::new(), 0);
        let mut merged = Kubeconfig::default();
        for path in self.files()? {
            match Kubeconfig::read(&path) {
                Ok(config) => {
                    merged.add_missing(&config);
                    found += 1;
                }
                Err(error) if error.is_file_not_found() => missing.push(path),
                Err(error) => errors.push(error),
            }
        }
        if self.warn_if_all_missing && !missing.is_empty() && found == 0 {
            self.warn(&missing);
        }
        if !self.do_not_resolve_paths
            && let Err(error) = merged.resolve_paths()
        {
            errors.push(error);
        }
        if errors.is_empty() {
            Ok(merged)
        } else {
            Err(KubeconfigError::Load { errors, rest: Box::new(merged) })
        }
    }

    fn is_default_config(&self, config: &Config) -> bool {
        let default = self.default_config.as_ref().map(DirectConfig::client_config);
        matches!(default, Some(Ok(default)) if default == *config)
    }
}

impl ConfigAccess for LoadingRules {
    fn loading_precedence(&self) -> Vec<PathBuf> {
        match &self.explicit_path {
            Some(path) => vec![path.clone()],
            None => self.precedence.clone(),
        }
    }

    fn starting_config(&self) -> Result<Kubeconfig, KubeconfigError> {
        match self.load() {
            Err(error) if error.is_file_not_found() => Ok(Kubeconfig::default()),
            result => result,
        }
    }

    fn default_filename(&self) -> PathBuf {
        let files = self.loading_precedence();
        files.iter().find(|file| file.exists()).or(files.first()).cloned().unwrap_or_default()
    }

    fn explicit_file(&self) -> Option<PathBuf> {
        self.explicit_path.clone()
    }
}

impl Kubeconfig {
    /// Makes relative paths absolute, each against the directory of its file. Entries without a file stay unchanged.
    pub fn resolve_paths(&mut self) -> Result<(), KubeconfigError> {
        for cluster in self.clusters.values_mut() {
            if let Some(base) = base_of(cluster.origin.as_deref())? {
                cluster.paths().for_each(|path| *path = resolve(path, &base));
            }
        }
        for user in self.users.values_mut() {
            if let Some(base) = base_of(user.origin.as_deref())? {
                user.paths().for_each(|path| *path = resolve(path, &base));
            }
        }
        Ok(())
    }
}

/// The absolute directory of a file.
pub(super) fn base_of(origin: Option<&Path>) -> Result<Option<PathBuf>, KubeconfigError> {
    let base = origin.map(|file| directory_of(file).map_err(|error| KubeconfigError::read(file, error)));
    base.transpose()
}

impl fmt::Debug for LoadingRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadingRules")
            .field("explicit_path", &self.explicit_path)
            .field("precedence", &self.precedence)
            .field("migration", &self.migration)
            .field("do_not_resolve_paths", &self.do_not_resolve_paths)
            .field("warn_if_all_missing", &self.warn_if_all_missing)
            .finish_non_exhaustive()
    }
}

/// Writes a file with the permissions of the source, but never executable.
#[cfg(unix)]
fn write_with_mode(path: &Path, data: &[u8], like: &fs::Metadata) -> io::Result<()> {
    use std::{
        io::Write,
        os::unix::fs::{OpenOptionsExt, PermissionsExt},
    };
    let mode = like.permissions().mode() & 0o666;
    fs::OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(path)?.write_all(data)
}

#[cfg(not(unix))]
fn write_with_mode(path: &Path, data: &[u8], _like: &fs::Metadata) -> io::Result<()> {
    fs::write(path, data)
}
