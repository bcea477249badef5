//! A small server that sends a recording to one client, as fast as the client takes it.
//!
//! Everything is prepared before: an event costs only the copy of its bytes and the writing of its version, which is
//! the time of sending. It serves plain HTTP/1.1 to all clients.

use std::io::{BufRead as _, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow};

use super::recording::{Event, Recording, VERSION_DIGITS};

/// An action on the open watch, or on the next one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Command {
    /// Send this many changes at once, then a deletion.
    Burst { events: usize },
    /// Send this many changes, each at its time, then a deletion.
    Paced { events: usize, per_second: u32 },
    /// End the watch: its resource version has expired.
    Expire,
    /// A deletion.
    End,
}

/// A server for one run of one client; dropping it ends what it does.
pub(crate) struct Server {
    commands: Sender<Command>,
    /// When a command began to be sent.
    began: Receiver<u64>,
    folder: tempfile::TempDir,
    address: std::net::SocketAddr,
    stopped: Arc<AtomicBool>,
}

struct Shared {
    recording: Arc<Recording>,
    /// Locked by the watch that is open.
    script: Mutex<Script>,
}

struct Script {
    commands: Receiver<Command>,
    began: Sender<u64>,
    /// How many changes and deletions were sent.
    changes: usize,
    deletions: usize,
    last_version: u64,
}

/// How much is written at once.
const BUFFER: usize = 128 << 10;

impl Server {
    pub(crate) fn start(recording: Arc<Recording>) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let (commands, receiver) = channel();
        let (sender, began) = channel();
        let script = Script { commands: receiver, began: sender, changes: 0, deletions: 0, last_version: 0 };
        let shared = Arc::new(Shared { recording, script: Mutex::new(script) });
        let stopped = Arc::new(AtomicBool::new(false));
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("kubeconfig"), kubeconfig(&address.to_string()))?;
        let stop = stopped.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let (Ok(stream), shared) = (stream, shared.clone()) else { continue };
                // A client that disconnects is not an error.
                thread::spawn(move || drop(serve(&stream, &shared)));
            }
        });
        Ok(Self { commands, began, folder, address, stopped })
    }

    pub(crate) fn kubeconfig(&self) -> PathBuf {
        self.folder.path().join("kubeconfig")
    }

    /// Has it sent, and returns the start time in nanoseconds since 1970.
    pub(crate) fn send(&self, command: Command) -> Result<u64> {
        self.commands.send(command).map_err(|_| anyhow!("the server has ended"))?;
        self.began.recv_timeout(Duration::from_mins(2)).context("no watch takes what is to be sent")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // The listener waits for someone to come.
        let _ = TcpStream::connect(self.address);
    }
}

fn kubeconfig(address: &str) -> String {
    serde_json::json!({
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "replay",
        "clusters": [{ "name": "replay", "cluster": { "server": format!("http://{address}") } }],
        "contexts": [{ "name": "replay", "context": { "cluster": "replay", "user": "replay" } }],
        "users": [{ "name": "replay", "user": {} }],
    })
    .to_string()
}

/// Answers the requests of a connection.
fn serve(stream: &TcpStream, shared: &Shared) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut first = String::new();
        reader.read_line(&mut first)?;
        let target = first.split(' ').nth(1).context("no request")?.to_owned();
        let mut header = String::new();
        while !matches!(header.as_str(), "\r\n") {
            header.clear();
            if reader.read_line(&mut header)? == 0 {
                return Ok(());
            }
        }
        let mut writer = stream;
        let query = |name: &str| {
            let parameters = target.split_once('?').map_or("", |(_, query)| query).split('&');
            parameters.filter_map(|parameter| parameter.split_once('=')).find(|(key, _)| *key == name)
        };
        let is_watch = query("watch").is_some_and(|(_, value)| matches!(value, "true" | "1"));
        if !target.starts_with(shared.recording.kind.path) {
            writer.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")?;
        } else if is_watch {
            let media_type = shared.recording.format.media_type();
            write!(
                writer,
                "HTTP/1.1 200 OK\r\nContent-Type: {media_type};stream=watch\r\nTransfer-Encoding: chunked\r\n\r\n"
            )?;
            if query("sendInitialEvents").is_some_and(|(_, value)| value == "true") {
                writer.write_all(&shared.recording.initial)?;
            }
            return watch(writer, shared);
        } else {
            let number = |name| query(name).and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
            let page = shared.recording.page(number("continue"), number("limit"))?;
            write!(
                writer,
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                page.len()
            )?;
            writer.write_all(&page)?;
        }
    }
}

/// Carries out the commands.
fn watch(mut stream: &TcpStream, shared: &Shared) -> Result<()> {
    let mut script = shared.script.lock().unwrap_or_else(PoisonError::into_inner);
    let recording = &*shared.recording;
    // Without commands there is no run any more.
    while let Ok(command) = script.commands.recv() {
        script.began.send(unix_nanos())?;
        match command {
            Command::Burst { events } => {
                let mut buffer = Vec::with_capacity(2 * BUFFER);
                for _ in 0..events {
                    script.put_change(recording, &mut buffer);
                    if buffer.len() > BUFFER {
                        stream.write_all(&buffer)?;
                        buffer.clear();
                    }
                }
                script.put_deletion(recording, &mut buffer)?;
                stream.write_all(&buffer)?;
            }
            Command::Paced { events, per_second } => {
                let mut buffer = Vec::new();
                let start = std::time::Instant::now();
                for number in 0..u32::try_from(events)? {
                    let due = Duration::from_secs(1) * number / per_second;
                    thread::sleep(due.saturating_sub(start.elapsed()));
                    buffer.clear();
                    script.put_change(recording, &mut buffer);
                    stream.write_all(&buffer)?;
                }
                buffer.clear();
                script.put_deletion(recording, &mut buffer)?;
                stream.write_all(&buffer)?;
            }
            Command::Expire => {
                stream.write_all(&recording.expired)?;
                stream.write_all(b"0\r\n\r\n")?;
                return Ok(());
            }
            Command::End => {
                let mut buffer = Vec::new();
                script.put_deletion(recording, &mut buffer)?;
                stream.write_all(&buffer)?;
            }
        }
    }
    Ok(())
}

impl Script {
    fn put_change(&mut self, recording: &Recording, out: &mut Vec<u8>) {
        let event = &recording.changes[self.changes % recording.changes.len()];
        self.changes += 1;
        self.put(event, out);
    }

    fn put_deletion(&mut self, recording: &Recording, out: &mut Vec<u8>) -> Result<()> {
        let event = recording.deletions.get(self.deletions).context("no pod left to delete")?;
        self.deletions += 1;
        self.put(event, out);
        Ok(())
    }

    fn put(&mut self, event: &Event, out: &mut Vec<u8>) {
        let at = out.len() + event.version_at;
        out.extend_from_slice(&event.bytes);
        self.last_version = unix_nanos().max(self.last_version + 1);
        let mut rest = self.last_version;
        for digit in out[at..at + VERSION_DIGITS].iter_mut().rev() {
            #[allow(clippy::cast_possible_truncation, reason = "a digit")]
            let value = (rest % 10) as u8;
            *digit = b'0' + value;
            rest /= 10;
        }
    }
}

fn unix_nanos() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
