//! The kubeconfig of a run: it holds credentials that may do everything, so nobody else may read it or put another in its
//! place.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

/// The name of the file in a folder of its own.
const NAME: &str = "kubeconfig";

/// The kubeconfig of a run; gone with it, unless its place was chosen.
pub(super) struct Kubeconfig {
    path: PathBuf,
    _folder: Option<TempDir>,
}

impl Kubeconfig {
    /// Writes it to a chosen place, or into a new folder that only this user may enter: in `XDG_RUNTIME_DIR`, which is
    /// the user's own, or in the folder for temporary files.
    pub(super) fn write(chosen: Option<&Path>, text: &str) -> Result<Self> {
        if let Some(path) = chosen {
            replace(path, text).with_context(|| format!("can't write {}", path.display()))?;
            return Ok(Self { path: path.to_path_buf(), _folder: None });
        }
        let folder = new_folder(std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).as_deref())?;
        let path = folder.path().join(NAME);
        replace(&path, text).with_context(|| format!("can't write {}", path.display()))?;
        Ok(Self { path, _folder: Some(folder) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// A new folder with a name that nobody can know beforehand.
fn new_folder(runtime: Option<&Path>) -> Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("krs-serve-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o700));
    }
    if let Some(runtime) = runtime.filter(|runtime| runtime.is_absolute())
        && let Ok(folder) = builder.tempdir_in(runtime)
    {
        return Ok(folder);
    }
    builder.tempdir().context("can't create a directory for the kubeconfig")
}

/// Puts a file in the place of another, if that is ours: a new file that only this user may read is written next to it and
/// then takes its name. An existing file is never written to, and a link is never followed.
fn replace(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Made with mode 0600 and a random name, and only if nothing has that name.
    let mut draft = tempfile::Builder::new().prefix(".krs-serve-").tempfile_in(folder)?;
    check(path, folder, draft.as_file())?;
    draft.write_all(text.as_bytes())?;
    draft.as_file().sync_all()?;
    draft.persist(path)?;
    Ok(())
}

/// Refuses a place that somebody else has a hand in.
#[cfg(unix)]
fn check(path: &Path, folder: &Path, ours: &std::fs::File) -> Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    const OTHERS_WRITE: u32 = 0o022;
    const WORLD_WRITES: u32 = 0o002;
    const STICKY: u32 = 0o1000;
    let own = ours.metadata()?.uid();
    let within = std::fs::metadata(folder)?;
    if within.mode() & WORLD_WRITES != 0 && within.mode() & STICKY == 0 {
        bail!("any user can replace files in {}: choose another directory", folder.display());
    }
    let there = match std::fs::symlink_metadata(path) {
        Ok(there) => there,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    if !there.is_file() {
        bail!("it exists and is not a regular file: remove it, or choose another path");
    }
    if there.uid() != own {
        bail!("the existing file belongs to another user: choose another path");
    }
    if there.mode() & OTHERS_WRITE != 0 {
        bail!("other users can write to the existing file: remove it, or choose another path");
    }
    Ok(())
}

#[cfg(not(unix))]
fn check(path: &Path, _: &Path, _: &std::fs::File) -> Result<()> {
    match std::fs::symlink_metadata(path) {
        Ok(there) if !there.is_file() => bail!("it exists and is not a regular file"),
        _ => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("the file is there").mode() & 0o7777
    }

    #[test]
    fn by_default_it_is_in_a_new_folder_that_only_this_user_may_enter() {
        let runtime = tempfile::tempdir().unwrap();
        let (one, other) =
            (new_folder(Some(runtime.path())).unwrap(), new_folder(Some(runtime.path())).unwrap());
        assert_eq!(one.path().parent(), Some(runtime.path()));
        assert_ne!(one.path(), other.path());
        assert_eq!(mode(one.path()), 0o700);
        // An unusable one is skipped.
        let elsewhere = new_folder(Some(Path::new("/nonexistent"))).unwrap();
        assert_eq!(mode(elsewhere.path()), 0o700);
        let file = Kubeconfig::write(None, "text").unwrap();
        let path = file.path().to_path_buf();
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        drop(file);
        assert!(!path.exists());
    }

    #[test]
    fn a_chosen_file_is_replaced_and_never_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        // A process that has the old file open, or a link to it, can't read the new one.
        let link = folder.path().join("link");
        fs::hard_link(&path, &link).unwrap();
        let file = Kubeconfig::write(Some(&path), "new").unwrap();
        assert_eq!(fs::read_to_string(file.path()).unwrap(), "new");
        assert_eq!(fs::read_to_string(&link).unwrap(), "old");
        assert_eq!(mode(&path), 0o600);
        drop(file);
        assert!(path.exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "a draft is left");
    }

    #[test]
    fn a_place_that_others_have_a_hand_in_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (path, victim) = (folder.path().join("config"), folder.path().join("victim"));
        fs::write(&victim, "precious").unwrap();
        symlink(&victim, &path).unwrap();
        let why = |path: &Path| format!("{:#}", Kubeconfig::write(Some(path), "new").err().unwrap());
        assert!(why(&path).contains("not a regular file"), "{}", why(&path));
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
        fs::set_permissions(&victim, fs::Permissions::from_mode(0o666)).unwrap();
        assert!(why(&victim).contains("other users can write"), "{}", why(&victim));
        let shared = folder.path().join("shared");
        fs::create_dir(&shared).unwrap();
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(
            why(&shared.join("config")).contains("any user can replace"),
            "{}",
            why(&shared.join("config"))
        );
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o1777)).unwrap();
        Kubeconfig::write(Some(&shared.join("config")), "new").unwrap();
        assert_eq!(mode(&shared.join("config")), 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "a draft is left");
    }
}
