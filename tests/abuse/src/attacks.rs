//! Attacks of hostile clients on a server.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, timeout};

use crate::memory;
use crate::servers::{Connection, Served, Target};
use crate::table::{Row, Table};

/// How long hostile connections stay while an honest client keeps sending requests.
const HELD: Duration = Duration::from_secs(4);

/// The longest that an honest request may take meanwhile, on two cores that the attacker shares.
const HONEST_MAX: Duration = Duration::from_secs(3);

/// An attack, how often it is tried, and how much memory the server may add meanwhile.
struct Attack {
    name: &'static str,
    times: usize,
    megabytes: u64,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// Connects and sends nothing, not even TLS.
    Silent,
    /// Sends the head of a request, one byte at a time.
    SlowHead,
    /// Announces a body and sends one byte of it at a time.
    SlowBody,
    /// Sends requests and never reads.
    SlowReader,
    /// Sends a body without an end.
    HugeBody,
    /// Sends a head without an end.
    HugeHead,
    /// Sends bytes that are not HTTP.
    Garbage,
    /// Sends an honest request with some bytes changed.
    Mutated,
    /// Opens streams of HTTP/2 and leaves them open.
    OpenStreams,
    /// Opens streams of HTTP/2 and resets each.
    Resets,
    /// Sends pings of HTTP/2 and reads nothing.
    Pings,
    /// Sends a header block of HTTP/2 that does not end.
    Continuations,
}

const ATTACKS: &[Attack] = &[
    Attack { name: "silent connections", times: 2000, megabytes: 64, kind: Kind::Silent },
    Attack { name: "heads that trickle in", times: 500, megabytes: 64, kind: Kind::SlowHead },
    Attack { name: "bodies that trickle in", times: 500, megabytes: 64, kind: Kind::SlowBody },
    Attack { name: "clients that do not read", times: 200, megabytes: 96, kind: Kind::SlowReader },
    Attack { name: "bodies without an end", times: 100, megabytes: 192, kind: Kind::HugeBody },
    Attack { name: "heads without an end", times: 100, megabytes: 128, kind: Kind::HugeHead },
    Attack { name: "bytes that are not HTTP", times: 2000, megabytes: 64, kind: Kind::Garbage },
    Attack { name: "requests with changed bytes", times: 3000, megabytes: 64, kind: Kind::Mutated },
    Attack { name: "HTTP/2: streams that stay open", times: 50, megabytes: 128, kind: Kind::OpenStreams },
    Attack { name: "HTTP/2: streams that are reset", times: 20, megabytes: 128, kind: Kind::Resets },
    Attack { name: "HTTP/2: pings", times: 20, megabytes: 96, kind: Kind::Pings },
    Attack { name: "HTTP/2: headers without an end", times: 50, megabytes: 128, kind: Kind::Continuations },
];

/// Attacks every server in every way.
pub(crate) async fn all(only: &str, table: &mut Table) -> Result<()> {
    for served in Served::ALL {
        let attacks =
            ATTACKS.iter().filter(|attack| attack.name.contains(only) || served.name().contains(only));
        for attack in attacks {
            // A server of its own, so that an attack answers for its own memory only.
            let mut target = Target::start(served).await?;
            table.add(attack.run(&mut target).await?);
        }
        if "silent clients are closed".contains(only) || served.name().contains(only) {
            table.add(closed(&Target::start(served).await?).await?);
        }
    }
    Ok(())
}

impl Attack {
    async fn run(&self, target: &mut Target) -> Result<Row> {
        let id = target.id();
        memory::reset_peak(&id)?;
        let before = memory::of(&id)?.now;
        let began = Instant::now();
        let mut problem = None;
        let mut slowest = Duration::ZERO;
        {
            let target = &*target;
            let hostile = async {
                let mut held = Vec::new();
                for number in 0..self.times {
                    // A server may refuse or close: that is its right.
                    if let Ok(connection) = timeout(HONEST_MAX, self.kind.begin(target, number)).await {
                        held.extend(connection.ok());
                    }
                }
                // The rest of the time the connections are kept busy, each in its way.
                while began.elapsed() < HELD {
                    for connection in &mut held {
                        let byte = timeout(Duration::from_millis(1), connection.write_all(b"a"));
                        let _ = byte.await;
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                held
            };
            let honest = async {
                loop {
                    let start = Instant::now();
                    let outcome = timeout(HONEST_MAX * 2, target.honest()).await;
                    slowest = slowest.max(start.elapsed());
                    match outcome {
                        Ok(Ok(())) => (),
                        Ok(Err(error)) => problem = problem.take().or(Some(format!("{error:#}"))),
                        Err(_) => {
                            problem = problem.take().or(Some("an honest request got no answer".to_owned()));
                        }
                    }
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            };
            tokio::pin!(honest);
            tokio::select! {
                held = hostile => drop(held),
                () = &mut honest => (),
            }
        }
        if let Some(status) = target.process.try_wait().context("can't ask for the server's process")? {
            bail!("{}: {}: the server's process ended with {status}", target.served.name(), self.name);
        }
        let peak = memory::of(&id)?.peak;
        target.honest().await.context("an honest request after the attack")?;
        Ok(Row {
            against: target.served.name(),
            attack: self.name,
            tried: self.times,
            megabytes: (peak.saturating_sub(before), self.megabytes),
            slowest: (slowest, HONEST_MAX),
            problem,
        })
    }
}

impl Kind {
    /// Begins one attack, and returns the connection that it keeps open.
    async fn begin(self, target: &Target, number: usize) -> Result<Box<dyn Connection>> {
        let served = target.served;
        let upload =
            format!("{} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n", served.upload());
        let mut random = fastrand::Rng::with_seed(number as u64);
        match self {
            Self::Silent => return Ok(Box::new(target.plain().await?)),
            Self::Garbage => {
                let mut stream = target.plain().await?;
                let bytes: Vec<u8> = (0..random.usize(1..4000)).map(|_| random.u8(..)).collect();
                stream.write_all(&bytes).await?;
                return Ok(Box::new(stream));
            }
            _ => (),
        }
        let protocol: &[u8] = if self.is_http2() { b"h2" } else { b"http/1.1" };
        let mut stream = target.connect(protocol).await?;
        match self {
            Self::SlowHead => stream.write_all(b"GET /").await?,
            Self::SlowBody => {
                stream.write_all(format!("{upload}content-length: 1000000\r\n\r\n{{").as_bytes()).await?;
            }
            Self::SlowReader => {
                for _ in 0..200 {
                    let request = format!("{}\r\n", served.honest());
                    let sent = timeout(Duration::from_millis(20), stream.write_all(request.as_bytes())).await;
                    if !matches!(sent, Ok(Ok(()))) {
                        break;
                    }
                }
            }
            Self::HugeBody => {
                stream.write_all(format!("{upload}transfer-encoding: chunked\r\n\r\n").as_bytes()).await?;
                flood(&mut stream, 32 << 20, |bytes| {
                    bytes.extend_from_slice(b"10000\r\n");
                    bytes.resize(bytes.len() + 0x10000, b' ');
                    bytes.extend_from_slice(b"\r\n");
                })
                .await;
            }
            Self::HugeHead => {
                stream.write_all(served.honest().as_bytes()).await?;
                flood(&mut stream, 8 << 20, |bytes| {
                    bytes.extend_from_slice(b"x-more: aaaaaaaaaaaaaaaaaaaaaaaa\r\n");
                })
                .await;
            }
            Self::Mutated => {
                let mut request = format!("{}connection: close\r\n\r\n{{}}", served.honest()).into_bytes();
                for _ in 0..random.usize(1..6) {
                    let at = random.usize(..request.len());
                    request[at] = random.u8(..);
                }
                stream.write_all(&request).await?;
                stream.shutdown().await?;
                let _ = timeout(Duration::from_millis(200), stream.read(&mut [0; 4096])).await;
            }
            Self::OpenStreams | Self::Resets | Self::Pings | Self::Continuations => {
                stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await?;
                stream.write_all(&frame(4, 0, 0, &[])).await?;
                self.http2(&mut stream).await;
            }
            Self::Silent | Self::Garbage => (),
        }
        Ok(stream)
    }

    fn is_http2(self) -> bool {
        matches!(self, Self::OpenStreams | Self::Resets | Self::Pings | Self::Continuations)
    }

    async fn http2(self, stream: &mut Box<dyn Connection>) {
        // :method GET, :scheme http, :path /, :authority 127.0.0.1, all but the last from the static table.
        let block = [&[0x82, 0x86, 0x84, 0x41, 9][..], b"127.0.0.1"].concat();
        let mut id = 1_u32;
        let mut next = || {
            id += 2;
            id - 2
        };
        let most = match self {
            Self::Continuations => 8 << 20,
            _ => 2 << 20,
        };
        if matches!(self, Self::Continuations) {
            // Headers whose end never comes.
            let _ = stream.write_all(&frame(1, 0, 1, &block)).await;
            // A literal header without indexing: `x: aaa…`.
            let more = [&[0x00, 1, b'x', 0x7f, 0x81, 0x7f][..], &[b'a'; 16_000]].concat();
            flood(stream, most, |bytes| bytes.extend_from_slice(&frame(9, 0, 1, &more))).await;
            return;
        }
        flood(stream, most, |bytes| match self {
            Self::Pings => bytes.extend_from_slice(&frame(6, 0, 0, &[7; 8])),
            // A request whose body has not ended.
            Self::OpenStreams => bytes.extend_from_slice(&frame(1, 4, next(), &block)),
            _ => {
                let id = next();
                bytes.extend_from_slice(&frame(1, 5, id, &block));
                bytes.extend_from_slice(&frame(3, 0, id, &[0, 0, 0, 8]));
            }
        })
        .await;
    }
}

/// A frame of HTTP/2.
pub(crate) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX).to_be_bytes();
    let mut frame = vec![length[1], length[2], length[3], kind, flags];
    frame.extend_from_slice(&stream.to_be_bytes());
    frame.extend_from_slice(payload);
    frame
}

/// Writes pieces until this many bytes were written, or the peer takes no more for a moment.
async fn flood(stream: &mut Box<dyn Connection>, most: usize, mut piece: impl FnMut(&mut Vec<u8>)) {
    let mut written = 0;
    while written < most {
        let mut bytes = Vec::new();
        while bytes.len() < 64 << 10 {
            piece(&mut bytes);
        }
        match timeout(Duration::from_millis(200), stream.write_all(&bytes)).await {
            Ok(Ok(())) => written += bytes.len(),
            _ => return,
        }
    }
}

/// Silent and slow clients are closed by the deadlines that the server states.
async fn closed(target: &Target) -> Result<Row> {
    const CLIENTS: usize = 60;
    // The longest of its deadlines, and some seconds for a busy machine.
    let limit = Duration::from_secs(match target.served {
        Served::Embedded => 60 + 8,
        Served::Webhook => 10 + 8,
        Served::Manager => 30 + 8,
    });
    let mut clients = tokio::task::JoinSet::new();
    for number in 0..CLIENTS {
        let kind = [Kind::Silent, Kind::SlowHead, Kind::SlowBody][number % 3];
        let mut stream = kind.begin(target, number).await?;
        clients.spawn(async move {
            let start = Instant::now();
            let mut answer = Vec::new();
            let _ = timeout(limit * 2, stream.read_to_end(&mut answer)).await;
            start.elapsed()
        });
    }
    let mut slowest = Duration::ZERO;
    while let Some(took) = clients.join_next().await {
        slowest = slowest.max(took?);
    }
    target.honest().await.context("an honest request after the silent ones")?;
    Ok(Row {
        against: target.served.name(),
        attack: "silent clients are closed",
        tried: CLIENTS,
        megabytes: (0, 0),
        slowest: (slowest, limit),
        problem: None,
    })
}
