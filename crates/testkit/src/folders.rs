//! Where things are kept: programs in the user's cache, records in the runtime folder, data in a temp folder.

use std::ffi::OsString;
use std::fs::{DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::error::{Context, Error, Result};

/// The folders of one user. All are created on first use, for their owner alone, and none is in the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    /// Built programs: `$XDG_CACHE_HOME/client-rs/controlplane`, by default `~/.cache/client-rs/controlplane`.
    pub cache: PathBuf,
    /// Records and locks of named clusters: `$XDG_RUNTIME_DIR/client-rs`, else `clusters` next to `data`.
    /// Gone when it is empty.
    pub runtime: PathBuf,
    /// Certificates, logs and etcd's files of running clusters: `client-rs-UID/data` in the temp folder.
    /// Gone when it is empty.
    pub data: PathBuf,
}

impl Folders {
    /// The folders of the user who runs this process.
    pub fn of_user() -> Self {
        Self::from_environment(
            |name| std::env::var_os(name),
            &std::env::temp_dir(),
            rustix::process::geteuid().as_raw(),
        )
    }

    fn from_environment(variable: impl Fn(&str) -> Option<OsString>, temp: &Path, uid: u32) -> Self {
        // The XDG rules: a relative path is as good as none.
        let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let own = temp.join(format!("client-rs-{uid}"));
        let cache = absolute("XDG_CACHE_HOME")
            .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
            .map_or_else(|| own.join("cache"), |base| base.join("client-rs"));
        let runtime =
            absolute("XDG_RUNTIME_DIR").map_or_else(|| own.join("clusters"), |base| base.join("client-rs"));
        Self { cache: cache.join("controlplane"), runtime, data: own.join("data") }
    }
}

/// Creates a folder that only its owner can enter, or accepts an existing one with these rights.
///
/// In a shared temp folder anyone may have created it first: a folder of another user is refused.
pub(crate) fn create_private(folder: &Path) -> Result<()> {
    let what = || format!("create the folder {}", folder.display());
    if let Some(parent) = folder.parent()
        && !parent.exists()
    {
        create_private(parent)?;
    }
    match DirBuilder::new().mode(0o700).create(folder) {
        Ok(()) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
        Err(error) => return Err(error).context(what),
    }
    let metadata = std::fs::symlink_metadata(folder).context(what)?;
    if !metadata.is_dir() || metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(Error::Io { what: what(), error: io::Error::other("it belongs to somebody else") });
    }
    if metadata.mode() & 0o077 != 0 {
        std::fs::set_permissions(folder, Permissions::from_mode(0o700)).context(what)?;
    }
    Ok(())
}

/// Removes a folder and then its parent if they are empty; others may be using them, and that is fine.
pub(crate) fn remove_if_empty(folder: &Path) {
    if std::fs::remove_dir(folder).is_ok()
        && let Some(parent) = folder.parent()
        && parent.file_name().is_some_and(|name| name.to_string_lossy().starts_with("client-rs-"))
    {
        let _ = std::fs::remove_dir(parent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(variables: &[(&str, &str)]) -> Folders {
        let find = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into());
        Folders::from_environment(find, Path::new("/tmp"), 7)
    }

    #[test]
    fn the_xdg_variables_decide() {
        let found =
            folders(&[("XDG_CACHE_HOME", "/c"), ("XDG_RUNTIME_DIR", "/run/user/7"), ("HOME", "/home/u")]);
        assert_eq!(found.cache, Path::new("/c/client-rs/controlplane"));
        assert_eq!(found.runtime, Path::new("/run/user/7/client-rs"));
        assert_eq!(found.data, Path::new("/tmp/client-rs-7/data"));
    }

    #[test]
    fn without_them_home_and_the_temp_folder_do() {
        let found = folders(&[("HOME", "/home/u"), ("XDG_CACHE_HOME", "relative"), ("XDG_RUNTIME_DIR", "")]);
        assert_eq!(found.cache, Path::new("/home/u/.cache/client-rs/controlplane"));
        assert_eq!(found.runtime, Path::new("/tmp/client-rs-7/clusters"));
        assert_eq!(folders(&[]).cache, Path::new("/tmp/client-rs-7/cache/controlplane"));
    }

    #[test]
    fn a_private_folder_is_its_owners_alone() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("client-rs-7/data");
        create_private(&folder).unwrap();
        assert_eq!(folder.metadata().unwrap().mode() & 0o777, 0o700);
        std::fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
        create_private(&folder).unwrap();
        assert_eq!(folder.metadata().unwrap().mode() & 0o777, 0o700);
        remove_if_empty(&folder);
        assert!(temp.path().exists() && !temp.path().join("client-rs-7").exists());
    }

    #[test]
    fn a_link_or_file_in_its_place_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        let link = temp.path().join("link");
        std::os::unix::fs::symlink(temp.path(), &link).unwrap();
        assert!(create_private(&link).unwrap_err().to_string().contains("belongs to somebody else"));
        let file = temp.path().join("file");
        std::fs::write(&file, "").unwrap();
        create_private(&file).unwrap_err();
    }
}
