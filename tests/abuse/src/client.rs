//! Attacks of a hostile server on our client.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_client::{Api, RestClient, RestClientOptions};
use client_rs_transport::Config;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, timeout};

use crate::memory;
use crate::table::{Row, Table};

/// How long the client waits for progress here; by default it is five minutes.
const PROGRESS: Duration = Duration::from_secs(1);

/// How many bytes of an answer the client keeps here; by default it is 512 MiB.
const ANSWER_MAX: usize = 8 << 20;

/// The longest that a request may take. Attempts end earlier, by `PROGRESS` or the size of the answer; a watch may be silent, and
/// ends with this time.
const REQUEST_MAX: Duration = Duration::from_secs(20);

const GOOD: &str = r#"{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"b","resourceVersion":"7"},"data":{"k":"v"}}"#;

/// The response of the server to every request.
#[derive(Clone)]
enum Answer {
    /// These bytes, and then the connection is closed.
    Closes(Vec<u8>),
    /// These bytes, and then nothing.
    Stalls(Vec<u8>),
    /// These bytes, and then these again and again.
    Endless(Vec<u8>, Vec<u8>),
    /// These bytes, one every few milliseconds.
    Trickles(Vec<u8>),
}

/// The request that the client sends.
#[derive(Clone, Copy, PartialEq)]
enum Call {
    Get,
    Watch,
}

impl Call {
    /// The memory that the requests of a row may add together. An event of a watch has 64 MiB at most, an answer `ANSWER_MAX`;
    /// a row has four that use all of it.
    fn megabytes(self) -> u64 {
        match self {
            Self::Get => 160,
            Self::Watch => 4 * 64 + 32,
        }
    }
}

/// Lets the client send requests to hostile servers.
pub(crate) async fn all(only: &str, table: &mut Table) {
    if !"client with a hostile server".contains(only) {
        return;
    }
    let good = head(&format!("content-length: {}\r\n", GOOD.len())) + GOOD;
    let good = good.into_bytes();
    let json = |extra: &str| head(extra).into_bytes();
    let chunk = |text: &str| format!("{:x}\r\n{text}\r\n", text.len()).into_bytes();
    let spaces = " ".repeat(60_000);
    let chunked = json("transfer-encoding: chunked\r\n");
    let each_byte: Vec<usize> = (0..good.len()).collect();
    let cases: Vec<(&'static str, Call, Vec<Answer>)> = vec![
        (
            "a stall at every byte",
            Call::Get,
            each_byte.iter().map(|at| Answer::Stalls(good[..*at].to_vec())).collect(),
        ),
        (
            "a cut at every byte",
            Call::Get,
            each_byte.iter().map(|at| Answer::Closes(good[..*at].to_vec())).collect(),
        ),
        (
            "a changed byte, each in turn",
            Call::Get,
            (0..good.len()).map(|at| Answer::Closes(changed(&good, at))).collect(),
        ),
        ("an answer that trickles in", Call::Get, vec![Answer::Trickles(good.clone()); 4]),
        (
            "headers without an end",
            Call::Get,
            vec![Answer::Endless(b"HTTP/1.1 200 OK\r\n".to_vec(), b"x-a: aaaaaaaaaaaaaaaa\r\n".to_vec()); 4],
        ),
        (
            "interim answers without an end",
            Call::Get,
            vec![Answer::Endless(Vec::new(), b"HTTP/1.1 103 Early Hints\r\n\r\n".to_vec()); 4],
        ),
        ("a body without an end", Call::Get, vec![Answer::Endless(chunked.clone(), chunk(&spaces)); 4]),
        (
            "a text without an end",
            Call::Get,
            vec![
                Answer::Endless([&chunked[..], &chunk("{\"kind\":\"")].concat(), chunk(&"a".repeat(60_000)));
                4
            ],
        ),
        (
            "a length that is too long",
            Call::Get,
            vec![Answer::Closes((head("content-length: 100000\r\n") + GOOD).into_bytes()); 8],
        ),
        (
            "a length that is too short",
            Call::Get,
            vec![Answer::Closes((head("content-length: 20\r\n") + GOOD).into_bytes()); 8],
        ),
        (
            "two lengths that differ",
            Call::Get,
            vec![
                Answer::Closes((head("content-length: 20\r\ncontent-length: 90\r\n") + GOOD).into_bytes());
                8
            ],
        ),
        ("a gzip bomb", Call::Get, vec![Answer::Closes(bomb()); 4]),
        (
            "nesting without an end",
            Call::Get,
            vec![Answer::Endless(chunked.clone(), chunk(&"[".repeat(60_000))); 4],
        ),
        (
            "a watch frame without an end",
            Call::Watch,
            vec![
                Answer::Endless(
                    [&chunked[..], &chunk("{\"type\":\"ADDED\",\"object\":\"")].concat(),
                    chunk(&"a".repeat(60_000))
                );
                4
            ],
        ),
        (
            "watch events that are not events",
            Call::Watch,
            vec![Answer::Closes([&chunked[..], &chunk("{\"type\":7}\n"), b"0\r\n\r\n"].concat()); 8],
        ),
        (
            "a watch that stalls inside an event",
            Call::Watch,
            vec![Answer::Stalls([&chunked[..], &chunk("{\"type\":\"ADD")].concat()); 8],
        ),
    ];
    for (name, call, answers) in cases {
        table.add(one(name, call, answers, &good).await);
    }
}

async fn one(name: &'static str, call: Call, answers: Vec<Answer>, good: &[u8]) -> Row {
    let tried = answers.len();
    let mut row = Row {
        against: "client",
        attack: name,
        tried,
        megabytes: (0, call.megabytes()),
        slowest: (Duration::ZERO, REQUEST_MAX + Duration::from_secs(2)),
        problem: None,
    };
    match measured(call, answers, good).await {
        Ok((megabytes, slowest)) => {
            row.megabytes.0 = megabytes;
            row.slowest.0 = slowest;
        }
        Err(error) => row.problem = Some(format!("{error:#}")),
    }
    row
}

/// The memory that the requests added, and how long the slowest took. All are made at once.
async fn measured(call: Call, answers: Vec<Answer>, good: &[u8]) -> Result<(u64, Duration)> {
    memory::reset_peak("self")?;
    let before = memory::of("self")?.now;
    let mut requests = tokio::task::JoinSet::new();
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let honest = client(listener.local_addr()?.port())?;
    let serving = tokio::spawn(serve(listener, Answer::Closes(good.to_vec())));
    for answer in answers {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let client = client(listener.local_addr()?.port())?;
        let may_succeed = matches!(answer, Answer::Trickles(_) | Answer::Closes(_));
        requests.spawn(async move {
            let serving = tokio::spawn(serve(listener, answer));
            let start = Instant::now();
            let outcome = timeout(REQUEST_MAX * 2, request(&client, call)).await;
            serving.abort();
            let took = start.elapsed();
            match outcome {
                Err(_) => bail!("a request did not end"),
                Ok(Ok(())) if !may_succeed => bail!("a broken answer was taken for a good one"),
                Ok(_) => Ok(took),
            }
        });
    }
    let mut slowest = Duration::ZERO;
    while let Some(took) = requests.join_next().await {
        slowest = slowest.max(took.context("the client panicked")??);
    }
    let peak = memory::of("self")?.peak;
    // The process works as before.
    ensure!(request(&honest, Call::Get).await.is_ok(), "a good answer was refused afterwards");
    serving.abort();
    Ok((peak.saturating_sub(before), slowest))
}

fn client(port: u16) -> Result<RestClient> {
    let config = Config::new(format!("http://127.0.0.1:{port}").parse()?);
    let options = RestClientOptions::from_config(&config)
        .with_timeout(Some(REQUEST_MAX))
        .with_progress_timeout(Some(PROGRESS))
        .with_max_answer_bytes(ANSWER_MAX);
    Ok(RestClient::from_config_with(&config, options)?)
}

async fn request(client: &RestClient, call: Call) -> Result<()> {
    let maps = Api::<ConfigMap>::namespaced(client, "b");
    match call {
        Call::Get => {
            let map = maps.get("a").await?;
            ensure!(map.metadata.name == "a", "another object");
        }
        Call::Watch => {
            let mut watch = maps.watch().await?;
            while let Some(event) = watch.next().await {
                event?;
            }
            bail!("the watch ended");
        }
    }
    Ok(())
}

/// Answers every connection's requests in this way.
async fn serve(listener: TcpListener, answer: Answer) {
    let answer = Arc::new(answer);
    let mut connections = tokio::task::JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let answer = Arc::clone(&answer);
        connections.spawn(async move {
            let _ = reply(stream, &answer).await;
        });
    }
}

async fn reply(mut stream: TcpStream, answer: &Answer) -> Result<()> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        let mut buffer = [0; 4096];
        let read = stream.read(&mut buffer).await?;
        ensure!(read > 0, "closed");
        request.extend_from_slice(&buffer[..read]);
    }
    match answer {
        Answer::Closes(bytes) => {
            stream.write_all(bytes).await?;
            stream.shutdown().await?;
        }
        Answer::Stalls(bytes) => {
            stream.write_all(bytes).await?;
            std::future::pending::<()>().await;
        }
        Answer::Endless(first, again) => {
            stream.write_all(first).await?;
            loop {
                stream.write_all(again).await?;
            }
        }
        Answer::Trickles(bytes) => {
            for byte in bytes {
                stream.write_all(std::slice::from_ref(byte)).await?;
                stream.flush().await?;
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        }
    }
    Ok(())
}

fn head(extra: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n{extra}\r\n")
}

fn changed(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 0x55;
    bytes
}

/// A gigabyte of spaces in a megabyte.
fn bomb() -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let spaces = vec![b' '; 1 << 20];
    for _ in 0..1024 {
        // Writing to memory does not fail.
        let _ = gzip.write_all(&spaces);
    }
    let body = gzip.finish().unwrap_or_default();
    let mut bytes =
        head(&format!("content-encoding: gzip\r\ncontent-length: {}\r\n", body.len())).into_bytes();
    bytes.extend_from_slice(&body);
    bytes
}
