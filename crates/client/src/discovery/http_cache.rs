//! A cache of HTTP responses in files, which the server revalidates.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use http::header::{ACCEPT, ETAG, IF_NONE_MATCH};
use sha2::{Digest, Sha256};

use crate::{Error, Request, RestClient};

/// Caches responses in a folder: one file per URL and media type.
///
/// A response with an `ETag` is stored. The next request sends `If-None-Match`, and the server answers 304 if the stored response is
/// still valid. So every request still reaches the server, but the responses are short. A file that is corrupt or can't be read
/// counts as missing, and a failed write is not an error.
///
/// Use it for command-line tools, together with [`DiskCache`](super::DiskCache). A long-running process should use
/// [`MemoryCache`](super::MemoryCache).
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::testing::Canned;
/// use client_rs_client::discovery::{HttpCache, OpenApiClient};
///
/// # let tagged = http::Response::builder().header("etag", r#""1""#).body(r#"{"paths": {}}"#)?;
/// # let unchanged = http::Response::builder().status(304).body("")?;
/// # let server = Canned::new().respond("GET /openapi/v3", tagged).respond("GET /openapi/v3", unchanged);
/// # let dir = tempfile::tempdir()?;
/// for _ in 0..2 {
///     let schemas = OpenApiClient::new(server.client()).with_http_cache(HttpCache::new(dir.path()));
///     assert!(schemas.paths().await?.is_empty());
/// }
/// // The second request was conditional, and the response came from the file.
/// assert_eq!(server.received()[1].headers()["if-none-match"], r#""1""#);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct HttpCache {
    dir: PathBuf,
}

struct Entry {
    etag: String,
    content_type: String,
    body: Bytes,
}

impl HttpCache {
    /// Uses this folder. It is created at the first write.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    /// Returns media type and body: from the server, or from the file if the server answers that it is still valid.
    pub(crate) async fn get(&self, rest: &RestClient, request: Request) -> Result<(String, Bytes), Error> {
        let file = self.dir.join(key(rest, &request)?);
        let kept = blocking({
            let file = file.clone();
            move || read(&file)
        })
        .await;
        let request = match &kept {
            Some(entry) => request.header(IF_NONE_MATCH, entry.etag.as_str()),
            None => request,
        };
        let answer = match (rest.send_raw(request).await, kept) {
            (Ok(answer), _) => answer,
            (Err(error), Some(entry)) if error.api().is_some_and(|error| error.code() == 304) => {
                return Ok((entry.content_type, entry.body));
            }
            (Err(error), _) => return Err(error),
        };
        let content_type = answer.content_type().to_owned();
        if let Some(etag) = answer.headers.get(ETAG).and_then(|etag| etag.to_str().ok()) {
            let entry = Entry {
                etag: etag.to_owned(),
                content_type: content_type.clone(),
                body: answer.body.clone(),
            };
            blocking(move || {
                if let Err(error) = write(&file, &entry) {
                    tracing::debug!(file = %file.display(), %error, "could not write a response to the cache");
                }
            })
            .await;
        }
        Ok((content_type, answer.body))
    }
}

/// The name of an entry's file: a hash, so that it does not reveal the URL.
fn key(rest: &RestClient, request: &Request) -> Result<String, Error> {
    let accept =
        request.own_headers().get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    let mut hash = Sha256::new();
    hash.update(rest.url(request)?);
    hash.update("\n");
    hash.update(accept);
    Ok(hex(&hash.finalize()))
}

/// Reads an entry: a checksum, a line with the tag, a line with the media type, the body.
fn read(file: &Path) -> Option<Entry> {
    let bytes = Bytes::from(std::fs::read(file).ok()?);
    let (sum, content) = (bytes.get(..32)?, bytes.slice(32.min(bytes.len())..));
    if Sha256::digest(&content).as_slice() != sum {
        return None;
    }
    let mut lines = content.splitn(3, |byte| *byte == b'\n');
    let mut line = || lines.next().and_then(|line| String::from_utf8(line.to_vec()).ok());
    let (etag, content_type) = (line()?, line()?);
    let body = content.slice(etag.len() + content_type.len() + 2..);
    Some(Entry { etag, content_type, body })
}

fn write(file: &Path, entry: &Entry) -> io::Result<()> {
    let head = format!("{}\n{}\n", entry.etag, entry.content_type);
    let mut hash = Sha256::new();
    hash.update(&head);
    hash.update(&entry.body);
    let sum = hash.finalize();
    write_whole(file, &[sum.as_slice(), head.as_bytes(), &entry.body])
}

/// Writes a file atomically. Owner and group can read it and its folders.
pub(super) fn write_whole(file: &Path, parts: &[&[u8]]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let dir = file.parent().unwrap_or(Path::new("."));
    make_dirs(dir)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let temporary = dir.join(format!(".{name}.{}.{count}", std::process::id()));
    let written = (|| {
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        let mut out = options.open(&temporary)?;
        for part in parts {
            out.write_all(part)?;
        }
        permit(&temporary, 0o660)?;
        std::fs::rename(&temporary, file)
    })();
    if written.is_err() {
        // The first error is the one to report.
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

fn make_dirs(dir: &Path) -> io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    if let Some(parent) = dir.parent() {
        make_dirs(parent)?;
    }
    match std::fs::create_dir(dir) {
        Ok(()) => permit(dir, 0o750),
        // Another process has created it.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn permit(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)] // Elsewhere it can fail.
fn permit(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Runs file operations on a blocking thread. A panic there is resumed here.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
