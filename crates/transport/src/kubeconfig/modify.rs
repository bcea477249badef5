//! Writes changes back to the files.

use std::{
    ffi::OsString,
    fs,
    hash::{BuildHasher, RandomState},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    AuthInfo, ConfigAccess, KubeCluster, KubeContext, Kubeconfig, KubeconfigError, loading::base_of,
};
use crate::auth::{AuthError, Persist, Persister};
use crate::paths::{clean, relative, resolve};
use client_rs_machinery::collections::{VecMap, VecSet};

/// Writes the difference between the files and `new` to the files. Changed and removed entries go to the file that they came from,
/// new ones to the default file. Unchanged entries and unknown fields are not touched.
///
/// With `relativize`, the paths of changed entries become relative to their file, unless they would lead out of its directory.
///
/// Every file is locked with a file next to it (`.lock`), as kubectl does. If a lock exists, this fails at once and changes
/// nothing. New files get mode 0600, new directories 0755. Blocks on files.
///
/// ```
/// use client_rs_transport::kubeconfig::{ConfigAccess, Kubeconfig, PathOptions, modify};
///
/// # let folder = tempfile::tempdir()?;
/// # let file = folder.path().join("config");
/// std::fs::write(&file, "contexts: [{name: dev, context: {cluster: dev}}]\nx-mine: kept")?;
/// let files = PathOptions::new(Some(file.as_os_str()), None);
/// let mut kubeconfig = files.starting_config()?;
/// kubeconfig.current_context = "dev".to_owned();
/// modify(&files, &kubeconfig, false)?;
///
/// let text = std::fs::read_to_string(&file)?;
/// assert!(text.contains("current-context: dev") && text.contains("x-mine: kept"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn modify(access: &dyn ConfigAccess, new: &Kubeconfig, relativize: bool) -> Result<(), KubeconfigError> {
    let files: VecSet<PathBuf> = access.loading_precedence().into_iter().collect();
    let files = files.iter().filter(|file| !file.as_os_str().is_empty());
    let _locks = files.map(|file| Lock::take(file)).collect::<Result<Vec<_>, _>>()?;

    let old = access.starting_config()?;
    let mut edit = Edit { access, files: VecMap::new(), relativize };
    if old.current_context != new.current_context {
        edit.current_context(&new.current_context)?;
    }
    if old.preferences != new.preferences {
        edit.preferences(new)?;
    }
    edit.entries::<KubeCluster>(&old, new)?;
    edit.entries::<KubeContext>(&old, new)?;
    edit.entries::<AuthInfo>(&old, new)?;
    edit.write()
}

/// Stores the settings of an auth provider in the user's entry of the kubeconfig.
pub fn persister_for_user(access: Arc<dyn ConfigAccess>, user: String) -> Persister {
    Persister(Arc::new(PersistUser { access, user }))
}

struct PersistUser {
    access: Arc<dyn ConfigAccess>,
    user: String,
}

impl Persist for PersistUser {
    fn persist(&self, config: &VecMap<String, String>) -> Result<(), AuthError> {
        let refuse = |error: KubeconfigError| AuthError::Persist(error.to_string());
        let mut new = self.access.starting_config().map_err(refuse)?;
        let user = new.users.get_mut(&self.user);
        let Some(provider) = user.and_then(|user| user.auth_provider.as_mut()) else { return Ok(()) };
        provider.config.clone_from(config);
        modify(&*self.access, &new, false).map_err(refuse)
    }
}

/// The files to change, each read once.
struct Edit<'a> {
    access: &'a dyn ConfigAccess,
    files: VecMap<PathBuf, (Kubeconfig, bool)>,
    relativize: bool,
}

impl Edit<'_> {
    /// The content of a file, which is empty if the file does not exist.
    fn file(&mut self, path: &Path) -> Result<&mut (Kubeconfig, bool), KubeconfigError> {
        if !self.files.contains_key(path) {
            let config = match Kubeconfig::read(path) {
                Err(error) if error.is_file_not_found() => Kubeconfig::default(),
                result => result?,
            };
            self.files.insert(path.to_owned(), (config, false));
        }
        Ok(self.files.entry(path.to_owned()).or_default())
    }

    fn change(&mut self, path: &Path) -> Result<&mut Kubeconfig, KubeconfigError> {
        if path.as_os_str().is_empty() {
            return Err(no_file("the change"));
        }
        let (config, changed) = self.file(path)?;
        *changed = true;
        Ok(config)
    }

    /// Writes a name to the default file. An empty name removes the effective one.
    fn current_context(&mut self, name: &str) -> Result<(), KubeconfigError> {
        let path = match self.access.explicit_file() {
            Some(file) => Some(file),
            None if !name.is_empty() => Some(self.access.default_filename()),
            None => self.first(|config| !config.current_context.is_empty())?,
        };
        let path = path.ok_or_else(|| no_file("the current context"))?;
        name.clone_into(&mut self.change(&path)?.current_context);
        Ok(())
    }

    fn preferences(&mut self, new: &Kubeconfig) -> Result<(), KubeconfigError> {
        let path = match self.access.explicit_file() {
            Some(file) => Some(file),
            None => self.first(|config| config.preferences != new.preferences)?,
        };
        let path = path.ok_or_else(|| no_file("preferences"))?;
        self.change(&path)?.preferences = new.preferences.clone();
        Ok(())
    }

    fn first(&mut self, wanted: impl Fn(&Kubeconfig) -> bool) -> Result<Option<PathBuf>, KubeconfigError> {
        for path in self.access.loading_precedence() {
            if wanted(&self.file(&path)?.0) {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    fn entries<T: Entry>(&mut self, old: &Kubeconfig, new: &Kubeconfig) -> Result<(), KubeconfigError> {
        let (old, new) = (T::of(old), T::of(new));
        for (name, entry) in new {
            if old.get(name) == Some(entry) {
                continue;
            }
            let mut entry = entry.clone();
            let path = self.destination(&entry);
            if self.relativize {
                relativize(&mut entry, &path)?;
            }
            T::of_mut(self.change(&path)?).insert(name.clone(), entry);
        }
        for (name, entry) in old {
            if !new.contains_key(name) {
                let path = self.destination(entry);
                T::of_mut(self.change(&path)?).remove(name);
            }
        }
        Ok(())
    }

    fn destination<T: Entry>(&self, entry: &T) -> PathBuf {
        entry.origin().cloned().unwrap_or_else(|| self.access.default_filename())
    }

    fn write(self) -> Result<(), KubeconfigError> {
        for (path, (config, changed)) in &self.files {
            if *changed {
                config.write(path)?;
            }
        }
        Ok(())
    }
}

impl Kubeconfig {
    /// Makes absolute paths relative to `base`, unless they would lead out of it. A relative path that leads out is an error.
    pub fn relativize_paths(&mut self, base: &Path) -> Result<(), KubeconfigError> {
        let clusters = self
            .clusters
            .values_mut()
            .try_for_each(|entry| entry.each_path(|path| relativize_path(path, base)));
        clusters.and_then(|()| {
            self.users.values_mut().try_for_each(|entry| entry.each_path(|path| relativize_path(path, base)))
        })
    }

    /// Writes the config to a file, with mode 0600 if it is new, and creates the directory if necessary. An existing file keeps its
    /// mode and owner, except that a file with credentials becomes readable only for its owner. The file is replaced atomically
    /// where that is possible. Blocks on the file.
    ///
    /// To change single entries of the user's files, use [`modify`] instead.
    pub fn write(&self, path: &Path) -> Result<(), KubeconfigError> {
        let text = self.to_yaml()?;
        make_directory(path)
            .and_then(|()| replace(path, text.as_bytes(), self.has_secrets()))
            .map_err(|error| KubeconfigError::write(path, error))
    }
}

trait Entry: Clone + PartialEq {
    fn of(config: &Kubeconfig) -> &VecMap<String, Self>;
    fn of_mut(config: &mut Kubeconfig) -> &mut VecMap<String, Self>;
    fn origin(&self) -> Option<&PathBuf>;
    fn each_path(
        &mut self,
        change: impl FnMut(&mut String) -> Result<(), KubeconfigError>,
    ) -> Result<(), KubeconfigError>;
}

/// The names that the three kinds of entries have for the same operations.
macro_rules! entry {
    ($entry:ty, $section:ident, $each_path:expr) => {
        impl Entry for $entry {
            fn of(config: &Kubeconfig) -> &VecMap<String, Self> {
                &config.$section
            }

            fn of_mut(config: &mut Kubeconfig) -> &mut VecMap<String, Self> {
                &mut config.$section
            }

            fn origin(&self) -> Option<&PathBuf> {
                self.origin.as_ref()
            }

            fn each_path(
                &mut self,
                change: impl FnMut(&mut String) -> Result<(), KubeconfigError>,
            ) -> Result<(), KubeconfigError> {
                $each_path(self, change)
            }
        }
    };
}

entry!(KubeCluster, clusters, |entry: &mut Self, change| entry.paths().try_for_each(change));
entry!(AuthInfo, users, |entry: &mut Self, change| entry.paths().try_for_each(change));
entry!(KubeContext, contexts, |_, _| Ok(()));

fn relativize(entry: &mut impl Entry, file: &Path) -> Result<(), KubeconfigError> {
    let Some(base) = base_of(Some(file))? else { return Ok(()) };
    entry.each_path(|path| {
        *path = resolve(path, &base);
        relativize_path(path, &base)
    })
}

/// Makes a path relative to `base`, unless it would lead out: then an absolute path stays, and a relative one is an error.
fn relativize_path(path: &mut String, base: &Path) -> Result<(), KubeconfigError> {
    if path.is_empty() {
        return Ok(());
    }
    if !Path::new(path).is_absolute() {
        return if clean(path).starts_with("..") {
            Err(KubeconfigError::Backsteps(path.clone()))
        } else {
            Ok(())
        };
    }
    let way = relative(path, base);
    if way != ".." && !way.starts_with(&format!("..{}", std::path::MAIN_SEPARATOR)) {
        *path = way;
    }
    Ok(())
}

fn no_file(what: &str) -> KubeconfigError {
    let reason = format!("there is no file to write {what} to: name one in KUBECONFIG, or set HOME");
    KubeconfigError::View(reason)
}

/// A lock on a kubeconfig file: another file, which only one program can create.
struct Lock(PathBuf);

impl Lock {
    fn take(file: &Path) -> Result<Self, KubeconfigError> {
        make_directory(file).map_err(|error| KubeconfigError::write(file, error))?;
        let lock = beside(file, ".lock");
        match fs::OpenOptions::new().write(true).create_new(true).open(&lock) {
            Ok(_) => Ok(Self(lock)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(KubeconfigError::Locked { file: file.to_owned(), lock })
            }
            Err(error) => Err(KubeconfigError::write(&lock, error)),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.0) {
            tracing::warn!(lock = ?self.0, %error, "cannot remove the lock of a kubeconfig");
        }
    }
}

fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(suffix);
    name.into()
}

fn make_directory(file: &Path) -> io::Result<()> {
    match file.parent() {
        Some(directory) if !directory.as_os_str().is_empty() && !directory.exists() => {
            let mut builder = fs::DirBuilder::new();
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o755);
            builder.recursive(true).create(directory)
        }
        _ => Ok(()),
    }
}

/// Replaces the content of a file. An ordinary file of our own is replaced atomically: a reader sees the old or the new content,
/// and a crash leaves one of them. A file with links to it, or of another owner, is written in place, so that links and owner
/// stay. If it contains a secret, only its owner can read it afterwards.
fn replace(path: &Path, text: &[u8], secret: bool) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&target).ok();
    let permissions =
        old.as_ref().map(|old| if secret { private_of(&target, old) } else { old.permissions() });
    if let Ok((draft, made)) = write_draft(&target, text) {
        let ready = match (&old, &permissions) {
            (Some(old), Some(permissions)) => {
                interchangeable(old, &made) && fs::set_permissions(&draft, permissions.clone()).is_ok()
            }
            _ => true,
        };
        if ready && fs::rename(&draft, &target).is_ok() {
            return Ok(());
        }
        let _ = fs::remove_file(&draft);
    }
    if secret
        && let Some(permissions) = permissions
        && let Err(error) = fs::set_permissions(&target, permissions)
    {
        tracing::warn!(file = ?target, %error, "other users can read this kubeconfig, and it contains secrets");
    }
    write_in_place(&target, text)
}

/// The permissions of a file, without access for other users.
#[cfg(unix)]
fn private_of(path: &Path, file: &fs::Metadata) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    let mut permissions = file.permissions();
    if permissions.mode() & 0o077 != 0 {
        tracing::warn!(file = ?path, "this kubeconfig contains secrets: only its owner can read it from now on");
        permissions.set_mode(permissions.mode() & 0o700);
    }
    permissions
}

#[cfg(not(unix))]
fn private_of(_: &Path, file: &fs::Metadata) -> fs::Permissions {
    file.permissions()
}

/// Writes a file next to the target, under an unused name.
fn write_draft(target: &Path, text: &[u8]) -> io::Result<(PathBuf, fs::Metadata)> {
    /// A name that exists is a coincidence, or an attack.
    const TRIES: u32 = 16;
    for _ in 0..TRIES {
        let draft = beside(target, &format!(".{:016x}.tmp", RandomState::new().hash_one(std::process::id())));
        match write_new(&draft, text) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(made) => return Ok((draft, made)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn private() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.write(true);
    options
}

/// Writes a new file, and removes it if that fails.
fn write_new(path: &Path, text: &[u8]) -> io::Result<fs::Metadata> {
    let mut file = private().create_new(true).open(path)?;
    let written = io::Write::write_all(&mut file, text).and_then(|()| file.sync_all());
    written.and_then(|()| file.metadata()).inspect_err(|_| drop(fs::remove_file(path)))
}

fn write_in_place(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = private().create(true).truncate(true).open(path)?;
    io::Write::write_all(&mut file, text)
}

#[cfg(unix)]
fn interchangeable(old: &fs::Metadata, new: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    old.is_file() && old.nlink() == 1 && (old.uid(), old.gid()) == (new.uid(), new.gid())
}

#[cfg(not(unix))]
fn interchangeable(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    false
}
