//! The permissions that servers recorded.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use client_rs_machinery::Json;

/// A permission that a request needed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Permission {
    pub(super) user: String,
    pub(super) group: String,
    /// With its subresource.
    pub(super) resource: String,
    pub(super) verb: String,
    /// Empty for a request without a namespace.
    pub(super) namespace: String,
}

/// Reads all records of a folder. Each line of a file is one permission.
pub(super) fn read(folder: &Path) -> Result<BTreeSet<Permission>> {
    let context = || format!("can't read the recorded permissions in {}", folder.display());
    let mut permissions = BTreeSet::new();
    for entry in std::fs::read_dir(folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).with_context(context)?;
        for (index, line) in text.lines().enumerate() {
            let place = || format!("{}, line {}: not a permission", path.display(), index + 1);
            permissions.insert(parse(line).with_context(place)?);
        }
    }
    Ok(permissions)
}

fn parse(line: &str) -> Result<Permission> {
    let line = Json::parse(line.as_bytes())?;
    let text = |field: &str| {
        line[field].as_str().map(str::to_owned).with_context(|| format!("the field {field} is missing"))
    };
    Ok(Permission {
        user: text("user")?,
        group: text("group")?,
        resource: text("resource")?,
        verb: text("verb")?,
        namespace: text("namespace")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_files_are_read_once_and_errors_name_the_place() {
        let folder = tempfile::tempdir().unwrap();
        let line = r#"{"user":"u","group":"","resource":"pods","verb":"list","namespace":""}"#;
        std::fs::write(folder.path().join("a.jsonl"), format!("{line}\n{line}\n")).unwrap();
        std::fs::write(folder.path().join("b.jsonl"), format!("{line}\n")).unwrap();
        std::fs::write(folder.path().join("notes.txt"), "no record").unwrap();
        assert_eq!(read(folder.path()).unwrap().len(), 1);
        std::fs::write(folder.path().join("c.jsonl"), format!("{line}\n{{\"user\":\"u\"}}\n")).unwrap();
        let error = format!("{:#}", read(folder.path()).unwrap_err());
        assert!(error.contains("c.jsonl, line 2") && error.contains("group"), "{error}");
    }
}
