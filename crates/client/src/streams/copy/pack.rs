//! Writes files to an archive.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use tar::{Builder, EntryType, Header};

use super::{Copied, CopyError, Skipped};

type Listener = dyn Fn(&Copied) + Send + Sync;

/// Writes an archive of a file or a folder, under this name. Links inside stay links; other special files are skipped.
pub(super) fn pack(
    source: &Path,
    name: &str,
    out: impl Write,
    progress: Option<&Listener>,
) -> Result<Copied, CopyError> {
    let mut packer = Packer {
        builder: Builder::new(Counting { out, failed: false }),
        copied: Copied::default(),
        progress,
    };
    packer.builder.follow_symlinks(false);
    // If the source is a link, its target is copied.
    let meant = source.canonicalize().map_err(|error| CopyError::local(source, error))?;
    packer.add(&meant, Path::new(name))?;
    packer.builder.finish().map_err(|error| CopyError::local(source, error))?;
    Ok(packer.copied)
}

struct Packer<'a, W: Write> {
    builder: Builder<Counting<W>>,
    copied: Copied,
    progress: Option<&'a Listener>,
}

/// When the other end has closed, all data is discarded: the other end reports the error.
struct Counting<W> {
    out: W,
    failed: bool,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.failed {
            match self.out.write(bytes) {
                Ok(written) => return Ok(written),
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => self.failed = true,
                Err(error) => return Err(error),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed { Ok(()) } else { self.out.flush() }
    }
}

impl<W: Write> Packer<'_, W> {
    fn add(&mut self, path: &Path, name: &Path) -> Result<(), CopyError> {
        let failed = |error| CopyError::local(path, error);
        let metadata = std::fs::symlink_metadata(path).map_err(failed)?;
        let kind = metadata.file_type();
        if kind.is_dir() {
            self.builder.append_dir(name, path).map_err(failed)?;
            let mut entries: Vec<_> =
                std::fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(failed)?;
            entries.sort_by_key(std::fs::DirEntry::file_name);
            for entry in entries {
                self.add(&entry.path(), &name.join(entry.file_name()))?;
            }
        } else if kind.is_symlink() {
            let target = std::fs::read_link(path).map_err(failed)?;
            let mut header = Header::new_gnu();
            header.set_metadata(&metadata);
            header.set_entry_type(EntryType::Symlink);
            header.set_size(0);
            self.builder.append_link(&mut header, name, target).map_err(failed)?;
        } else if kind.is_file() {
            let mut file = File::open(path).map_err(failed)?;
            self.builder.append_file(name, &mut file).map_err(failed)?;
            self.copied.files += 1;
            self.copied.bytes += metadata.len();
            if let Some(progress) = self.progress {
                progress(&self.copied);
            }
        } else {
            self.copied.skipped.push(Skipped { path: path.to_owned(), why: "not a file, folder or link" });
        }
        Ok(())
    }
}
