//! A proxy between a client and a server that does to connections what networks do.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use client_rs_transport::Config;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// The faults of a network. The default: none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weather {
    /// Nothing passes in either direction; connections stay open.
    pub stalled: bool,
    /// Nothing passes from the server to the client.
    pub answers_held: bool,
    /// Each piece waits so long.
    pub delay: Option<Duration>,
    /// Every connection ends after this many more bytes from the server, counted from when this was set; a new one
    /// counts from its start.
    pub truncate: Option<usize>,
    /// New connections are closed at once.
    pub refused: bool,
}

/// Passes bytes between clients and one server, unread, in the [`Weather`] of the moment. Ends when dropped.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    weather: watch::Sender<Weather>,
    cuts: watch::Sender<u64>,
    counts: Arc<Counts>,
    accepting: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Counts {
    total: AtomicUsize,
    open: AtomicUsize,
    /// Bytes that have been passed on to the server.
    sent: watch::Sender<u64>,
}

impl Proxy {
    /// In front of this config's server, on a port of loopback.
    pub async fn start(config: &Config) -> Result<Self> {
        let host = config.server.host().context("the server has no host")?;
        let port = config.server.port_u16().context("the server has no port")?;
        let target: SocketAddr = format!("{host}:{port}").parse().context("the server is no address")?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (weather, cuts) = (watch::Sender::new(Weather::default()), watch::Sender::new(0));
        let counts = Arc::<Counts>::default();
        let accepting =
            tokio::spawn(accept(listener, target, weather.clone(), cuts.clone(), Arc::clone(&counts)));
        Ok(Self { address, weather, cuts, counts, accepting })
    }

    /// The config with this proxy in the server's place.
    pub fn config(&self, config: &Config) -> Result<Config> {
        let scheme = config.server.scheme_str().unwrap_or("https");
        Ok(config.clone().with_server(format!("{scheme}://{}", self.address).parse()?))
    }

    /// Changes the weather for all connections, old and new.
    pub fn set(&self, weather: Weather) {
        self.weather.send_replace(weather);
    }

    /// Breaks every open connection, also in the middle of a transfer.
    pub fn cut(&self) {
        self.cuts.send_modify(|cuts| *cuts += 1);
    }

    /// How many connections there have been.
    pub fn connections(&self) -> usize {
        self.counts.total.load(Ordering::SeqCst)
    }

    /// Waits until more bytes have been passed on to the server than when this was called.
    pub fn next_bytes_sent(&self) -> impl Future<Output = ()> + use<> {
        let mut sent = self.counts.sent.subscribe();
        async move {
            // It ends with the proxy.
            let _ = sent.changed().await;
        }
    }

    /// How many connections are open.
    pub fn open(&self) -> usize {
        self.counts.open.load(Ordering::SeqCst)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(
    listener: TcpListener,
    target: SocketAddr,
    weather: watch::Sender<Weather>,
    cuts: watch::Sender<u64>,
    counts: Arc<Counts>,
) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((client, _)) = accepted else { continue };
                if weather.borrow().refused {
                    continue;
                }
                counts.total.fetch_add(1, Ordering::SeqCst);
                let (weather, mut cuts) = (weather.subscribe(), cuts.subscribe());
                let counts = Arc::clone(&counts);
                connections.spawn(async move {
                    counts.open.fetch_add(1, Ordering::SeqCst);
                    tokio::select! {
                        // A cut counts, even if bytes may pass again from then on.
                        biased;
                        _ = cuts.changed() => {}
                        // How it ended is for client and server to notice.
                        _ = serve(client, target, weather, &counts.sent) => {}
                    }
                    counts.open.fetch_sub(1, Ordering::SeqCst);
                });
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn serve(
    client: TcpStream,
    target: SocketAddr,
    weather: watch::Receiver<Weather>,
    sent: &watch::Sender<u64>,
) -> std::io::Result<()> {
    let server = TcpStream::connect(target).await?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let up = pass(from_client, to_server, weather.clone(), Direction::ToServer(sent));
    let down = pass(from_server, to_client, weather, Direction::ToClient);
    // Either side's end is the end of both.
    tokio::select! {
        ended = up => ended,
        ended = down => ended,
    }
}

#[derive(Clone, Copy)]
enum Direction<'a> {
    /// Counts the bytes.
    ToServer(&'a watch::Sender<u64>),
    ToClient,
}

async fn pass(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut weather: watch::Receiver<Weather>,
    direction: Direction<'_>,
) -> std::io::Result<()> {
    let mut piece = vec![0; 16 * 1024];
    let mut left = weather.borrow().truncate;
    loop {
        let length = from.read(&mut piece).await?;
        if length == 0 {
            return Ok(());
        }
        loop {
            if weather.has_changed().unwrap_or_default() {
                left = weather.borrow_and_update().truncate;
            }
            let now = *weather.borrow();
            let held = now.stalled || (now.answers_held && matches!(direction, Direction::ToClient));
            if !held {
                break;
            }
            if weather.changed().await.is_err() {
                return Ok(());
            }
            left = weather.borrow().truncate;
        }
        let delay = weather.borrow().delay;
        if let Some(delay) = delay {
            tokio::time::sleep(delay).await;
        }
        match left.as_mut().filter(|_| matches!(direction, Direction::ToClient)) {
            Some(left) if *left < length => {
                to.write_all(&piece[..*left]).await?;
                return Ok(());
            }
            Some(left) => *left -= length,
            None => {}
        }
        to.write_all(&piece[..length]).await?;
        if let Direction::ToServer(sent) = direction {
            sent.send_modify(|sent| *sent += length as u64);
        }
    }
}
