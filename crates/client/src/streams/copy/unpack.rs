//! Extracts an untrusted archive to files.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use tar::EntryType;

use super::entries::Entries;
use super::{Copied, CopyError, CopyOptions, Progress};

/// An entry that was not copied.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// The path, in the archive or on this machine.
    pub path: PathBuf,
    /// The reason.
    pub why: &'static str,
}

/// Extracts an archive to a place next to the target.
pub(super) struct Unpacker {
    /// The expected name of the content.
    pub(super) name: String,
    /// The target; if it is a folder, the folder to copy into.
    pub(super) local: PathBuf,
    /// Whether a folder is merged into the target instead.
    pub(super) merge: bool,
    pub(super) max_bytes: Option<u64>,
    pub(super) max_entries: Option<u64>,
    pub(super) progress: Option<Progress>,
}

/// Complete files that do not have their final names yet. They are removed when this is dropped.
pub(super) struct Staged {
    folder: tempfile::TempDir,
    target: PathBuf,
    copied: Copied,
}

/// The name of the staged content.
const ROOT: &str = "root";

impl Unpacker {
    pub(super) fn new(options: &CopyOptions, name: &str, local: &Path) -> Self {
        Self {
            name: name.to_owned(),
            local: local.to_owned(),
            merge: options.merge,
            max_bytes: options.max_bytes,
            max_entries: options.max_entries,
            progress: options.progress.clone(),
        }
    }

    pub(super) fn unpack(self, archive: impl Read) -> Result<Staged, CopyError> {
        let into = self.local.is_dir();
        let parent = self.local.parent().filter(|parent| !parent.as_os_str().is_empty());
        // Inside the folder, because the parent folder may be on another file system.
        let parent = if into { self.local.as_path() } else { parent.unwrap_or(Path::new(".")) };
        let parent = parent.to_owned();
        let folder = tempfile::Builder::new().prefix(".copy.").tempdir_in(&parent);
        let folder = folder.map_err(|error| CopyError::local(&parent, error))?;
        let root = folder.path().join(ROOT);
        let mut copied = Copied::default();
        let (mut entries, mut count) = (Entries::new(archive), 0_u64);
        while let Some(entry) = entries.next().map_err(CopyError::Archive)? {
            count += 1;
            if self.max_entries.is_some_and(|most| count > most) {
                return Err(CopyError::TooLarge { what: "entries", limit: self.max_entries.unwrap_or(0) });
            }
            let path = entry.path;
            let place = place(&root, &self.name, &path)?;
            match entry.kind {
                EntryType::Directory => {
                    let failed = |error| CopyError::local(&place, error);
                    fs::create_dir_all(&place).map_err(failed)?;
                    permit(&place, entry.mode, 0o700).map_err(failed)?;
                }
                EntryType::Regular | EntryType::Continuous => {
                    // Checked before a byte of it is written.
                    let bytes = copied.bytes.saturating_add(entry.size);
                    if let Some(limit) = self.max_bytes.filter(|most| bytes > *most) {
                        return Err(CopyError::TooLarge { what: "bytes", limit });
                    }
                    copied.bytes += self.file(&mut entries, &place, entry.mode, &copied)?;
                    copied.files += 1;
                    self.report(&copied);
                }
                EntryType::Symlink | EntryType::Link => skip(&mut copied, path, "a link"),
                _ => skip(&mut copied, path, "not a file or folder"),
            }
        }
        if !root.exists() {
            let nothing = io::Error::new(io::ErrorKind::UnexpectedEof, "it contains no file or folder");
            return Err(CopyError::Archive(nothing));
        }
        let beside = !into || (self.merge && root.is_dir());
        let target = if beside { self.local } else { self.local.join(self.name) };
        Ok(Staged { folder, target, copied })
    }

    fn file(&self, from: &mut impl Read, place: &Path, mode: u32, before: &Copied) -> Result<u64, CopyError> {
        const STEP: u64 = 1024 * 1024;
        let failed = |error| CopyError::local(place, error);
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        // Our own folder contains no links to follow; a second entry with the same name replaces the first.
        let mut file = File::create(place).map_err(failed)?;
        let (mut bytes, mut buffer, mut told) = (0, vec![0; 64 * 1024], 0);
        loop {
            let length = from.read(&mut buffer).map_err(CopyError::Archive)?;
            if length == 0 {
                break;
            }
            file.write_all(&buffer[..length]).map_err(failed)?;
            bytes += u64::try_from(length).unwrap_or(0);
            if bytes - told >= STEP {
                told = bytes;
                self.report(&Copied { bytes: before.bytes + bytes, ..before.clone() });
            }
        }
        drop(file);
        permit(place, mode, 0o200).map_err(failed)?;
        Ok(bytes)
    }

    fn report(&self, copied: &Copied) {
        if let Some(progress) = &self.progress {
            progress(copied);
        }
    }
}

fn skip(copied: &mut Copied, path: PathBuf, why: &'static str) {
    /// The maximum number to record, because a hostile archive may contain any number of them.
    const MOST: usize = 1000;
    tracing::debug!(path = %path.display(), why, "not copied");
    if copied.skipped.len() < MOST {
        copied.skipped.push(Skipped { path, why });
    }
}

/// The place of an entry. Its path must be the requested path, or below it.
fn place(root: &Path, name: &str, path: &Path) -> Result<PathBuf, CopyError> {
    let mut place = root.to_owned();
    let mut parts = path.components().filter(|part| !matches!(part, Component::CurDir));
    match parts.next() {
        Some(Component::Normal(first)) if first == name => {}
        _ => return Err(CopyError::Escape(path.to_owned())),
    }
    for part in parts {
        match part {
            Component::Normal(part) => place.push(part),
            _ => return Err(CopyError::Escape(path.to_owned())),
        }
    }
    Ok(place)
}

/// Sets the permissions of a file or a folder, and at least `ours` for the owner.
#[cfg(unix)]
fn permit(place: &Path, mode: u32, ours: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    // An untrusted archive must not set rights such as setuid.
    fs::set_permissions(place, fs::Permissions::from_mode(mode & 0o777 | ours))
}

#[cfg(not(unix))]
fn permit(_: &Path, _: u32, _: u32) -> io::Result<()> {
    Ok(())
}

impl Staged {
    /// Moves everything to its final name. An existing folder is merged file by file.
    pub(super) fn settle(self) -> Result<Copied, CopyError> {
        let Self { folder, target, copied } = self;
        settle(&folder.path().join(ROOT), &target)?;
        Ok(copied)
    }
}

fn settle(from: &Path, to: &Path) -> Result<(), CopyError> {
    let failed = |error| CopyError::local(to, error);
    let is_folder = |path: &Path| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    if !(is_folder(from) && is_folder(to)) {
        return fs::rename(from, to).map_err(failed);
    }
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        settle(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use tar::{Builder, Header};

    use super::super::pack;
    use super::*;

    fn unpacker(target: &Path) -> Unpacker {
        Unpacker {
            name: "it".to_owned(),
            local: target.to_owned(),
            merge: true,
            max_bytes: None,
            max_entries: None,
            progress: None,
        }
    }

    /// An archive with one entry whose path is not checked.
    fn archive(path: &str, kind: EntryType, link: Option<&str>) -> Vec<u8> {
        let mut header = Header::new_old();
        header.set_entry_type(kind);
        header.set_size(if kind == EntryType::Regular { 4 } else { 0 });
        header.set_mode(0o644);
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        if let Some(link) = link {
            header.as_old_mut().linkname[..link.len()].copy_from_slice(link.as_bytes());
        }
        header.set_cksum();
        let mut builder = Builder::new(Vec::new());
        builder.append(&header, if kind == EntryType::Regular { &b"evil"[..] } else { &b""[..] }).unwrap();
        builder.into_inner().unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn paths_that_lead_out_are_refused_and_leave_no_files() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["../it", "it/../../x", "/etc/passwd", "/it", "other", "it/../../../../../tmp/x", ".."] {
            let outcome =
                unpacker(&folder.path().join("target")).unpack(&archive(path, EntryType::Regular, None)[..]);
            assert!(matches!(outcome, Err(CopyError::Escape(_))), "{path}");
        }
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn links_and_devices_are_skipped_and_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let mut bytes = archive("it/", EntryType::Directory, None);
        let end = bytes.len() - 1024;
        bytes.truncate(end);
        for (path, kind, link) in [
            ("it/link", EntryType::Symlink, Some("/etc")),
            ("it/hard", EntryType::Link, Some("/etc/passwd")),
            ("it/device", EntryType::Block, None),
        ] {
            let entry = archive(path, kind, link);
            bytes.extend_from_slice(&entry[..entry.len() - 1024]);
        }
        bytes.extend_from_slice(&archive("it/link/passwd", EntryType::Regular, None));
        let staged = unpacker(&folder.path().join("target")).unpack(&bytes[..]).unwrap();
        let copied = staged.settle().unwrap();
        assert_eq!((copied.files, copied.skipped.len()), (1, 3));
        // A real folder is in the place of the link.
        assert_eq!(fs::read(folder.path().join("target/link/passwd")).unwrap(), b"evil");
        assert_eq!(names(folder.path()), ["target"]);
    }

    #[test]
    fn an_invalid_or_truncated_archive_leaves_no_files() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        let whole = archive("it", EntryType::Regular, None);
        for bytes in [&whole[..514], b"tar: not found", b"", &[7; 2048]] {
            let outcome = unpacker(&target).unpack(bytes);
            assert!(
                matches!(outcome, Err(CopyError::Archive(_) | CopyError::Escape(_))),
                "{} bytes",
                bytes.len()
            );
        }
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn more_than_the_limit_is_an_error_and_leaves_no_files() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        let mut bytes = Vec::new();
        for path in ["it/a", "it/b", "it/c"] {
            let entry = archive(path, EntryType::Regular, None);
            bytes.extend_from_slice(&entry[..entry.len() - 1024]);
        }
        bytes.resize(bytes.len() + 1024, 0);
        for (max_bytes, max_entries) in [(Some(11), None), (None, Some(2)), (Some(0), Some(0))] {
            let outcome = Unpacker { max_bytes, max_entries, ..unpacker(&target) }.unpack(&bytes[..]);
            assert!(matches!(outcome, Err(CopyError::TooLarge { .. })), "{max_bytes:?} {max_entries:?}");
        }
        // A claimed size counts before any of its bytes have arrived.
        let mut huge = archive("it", EntryType::Regular, None);
        let mut header = Header::from_byte_slice(&huge[..512]).clone();
        header.set_size(1 << 40);
        header.set_cksum();
        huge[..512].copy_from_slice(header.as_bytes());
        let outcome = Unpacker { max_bytes: Some(1 << 30), ..unpacker(&target) }.unpack(&huge[..]);
        assert!(matches!(outcome, Err(CopyError::TooLarge { what: "bytes", .. })));
        assert!(names(folder.path()).is_empty());
        let enough = Unpacker { max_bytes: Some(12), max_entries: Some(3), ..unpacker(&target) };
        assert_eq!(enough.unpack(&bytes[..]).unwrap().settle().unwrap().files, 3);
    }

    #[cfg(unix)]
    #[test]
    fn files_and_folders_keep_their_permissions_except_setuid_and_the_like() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let mut builder = Builder::new(Vec::new());
        for (path, kind, mode) in [
            ("it/", EntryType::Directory, 0o2750),
            ("it/file", EntryType::Regular, 0o6755),
            ("it/closed", EntryType::Directory, 0o000),
            ("it/closed/file", EntryType::Regular, 0o000),
        ] {
            let mut header = Header::new_gnu();
            header.set_entry_type(kind);
            header.set_mode(mode);
            header.set_size(0);
            builder.append_data(&mut header, path, io::empty()).unwrap();
        }
        let target = folder.path().join("target");
        unpacker(&target).unpack(&builder.into_inner().unwrap()[..]).unwrap().settle().unwrap();
        let mode = |path: &str| fs::metadata(target.join(path)).unwrap().permissions().mode() & 0o7777;
        assert_eq!([mode("."), mode("file"), mode("closed")], [0o750, 0o755, 0o700]);
        assert_eq!(mode("closed/file"), 0o200);
    }

    #[test]
    fn packed_files_are_extracted_and_merged_into_existing_folders() {
        let folder = tempfile::tempdir().unwrap();
        let (source, target) = (folder.path().join("source"), folder.path().join("target"));
        fs::create_dir_all(source.join("deep/er")).unwrap();
        fs::create_dir_all(source.join("empty")).unwrap();
        fs::write(source.join("a"), "one").unwrap();
        fs::write(source.join("deep/er/b"), vec![5; 300_000]).unwrap();
        let long = "n".repeat(150);
        fs::write(source.join(&long), "long").unwrap();
        fs::create_dir_all(target.join("deep")).unwrap();
        fs::write(target.join("kept"), "kept").unwrap();
        fs::write(target.join("a"), "old").unwrap();
        let mut bytes = Vec::new();
        let packed = pack::pack(&source, "it", &mut bytes, None).unwrap();
        let copied = unpacker(&target).unpack(&bytes[..]).unwrap().settle().unwrap();
        assert_eq!(copied, packed);
        assert_eq!((copied.files, copied.bytes), (3, 300_007));
        assert_eq!(fs::read_to_string(target.join("a")).unwrap(), "one");
        assert_eq!(fs::read(target.join("deep/er/b")).unwrap(), vec![5; 300_000]);
        assert_eq!(fs::read_to_string(target.join(&long)).unwrap(), "long");
        assert_eq!(fs::read_to_string(target.join("kept")).unwrap(), "kept");
        assert!(target.join("empty").is_dir());
        assert_eq!(names(folder.path()), ["source", "target"]);
    }

    #[test]
    fn an_existing_folder_is_merged_or_copied_into_as_requested() {
        let folder = tempfile::tempdir().unwrap();
        let put = |merge, kind: &str| {
            let target = folder.path().join(format!("{kind}-{merge}"));
            fs::create_dir(&target).unwrap();
            let path = if kind == "folder" { "it/file" } else { "it" };
            let unpacker = Unpacker { merge, ..unpacker(&target) };
            unpacker.unpack(&archive(path, EntryType::Regular, None)[..]).unwrap().settle().unwrap();
            (names(&target), target)
        };
        assert_eq!(put(true, "folder").0, ["file"]);
        let (names_of, target) = put(false, "folder");
        assert_eq!((names_of, names(&target.join("it"))), (vec!["it".to_owned()], vec!["file".to_owned()]));
        for merge in [true, false] {
            assert_eq!(put(merge, "file").0, ["it"]);
        }
    }
}
