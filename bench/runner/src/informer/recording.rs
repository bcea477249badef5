//! Recordings of a real server: every pod as an event, before and after a change of each of them.
//!
//! curl records them in both formats: `watch=true&sendInitialEvents=true` returns every pod as an event, then a
//! bookmark. The changed pods are recorded in the same way, because the server ends a watch that falls behind a
//! burst. A plain JSON list is also recorded, for clients that list.
//!
//! The replay edits types and versions: the events become changes, and the versions become the times of sending.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use client_rs_testkit::Cluster;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::protobuf;
use crate::list;

/// How objects are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Protobuf,
    Json,
}

impl Format {
    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Protobuf => "application/vnd.kubernetes.protobuf",
            Self::Json => "application/json",
        }
    }

    fn file(self, folder: &Path, stream: &str) -> PathBuf {
        folder.join(match self {
            Self::Protobuf => format!("{stream}.pb"),
            Self::Json => format!("{stream}.json"),
        })
    }
}

/// An event, ready to be sent as a chunk of an answer.
pub(super) struct Event {
    pub(super) bytes: Vec<u8>,
    /// The place of its version, which has [`VERSION_DIGITS`] bytes.
    pub(super) version_at: usize,
}

/// Nanoseconds since 1970, until the year 2286.
pub(super) const VERSION_DIGITS: usize = 19;

/// A kind of objects, as the server names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// The path of all objects.
    pub(crate) path: &'static str,
    pub(crate) api_version: &'static str,
    pub(crate) kind: &'static str,
}

/// The kind of a recording of a real server.
const PODS: Kind = Kind { path: "/api/v1/pods", api_version: "v1", kind: "Pod" };

/// A recording, ready to be sent.
pub(crate) struct Recording {
    pub(super) kind: Kind,
    pub(super) format: Format,
    /// The list as a stream of events, with its end marked, as chunks.
    pub(super) initial: Vec<u8>,
    /// Changes, every pod's in turn, and then back again; without the pods that are to be deleted.
    pub(super) changes: Vec<Event>,
    /// The events that end a phase.
    pub(super) deletions: Vec<Event>,
    /// The chunk that ends a watch.
    pub(super) expired: Vec<u8>,
    /// The list, page by page, each with its items; JSON only.
    pub(super) items: Vec<Box<RawValue>>,
    /// The list's version.
    pub(super) resource_version: String,
}

/// The two streams.
const BEFORE: &str = "before";
const AFTER: &str = "after";

/// How many pods can be deleted.
const DELETIONS: usize = 4;

impl Recording {
    /// Was it recorded, to its end?
    pub(super) fn is_there(folder: &Path) -> bool {
        folder.join("done").exists()
    }

    /// Reads what was recorded.
    pub(super) fn read(folder: &Path, format: Format, pods: usize) -> Result<Self> {
        let before = read_stream(&format.file(folder, BEFORE))?;
        let after = read_stream(&format.file(folder, AFTER))?;
        let (added, end) = split_stream(format, &before, pods)?;
        let (updated, _) = split_stream(format, &after, pods)?;
        let mut initial = Vec::with_capacity(before.len() + 16 * pods);
        for frame in added.iter().copied().chain([end]) {
            push_chunk(&mut initial, frame);
        }
        // All frames of the pods that will be deleted, or the cache would have them again.
        let (kept, deleted) = added.split_at(pods - DELETIONS);
        let gone: Vec<Vec<u8>> = deleted.iter().map(|frame| uid(format, frame)).collect::<Result<_>>()?;
        let mut changes = Vec::with_capacity(2 * pods);
        for frame in updated {
            if !gone.contains(&uid(format, frame)?) {
                changes.push(Event::new(format, frame, "MODIFIED")?);
            }
        }
        for frame in kept {
            changes.push(Event::new(format, frame, "MODIFIED")?);
        }
        let deletions = deleted.iter().map(|frame| Event::new(format, frame, "DELETED"));
        let (items, resource_version) = match format {
            Format::Json => read_list(&folder.join("list.json"))?,
            Format::Protobuf => (Vec::new(), String::new()),
        };
        Ok(Self {
            kind: PODS,
            format,
            initial,
            changes,
            deletions: deletions.collect::<Result<_>>()?,
            expired: expired(format),
            items,
            resource_version,
        })
    }

    /// A recording as a server with these objects would give it, without changes: files of length-prefixed records, as
    /// bench/go/cmd/pods writes them.
    pub(crate) fn of_records(kind: Kind, format: Format, path: &Path) -> Result<Self> {
        let bytes = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
        let mut initial =
            Vec::with_capacity(if format == Format::Protobuf { bytes.len() + bytes.len() / 32 } else { 0 });
        let (mut items, mut last, mut rest) = (Vec::new(), Vec::new(), &bytes[..]);
        while let Some((length, behind)) = rest.split_first_chunk() {
            let (record, behind) = behind
                .split_at_checked(u32::from_le_bytes(*length) as usize)
                .context("a file that is cut off")?;
            match format {
                Format::Protobuf => {
                    last = event_frame("ADDED", &protobuf::wrapped(kind.api_version, kind.kind, record));
                    push_chunk(&mut initial, &last);
                }
                Format::Json => items.push(serde_json::from_slice(record).context("a record")?),
            }
            rest = behind;
        }
        let mut deletions = Vec::new();
        if format == Format::Protobuf {
            push_chunk(&mut initial, &end_of_initial(kind));
            deletions.push(Event::new(format, &last, "DELETED")?);
        }
        Ok(Self {
            kind,
            format,
            initial,
            changes: Vec::new(),
            deletions,
            expired: expired(format),
            items,
            resource_version: NEWEST.to_owned(),
        })
    }

    /// A page of the list, as JSON.
    pub(super) fn page(&self, start: usize, limit: usize) -> Result<Vec<u8>> {
        let end = if limit == 0 { self.items.len() } else { self.items.len().min(start + limit) };
        let items = self.items.get(start..end).context("a page beyond the end")?;
        let token = if end < self.items.len() { end.to_string() } else { String::new() };
        let metadata = json!({ "resourceVersion": self.resource_version, "continue": token });
        let Kind { kind, api_version, .. } = self.kind;
        let mut page =
            format!(r#"{{"kind":"{kind}List","apiVersion":"{api_version}","metadata":{metadata},"items":["#);
        for (number, item) in items.iter().enumerate() {
            if number > 0 {
                page.push(',');
            }
            page.push_str(item.get());
        }
        page.push_str("]}\n");
        Ok(page.into_bytes())
    }
}

impl Event {
    fn new(format: Format, frame: &[u8], kind: &str) -> Result<Self> {
        let version = "0".repeat(VERSION_DIGITS);
        let (frame, at) = match format {
            Format::Protobuf => {
                let message = frame.get(4..).context("an empty frame")?;
                let edited = protobuf::replaced(message, &[1], kind.as_bytes());
                let edited = edited.and_then(|(message, _)| {
                    protobuf::replaced(&message, &[2, 1, 2, 1, 6], version.as_bytes())
                });
                let (message, at) = edited.context("an event without a version")?;
                (framed(&message), at + 4)
            }
            Format::Json => {
                let text = std::str::from_utf8(frame)?;
                let text = edited_text(text, r#""type":""#, kind).context("an event without a type")?.0;
                let edited = edited_text(&text, r#""resourceVersion":""#, &version);
                let (text, at) = edited.context("an event without a version")?;
                (text.into_bytes(), at)
            }
        };
        let mut bytes = Vec::with_capacity(frame.len() + 16);
        let head = push_chunk(&mut bytes, &frame);
        Ok(Self { bytes, version_at: head + at })
    }
}

/// The text behind a mark, up to the next quote, replaced; and where it is.
fn edited_text(text: &str, mark: &str, new: &str) -> Option<(String, usize)> {
    let start = text.find(mark)? + mark.len();
    let end = start + text.get(start..)?.find('"')?;
    Some((format!("{}{new}{}", text.get(..start)?, text.get(end..)?), start))
}

/// A message with its length before it.
fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
    [&length.to_be_bytes()[..], message].concat()
}

/// Appends a chunk of an HTTP response, and returns the length of its head.
fn push_chunk(out: &mut Vec<u8>, content: &[u8]) -> usize {
    let head = format!("{:x}\r\n", content.len());
    out.extend_from_slice(head.as_bytes());
    out.extend_from_slice(content);
    out.extend_from_slice(b"\r\n");
    head.len()
}

/// Cuts a stream into events.
struct Frames<'a> {
    format: Format,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Frames<'a> {
    /// Returns the next complete event, with its frame.
    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..)?;
        let length = match self.format {
            Format::Protobuf => u32::from_be_bytes(*rest.first_chunk()?) as usize + 4,
            Format::Json => rest.iter().position(|byte| *byte == b'\n')? + 1,
        };
        let frame = rest.get(..length)?;
        self.at += length;
        Some(frame)
    }
}

/// The type of an event.
fn kind(format: Format, frame: &[u8]) -> Result<&[u8]> {
    let (start, end) = match format {
        // Its first field, after the length of the frame, a tag and the text's own length.
        Format::Protobuf => (6, 6 + usize::from(*frame.get(5).context("an empty frame")?)),
        Format::Json => {
            let mark = br#"{"type":""#;
            let rest = frame.strip_prefix(mark).context("an event that does not begin with its type")?;
            let length = rest.iter().position(|byte| *byte == b'"').context("an event that is cut off")?;
            (mark.len(), mark.len() + length)
        }
    };
    frame.get(start..end).context("an event that is cut off")
}

/// Returns the identity of the pod in an event.
fn uid(format: Format, frame: &[u8]) -> Result<Vec<u8>> {
    match format {
        Format::Protobuf => {
            let message = frame.get(4..).context("an empty frame")?;
            protobuf::found(message, &[2, 1, 2, 1, 5]).map(<[u8]>::to_vec).context("an event without a uid")
        }
        Format::Json => {
            let text = std::str::from_utf8(frame)?;
            let start = text.find(r#""uid":""#).context("an event without a uid")? + 7;
            Ok(text.get(start..start + 36).context("an event that is cut off")?.into())
        }
    }
}

fn read_stream(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("can't read {}", path.display()))
}

/// Splits a stream into its events and the one that marks their end.
fn split_stream(format: Format, bytes: &[u8], pods: usize) -> Result<(Vec<&[u8]>, &[u8])> {
    let mut added = Vec::with_capacity(pods);
    let mut frames = Frames { format, bytes, at: 0 };
    while let Some(frame) = frames.next() {
        match kind(format, frame)? {
            b"ADDED" => added.push(frame),
            b"BOOKMARK" => {
                ensure!(added.len() == pods, "{} pods were recorded", added.len());
                return Ok((added, frame));
            }
            other => bail!("a recorded event of type {}", String::from_utf8_lossy(other)),
        }
    }
    bail!("a recording without an end")
}

fn read_list(path: &Path) -> Result<(Vec<Box<RawValue>>, String)> {
    #[derive(serde::Deserialize)]
    struct List {
        metadata: Value,
        items: Vec<Box<RawValue>>,
    }
    let bytes = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    let list: List = serde_json::from_slice(&bytes).context("the recorded list")?;
    let version = list.metadata["resourceVersion"].as_str().context("a list without a version")?;
    Ok((list.items, version.to_owned()))
}

/// A version that no object has.
const NEWEST: &str = "999999999999";

/// The frame of an event of an object.
fn event_frame(kind: &str, object: &[u8]) -> Vec<u8> {
    let (mut extension, mut event) =
        (Vec::with_capacity(object.len() + 8), Vec::with_capacity(object.len() + 32));
    protobuf::put(&mut extension, 1, object);
    protobuf::put(&mut event, 1, kind.as_bytes());
    protobuf::put(&mut event, 2, &extension);
    framed(&event)
}

/// The bookmark after the objects.
fn end_of_initial(kind: Kind) -> Vec<u8> {
    let (mut annotation, mut metadata, mut object) = (Vec::new(), Vec::new(), Vec::new());
    protobuf::put(&mut annotation, 1, b"k8s.io/initial-events-end");
    protobuf::put(&mut annotation, 2, b"true");
    protobuf::put(&mut metadata, 6, NEWEST.as_bytes());
    protobuf::put(&mut metadata, 12, &annotation);
    protobuf::put(&mut object, 1, &metadata);
    event_frame("BOOKMARK", &protobuf::wrapped(kind.api_version, kind.kind, &object))
}

/// The response if the server no longer has the resource version at which a watch should continue.
fn expired(format: Format) -> Vec<u8> {
    let message = "too old resource version: replayed";
    let frame = match format {
        Format::Protobuf => {
            let mut status = Vec::new();
            for (number, text) in [(1, ""), (2, "Failure"), (3, message), (4, "Expired")] {
                protobuf::put(&mut status, number, text.as_bytes());
            }
            // The code is a number: 410.
            status.extend_from_slice(&[6 << 3, 0x9a, 0x03]);
            event_frame("ERROR", &protobuf::wrapped("v1", "Status", &status))
        }
        Format::Json => {
            let status = json!({
                "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
                "message": message, "reason": "Expired", "code": 410,
            });
            format!("{{\"type\":\"ERROR\",\"object\":{status}}}\n").into_bytes()
        }
    };
    let mut chunk = Vec::new();
    push_chunk(&mut chunk, &frame);
    chunk
}

/// Records what a cluster that holds the pods sends of them, and of their changes.
pub(super) fn record(cluster: &Cluster, pods: &Path, count: usize, folder: &Path) -> Result<()> {
    eprintln!("recording");
    fs::create_dir_all(folder)?;
    let curl = Curl::new(cluster, folder)?;
    let list = folder.join("list.json");
    let status = curl.fetch(Format::Json, "/api/v1/pods?resourceVersion=0", &list)?.0.wait()?;
    ensure!(status.success(), "curl ended with {status}");
    record_stream(&curl, BEFORE, count)?;
    list::fill(cluster, &pods.join("updated.pb"))?;
    record_stream(&curl, AFTER, count)?;
    // They are no longer needed.
    for name in CREDENTIALS {
        fs::remove_file(folder.join(name))?;
    }
    fs::write(folder.join("done"), "")?;
    Ok(())
}

/// Records every pod as an event, in both formats.
fn record_stream(curl: &Curl<'_>, stream: &str, count: usize) -> Result<()> {
    let query = "/api/v1/pods?watch=true&sendInitialEvents=true&allowWatchBookmarks=true\
                 &resourceVersionMatch=NotOlderThan&timeoutSeconds=3600";
    for format in [Format::Protobuf, Format::Json] {
        let path = format.file(curl.folder, stream);
        let running = curl.fetch(format, query, &path)?;
        // Every pod, and the bookmark.
        Tail { format, path, read: 0, frames: 0, rest: Vec::new() }.wait_for(count + 1)?;
        drop(running);
    }
    Ok(())
}

/// Files with the authority, the certificate and its key.
const CREDENTIALS: [&str; 3] = ["ca.crt", "tls.crt", "tls.key"];

/// curl with a cluster's certificates.
struct Curl<'a> {
    server: &'a str,
    folder: &'a Path,
}

/// Ended when dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl<'a> Curl<'a> {
    fn new(cluster: &'a Cluster, folder: &'a Path) -> Result<Self> {
        let access = cluster.access();
        let authority = access.certificate_authority.as_ref().context("no authority in the kubeconfig")?;
        let (certificate, key) =
            access.client_certificate.as_ref().context("no certificate in the kubeconfig")?;
        for (name, content) in CREDENTIALS.into_iter().zip([authority, certificate, key]) {
            fs::write(folder.join(name), content)?;
        }
        Ok(Self { server: &access.server, folder })
    }

    fn fetch(&self, format: Format, query: &str, into: &Path) -> Result<Running> {
        let mut command = Command::new("curl");
        command.args(["--silent", "--show-error", "--fail", "--no-buffer"]);
        // The server writes JSON with line breaks for programs that are called curl.
        command.args(["--user-agent", "bench-informer", "--header"]);
        let stream =
            if query.contains("watch=") && format == Format::Protobuf { ";stream=watch" } else { "" };
        command.arg(format!("Accept: {}{stream}", format.media_type()));
        for (option, file) in ["--cacert", "--cert", "--key"].into_iter().zip(CREDENTIALS) {
            command.arg(option).arg(self.folder.join(file));
        }
        command.arg("--output").arg(into).arg(format!("{}{query}", self.server)).stdin(Stdio::null());
        Ok(Running(command.spawn().context("can't start curl")?))
    }
}

/// Counts the events in a file that grows.
struct Tail {
    format: Format,
    path: PathBuf,
    read: u64,
    frames: usize,
    rest: Vec<u8>,
}

impl Tail {
    fn wait_for(&mut self, frames: usize) -> Result<()> {
        let deadline = Instant::now() + Duration::from_mins(2);
        while self.count()? < frames {
            ensure!(
                Instant::now() < deadline,
                "{} of {frames} events in {}",
                self.frames,
                self.path.display()
            );
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(())
    }

    fn count(&mut self) -> Result<usize> {
        // curl makes it with the first byte.
        let Ok(mut file) = File::open(&self.path) else { return Ok(0) };
        file.seek(SeekFrom::Start(self.read))?;
        self.read += file.read_to_end(&mut self.rest)? as u64;
        let mut frames = Frames { format: self.format, bytes: &self.rest, at: 0 };
        while frames.next().is_some() {
            self.frames += 1;
        }
        let at = frames.at;
        self.rest.drain(..at);
        Ok(self.frames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_events_are_cut_and_edited() {
        let stream = concat!(
            r#"{"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"7"}}}"#,
            "\n",
            r#"{"type":"MODI"#
        );
        let mut frames = Frames { format: Format::Json, bytes: stream.as_bytes(), at: 0 };
        let frame = frames.next().unwrap();
        assert_eq!(kind(Format::Json, frame).unwrap(), b"ADDED");
        assert!(frames.next().is_none());
        let event = Event::new(Format::Json, frame, "DELETED").unwrap();
        let text = String::from_utf8(event.bytes.clone()).unwrap();
        assert!(text.contains(r#"{"type":"DELETED","object":{"metadata":{"name":"a","#), "{text}");
        assert_eq!(text[event.version_at..][..VERSION_DIGITS], "0".repeat(VERSION_DIGITS));
        assert!(text.ends_with("\n\r\n") && text.starts_with("5e\r\n"), "{text}");
    }

    #[test]
    fn records_become_a_stream_or_a_list() {
        let mut pod = Vec::new();
        let mut metadata = Vec::new();
        protobuf::put(&mut metadata, 5, b"uid");
        protobuf::put(&mut metadata, 6, b"7");
        protobuf::put(&mut pod, 1, &metadata);
        let folder = tempfile::tempdir().unwrap();
        let records = |name: &str, record: &[u8]| {
            let path = folder.path().join(name);
            let length = u32::try_from(record.len()).unwrap().to_le_bytes();
            fs::write(&path, [&length, record, &length, record].concat()).unwrap();
            path
        };
        let made = Recording::of_records(PODS, Format::Protobuf, &records("pb", &pod)).unwrap();
        let text = String::from_utf8_lossy(&made.initial).into_owned();
        assert_eq!((text.matches("ADDED").count(), text.matches("BOOKMARK").count()), (2, 1));
        assert!(text.contains("k8s.io/initial-events-end"), "{text}");
        assert_eq!(made.deletions.len(), 1);
        let made = Recording::of_records(PODS, Format::Json, &records("json", br#"{"a":1}"#)).unwrap();
        assert!(String::from_utf8(made.page(0, 0).unwrap()).unwrap().ends_with("[{\"a\":1},{\"a\":1}]}\n"));
        let cut = folder.path().join("cut");
        fs::write(&cut, [9, 0, 0, 0, 1]).unwrap();
        assert!(Recording::of_records(PODS, Format::Json, &cut).is_err());
    }

    #[test]
    fn protobuf_events_are_cut_and_edited() {
        let (mut metadata, mut pod, mut extension, mut event) = (vec![], vec![], vec![], vec![]);
        protobuf::put(&mut metadata, 5, b"uid");
        protobuf::put(&mut metadata, 6, b"7");
        protobuf::put(&mut pod, 1, &metadata);
        protobuf::put(&mut extension, 1, &protobuf::wrapped("v1", "Pod", &pod));
        protobuf::put(&mut event, 1, b"MODIFIED");
        protobuf::put(&mut event, 2, &extension);
        let stream = [&framed(&event)[..], b"\0\0"].concat();
        let mut frames = Frames { format: Format::Protobuf, bytes: &stream, at: 0 };
        let frame = frames.next().unwrap();
        assert_eq!(kind(Format::Protobuf, frame).unwrap(), b"MODIFIED");
        assert_eq!(uid(Format::Protobuf, frame).unwrap(), b"uid");
        assert!(frames.next().is_none());
        let event = Event::new(Format::Protobuf, frame, "DELETED").unwrap();
        assert_eq!(event.bytes[event.version_at..][..VERSION_DIGITS], [b'0'; VERSION_DIGITS]);
    }
}
