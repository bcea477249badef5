//! The folder with the programs that envtest starts: links to this one.

use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The names under which envtest starts programs.
const PROGRAMS: [&str; 3] = ["etcd", "kube-apiserver", "kubectl"];

/// Creates the folder for this program in the user's cache folder, or updates it, and returns its path.
pub(super) fn create() -> Result<PathBuf> {
    let program = std::env::current_exe().context("can't find the path of krs")?;
    let cache = cache_folder(&|name| std::env::var_os(name), std::env::home_dir())
        .context("there is no cache folder: set XDG_CACHE_HOME or HOME")?;
    create_in(&cache, &program)
}

/// Each krs has its own folder, so that two of them do not replace each other's links while tests run.
fn create_in(cache: &Path, program: &Path) -> Result<PathBuf> {
    let mut hasher = DefaultHasher::new();
    program.hash(&mut hasher);
    let folder = cache.join("krs").join("envtest").join(format!("{:016x}", hasher.finish()));
    fs::create_dir_all(&folder).with_context(|| format!("can't create {}", folder.display()))?;
    for name in PROGRAMS {
        let link = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        put(program, &link).with_context(|| format!("can't create {}", link.display()))?;
    }
    Ok(folder)
}

fn cache_folder(variable: &dyn Fn(&str) -> Option<OsString>, home: Option<PathBuf>) -> Option<PathBuf> {
    let named = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = home.filter(|home| home.is_absolute());
    let own = if cfg!(windows) {
        named("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home.clone().map(|home| home.join("Library").join("Caches"))
    } else {
        None
    };
    named("XDG_CACHE_HOME").or(own).or_else(|| home.map(|home| home.join(".cache")))
}

/// Links to the program. A link that exists and leads there stays, because a test may be running through it.
#[cfg(unix)]
fn put(program: &Path, link: &Path) -> io::Result<()> {
    if fs::read_link(link).is_ok_and(|target| target == program) {
        return Ok(());
    }
    // A rename replaces the old link in one step.
    let new = link.with_extension(std::process::id().to_string());
    let _ = fs::remove_file(&new);
    std::os::unix::fs::symlink(program, &new)?;
    fs::rename(&new, link)
}

/// Copies the program: links need rights that most users of Windows do not have.
#[cfg(not(unix))]
fn put(program: &Path, link: &Path) -> io::Result<()> {
    let same = |at: &Path| fs::metadata(at).and_then(|found| Ok((found.len(), found.modified()?)));
    if let (Ok(old), Ok(new)) = (same(link), same(program))
        && old.0 == new.0
        && old.1 >= new.1
    {
        return Ok(());
    }
    fs::copy(program, link).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_is_this_one_and_a_second_time_changes_nothing() {
        let cache = tempfile::tempdir().unwrap();
        let program = std::env::current_exe().unwrap();
        let folder = create_in(cache.path(), &program).unwrap();
        assert_eq!(create_in(cache.path(), &program).unwrap(), folder);
        for name in PROGRAMS {
            let link = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
            assert_eq!(fs::metadata(link).unwrap().len(), fs::metadata(&program).unwrap().len());
        }
        let other = create_in(cache.path(), Path::new("/other/krs"));
        assert_ne!(other.unwrap_or_default(), folder);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), PROGRAMS.len());
    }

    #[test]
    fn the_cache_is_the_users_and_never_the_current_folder() {
        let none = |_: &str| None;
        assert_eq!(cache_folder(&none, None), None);
        assert_eq!(cache_folder(&|_| Some("relative".into()), Some("home".into())), None);
        let set = |name: &str| (name == "XDG_CACHE_HOME").then(|| OsString::from(absolute("cache")));
        assert_eq!(cache_folder(&set, None), Some(absolute("cache")));
        assert!(cache_folder(&none, Some(absolute("home"))).unwrap().starts_with(absolute("home")));
    }

    fn absolute(name: &str) -> PathBuf {
        std::path::absolute(std::env::temp_dir().join(name)).unwrap()
    }
}
