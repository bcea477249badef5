//! A server that answers every request with the same bytes.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use client_rs_transport::Config;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Implements just enough HTTP/1.1 to read a request and to write a canned response. Ends when dropped.
#[derive(Debug)]
pub struct Canned {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
    accepting: JoinHandle<()>,
}

impl Canned {
    /// Answers with these bytes, head and all, and closes the connection.
    pub async fn raw(answer: impl Into<Vec<u8>>) -> Result<Self> {
        Self::start(answer.into(), true).await
    }

    async fn start(answer: Vec<u8>, reads: bool) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (answer, requests) = (Arc::new(answer), Arc::<AtomicUsize>::default());
        let counted = Arc::clone(&requests);
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (answer, counted) = (Arc::clone(&answer), Arc::clone(&counted));
                tokio::spawn(async move {
                    // A client that disconnects early is not an error here.
                    let _ = serve(stream, reads, &answer, &counted).await;
                });
            }
        });
        Ok(Self { address, requests, accepting })
    }

    /// Sends these bytes to every client that connects, without waiting for a request.
    pub async fn eager(answer: impl Into<Vec<u8>>) -> Result<Self> {
        Self::start(answer.into(), false).await
    }

    /// Answers with this status line, content type and body.
    pub async fn answer(status: &str, content_type: &str, body: &[u8]) -> Result<Self> {
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        Self::raw([head.as_bytes(), body].concat()).await
    }

    /// A config for it: no TLS, no credentials, no limit on requests.
    pub fn config(&self) -> Result<Config> {
        Ok(Config::new(format!("http://{}", self.address).parse()?).with_qps(-1.0))
    }

    /// How many requests it has answered.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

impl Drop for Canned {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn serve(stream: TcpStream, reads: bool, answer: &[u8], requests: &AtomicUsize) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    if reads {
        read_request(&mut stream).await?;
    }
    requests.fetch_add(1, Ordering::SeqCst);
    stream.write_all(answer).await?;
    stream.shutdown().await?;
    // Unread bytes would reset the connection, and lose the response.
    tokio::io::copy(&mut stream, &mut tokio::io::sink()).await.map(drop)
}

async fn read_request(stream: &mut BufReader<TcpStream>) -> std::io::Result<()> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let line = line.trim_end().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or_default();
        }
        if line.is_empty() {
            break;
        }
    }
    tokio::io::copy(&mut stream.take(length), &mut tokio::io::sink()).await.map(drop)
}
