//! Paths with the semantics of Go's `filepath`, which works on their text alone: kubeconfigs written by kubectl depend on it.

use std::env;
use std::path::{Component, Path, PathBuf};

/// Returns the shortest equivalent path, if no symbolic link is involved: no `.`, no inner `..`, no double slash.
pub(crate) fn clean(path: &str) -> String {
    let mut out = PathBuf::new();
    for component in Path::new(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match out.components().next_back() {
                Some(Component::Normal(_)) => {
                    out.pop();
                }
                Some(Component::RootDir | Component::Prefix(_)) => {}
                Some(Component::ParentDir | Component::CurDir) | None => out.push(".."),
            },
            component => out.push(component),
        }
    }
    match out.to_str() {
        Some("") | None => ".".to_owned(),
        Some(cleaned) => cleaned.to_owned(),
    }
}

/// Resolves a path against `base` and cleans it. An absolute path stays unchanged.
pub(crate) fn resolve(path: &str, base: &Path) -> String {
    if path.is_empty() || Path::new(path).is_absolute() {
        return path.to_owned();
    }
    base.join(path).to_str().map_or_else(|| path.to_owned(), clean)
}

/// The relative path from `base` to `path`, both absolute.
pub(crate) fn relative(path: &str, base: &Path) -> String {
    let (path, base) = (clean(path), clean(&base.to_string_lossy()));
    let (mut to, mut from) =
        (Path::new(&path).components().peekable(), Path::new(&base).components().peekable());
    while let (Some(one), Some(two)) = (to.peek(), from.peek()) {
        if one != two {
            break;
        }
        to.next();
        from.next();
    }
    let way: PathBuf = from.map(|_| Component::ParentDir).chain(to).collect();
    match way.to_str() {
        Some("") | None => ".".to_owned(),
        Some(way) => way.to_owned(),
    }
}

/// The absolute directory that contains a file.
pub(crate) fn directory_of(file: &Path) -> std::io::Result<PathBuf> {
    let directory = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = std::path::absolute(directory.unwrap_or_else(|| Path::new(".")))?;
    Ok(directory.to_str().map_or(directory.clone(), |text| clean(text).into()))
}

/// The home directory: `HOME`. On Windows, the first of several candidates with a kubeconfig, else the first candidate.
pub(crate) fn home_dir() -> Option<PathBuf> {
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if !cfg!(windows) {
        return variable("HOME");
    }
    let drive = variable("HOMEDRIVE").zip(variable("HOMEPATH")).map(|(drive, path)| {
        let mut home = drive.into_os_string();
        home.push(path);
        PathBuf::from(home)
    });
    let homes: Vec<PathBuf> =
        [variable("HOME"), drive, variable("USERPROFILE")].into_iter().flatten().collect();
    homes.iter().find(|home| home.join(".kube").join("config").exists()).or(homes.first()).cloned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cleaned_as_go_does() {
        for (path, expected) in [
            ("", "."),
            (".", "."),
            ("./a", "a"),
            ("a/", "a"),
            ("a//b/./c", "a/b/c"),
            ("a/../b", "b"),
            ("../a", "../a"),
            ("../../a/..", "../.."),
            ("/..", "/"),
            ("/../a", "/a"),
            ("/a/b/../../../c", "/c"),
        ] {
            assert_eq!(clean(path), expected, "{path:?}");
        }
    }

    #[test]
    fn paths_are_resolved_and_made_relative() {
        let base = Path::new("/home/me/.kube");
        assert_eq!(resolve("ca.crt", base), "/home/me/.kube/ca.crt");
        assert_eq!(resolve("../ca.crt", base), "/home/me/ca.crt");
        assert_eq!(resolve("/etc//ca.crt", base), "/etc//ca.crt", "absolute: untouched");
        assert_eq!(resolve("", base), "");
        assert_eq!(relative("/home/me/.kube/pki/ca.crt", base), "pki/ca.crt");
        assert_eq!(relative("/home/you/ca.crt", base), "../../you/ca.crt");
        assert_eq!(relative("/home/me/.kube", base), ".");
    }
}
