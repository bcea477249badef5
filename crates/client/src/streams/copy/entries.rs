//! Reads the entries of an untrusted archive, with only the name of one entry in memory.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tar::{EntryType, Header, PaxExtensions};

/// The header of an entry. Its content is read from the [`Entries`] that returned it.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) path: PathBuf,
    pub(super) kind: EntryType,
    pub(super) mode: u32,
    pub(super) size: u64,
}

/// Reads an archive entry by entry. As a `Read`, it returns the content of the last entry.
///
/// The reader of the `tar` crate reads names and extended headers of any size into memory, and expands the holes of sparse files,
/// which cost the container nothing, to bytes on our disk. Here, names are bounded, and sparse files, which the `tar` program
/// creates only on request, are an error.
#[derive(Debug)]
pub(super) struct Entries<R> {
    input: R,
    /// The unread bytes of the last entry.
    left: u64,
    /// The padding after them up to the next block.
    padding: u64,
}

const BLOCK: usize = 512;

/// The longest name or extended header. A path has at most 4 KiB; extended attributes in the same header can be longer.
const MAX_EXTENSION: u64 = 1024 * 1024;

/// The values in the headers before an entry's own header.
#[derive(Default)]
struct Extended {
    path: Option<Vec<u8>>,
    size: Option<u64>,
}

impl<R: Read> Entries<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, left: 0, padding: 0 }
    }

    /// The next entry; skips the unread rest of the last one. `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Entry>> {
        let mut extended = Extended::default();
        loop {
            let rest = self.left.saturating_add(self.padding);
            if io::copy(&mut (&mut self.input).take(rest), &mut io::sink())? < rest {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            (self.left, self.padding) = (0, 0);
            let Some(header) = self.header()? else { return Ok(None) };
            let kind = header.entry_type();
            let is_extension = matches!(
                kind,
                EntryType::GNULongName
                    | EntryType::GNULongLink
                    | EntryType::XHeader
                    | EntryType::XGlobalHeader
            );
            let size = if is_extension { None } else { extended.size };
            let size = size.map_or_else(|| header.entry_size(), Ok)?;
            let block = u64::try_from(BLOCK).unwrap_or(u64::MAX);
            (self.left, self.padding) = (size, (block - size % block) % block);
            match kind {
                EntryType::GNULongName => {
                    let mut path = self.extension()?;
                    if let Some(end) = path.iter().position(|byte| *byte == 0) {
                        path.truncate(end);
                    }
                    extended.path = Some(path);
                }
                EntryType::GNULongLink | EntryType::XGlobalHeader => {
                    self.extension()?;
                }
                EntryType::XHeader => self.pax(&mut extended)?,
                EntryType::GNUSparse => return Err(bad("a sparse file, which was not requested")),
                kind => {
                    let path = match &extended.path {
                        Some(path) => Cow::Borrowed(path.as_slice()),
                        None => header.path_bytes(),
                    };
                    // The notation of folders before they had their own type.
                    let folder = kind == EntryType::Regular && path.last() == Some(&b'/');
                    let kind = if folder { EntryType::Directory } else { kind };
                    let mode = header.mode().unwrap_or(if folder { 0o755 } else { 0o644 });
                    return Ok(Some(Entry { path: path_of(&path)?, kind, mode, size }));
                }
            }
        }
    }

    /// The next header; `None` at the end of the archive.
    fn header(&mut self) -> io::Result<Option<Header>> {
        let mut header = Header::new_old();
        let bytes = header.as_mut_bytes();
        let mut filled = 0;
        while filled < BLOCK {
            match self.input.read(&mut bytes[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        if bytes.iter().all(|byte| *byte == 0) {
            return Ok(None);
        }
        // The checksum field itself counts as spaces.
        let sum = bytes[..148].iter().chain(&bytes[156..]).map(|byte| u32::from(*byte)).sum::<u32>() + 8 * 32;
        if header.cksum().ok() != Some(sum) {
            return Err(bad("a header with a wrong checksum"));
        }
        Ok(Some(header))
    }

    /// The content of a header that describes the next entry.
    fn extension(&mut self) -> io::Result<Vec<u8>> {
        if self.left > MAX_EXTENSION {
            return Err(bad("a name that is too long"));
        }
        let mut bytes = Vec::new();
        let wanted = self.left;
        self.read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).unwrap_or(u64::MAX) < wanted {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(bytes)
    }

    fn pax(&mut self, extended: &mut Extended) -> io::Result<()> {
        let bytes = self.extension()?;
        for record in PaxExtensions::new(&bytes) {
            let record = record?;
            match record.key_bytes() {
                b"path" => extended.path = Some(record.value_bytes().to_vec()),
                b"size" => {
                    let size = record.value().ok().and_then(|size| size.parse().ok());
                    extended.size = Some(size.ok_or_else(|| bad("a size that is not a number"))?);
                }
                key if key.starts_with(b"GNU.sparse.") => {
                    return Err(bad("a sparse file, which was not requested"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for Entries<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let count = self.input.read(&mut buffer[..length])?;
        if count == 0 && length > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left -= u64::try_from(count).unwrap_or(0);
        Ok(count)
    }
}

fn bad(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "on other systems, a path can't be arbitrary bytes")]
fn path_of(bytes: &[u8]) -> io::Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(Path::new(std::ffi::OsStr::from_bytes(bytes)).to_owned())
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> io::Result<PathBuf> {
    std::str::from_utf8(bytes)
        .map(|path| Path::new(path).to_owned())
        .map_err(|_| bad("a name that is not valid UTF-8"))
}

#[cfg(test)]
mod tests {
    use tar::Builder;

    use super::*;

    fn header(kind: EntryType, size: u64) -> Header {
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(size);
        header.set_mode(0o644);
        header.set_path("it").unwrap();
        header.set_cksum();
        header
    }

    fn first(bytes: &[u8]) -> io::Result<Option<Entry>> {
        Entries::new(bytes).next()
    }

    #[test]
    fn names_and_extended_headers_are_bounded() {
        for kind in
            [EntryType::GNULongName, EntryType::GNULongLink, EntryType::XHeader, EntryType::XGlobalHeader]
        {
            let endless = header(kind, 1 << 40);
            let mut bytes = endless.as_bytes().to_vec();
            bytes.resize(8 * 1024, b'a');
            let error = first(&bytes).unwrap_err();
            assert_eq!(
                (error.kind(), error.to_string().as_str()),
                (io::ErrorKind::InvalidData, "a name that is too long")
            );
        }
    }

    #[test]
    fn sparse_files_are_refused_in_every_notation() {
        let error = first(header(EntryType::GNUSparse, 0).as_bytes()).unwrap_err();
        assert!(error.to_string().contains("sparse"), "{error}");
        let mut builder = Builder::new(Vec::new());
        builder.append_pax_extensions([("GNU.sparse.major", &b"1"[..])]).unwrap();
        builder.append(&header(EntryType::Regular, 0), io::empty()).unwrap();
        let error = first(&builder.into_inner().unwrap()).unwrap_err();
        assert!(error.to_string().contains("sparse"), "{error}");
    }

    #[test]
    fn extended_headers_set_the_name_and_size_of_an_entry() {
        let long = "n".repeat(300);
        let mut builder = Builder::new(Vec::new());
        builder.append_pax_extensions([("path", long.as_bytes()), ("size", b"3")]).unwrap();
        let mut bytes = builder.into_inner().unwrap();
        bytes.truncate(bytes.len() - 2 * BLOCK);
        bytes.extend_from_slice(header(EntryType::Regular, 0).as_bytes());
        bytes.extend_from_slice(b"abc");
        bytes.resize(bytes.len() + BLOCK - 3, 0);
        bytes.extend_from_slice(header(EntryType::Directory, 0).as_bytes());
        let mut entries = Entries::new(&bytes[..]);
        let entry = entries.next().unwrap().unwrap();
        assert_eq!((entry.path, entry.size), (PathBuf::from(long), 3));
        let mut text = String::new();
        entries.read_to_string(&mut text).unwrap();
        assert_eq!(text, "abc");
        let entry = entries.next().unwrap().unwrap();
        assert_eq!((entry.path, entry.kind), (PathBuf::from("it"), EntryType::Directory));
        assert!(entries.next().unwrap().is_none());
    }

    #[test]
    fn a_truncated_archive_is_an_error_at_every_position() {
        let mut builder = Builder::new(Vec::new());
        let mut file = header(EntryType::Regular, 3);
        builder.append_data(&mut file, "n".repeat(150), &b"abc"[..]).unwrap();
        let whole = builder.into_inner().unwrap();
        let read = |bytes: &[u8]| -> io::Result<usize> {
            let (mut entries, mut count) = (Entries::new(bytes), 0);
            while entries.next()?.is_some() {
                io::copy(&mut entries, &mut io::sink())?;
                count += 1;
            }
            Ok(count)
        };
        assert_eq!(read(&whole).unwrap(), 1);
        let end = whole.len() - 2 * BLOCK;
        for length in (1..end).filter(|length| length % BLOCK != 0) {
            assert!(read(&whole[..length]).is_err(), "{length}");
        }
    }
}
