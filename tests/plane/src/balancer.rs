//! A balancer of TCP connections on loopback, which can also be a bad network.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// The state of the network behind a balancer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weather {
    /// New connections are closed at once.
    pub refuses: bool,
    /// Bytes to the servers wait.
    pub holds_requests: bool,
    /// Bytes from the servers wait.
    pub holds_responses: bool,
    /// The number of times that all connections were cut.
    pub cuts: u64,
}

/// A balancer. Dropping it ends its connections.
///
/// A new connection goes to the next server in turn that accepts it.
#[derive(Debug)]
pub struct Balancer {
    address: SocketAddr,
    weather: watch::Sender<Weather>,
    backends: Arc<Mutex<Vec<SocketAddr>>>,
    task: JoinHandle<()>,
}

impl Balancer {
    /// Starts one on a free port, on the current runtime.
    pub async fn start(backends: Vec<SocketAddr>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let weather = watch::Sender::new(Weather::default());
        let backends = Arc::new(Mutex::new(backends));
        let task = tokio::spawn(accept(listener, weather.clone(), Arc::clone(&backends)));
        Ok(Self { address, weather, backends, task })
    }

    /// The address that it listens at.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets the servers.
    pub fn set_backends(&self, backends: Vec<SocketAddr>) {
        *self.backends.lock().unwrap_or_else(PoisonError::into_inner) = backends;
    }

    /// Changes the weather.
    pub fn change(&self, change: impl FnOnce(&mut Weather)) {
        self.weather.send_modify(change);
    }

    /// Ends all faults. Connections that were cut stay so.
    pub fn heal(&self) {
        self.change(|weather| *weather = Weather { cuts: weather.cuts, ..Weather::default() });
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.task.abort();
        self.change(|weather| weather.cuts += 1);
    }
}

async fn accept(
    listener: TcpListener,
    weather: watch::Sender<Weather>,
    backends: Arc<Mutex<Vec<SocketAddr>>>,
) {
    let turn = Arc::new(AtomicUsize::new(0));
    while let Ok((client, _)) = listener.accept().await {
        let (weather, turn) = (weather.subscribe(), Arc::clone(&turn));
        let backends = backends.lock().unwrap_or_else(PoisonError::into_inner).clone();
        tokio::spawn(async move {
            if weather.borrow().refuses {
                return;
            }
            let first = turn.fetch_add(1, Ordering::Relaxed);
            for next in 0..backends.len() {
                if let Ok(server) = TcpStream::connect(backends[(first + next) % backends.len()]).await {
                    connect(client, server, weather).await;
                    return;
                }
            }
        });
    }
}

async fn connect(client: TcpStream, server: TcpStream, weather: watch::Receiver<Weather>) {
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
    let cuts = weather.borrow().cuts;
    let mut cut = weather.clone();
    tokio::select! {
        _ = cut.wait_for(|weather| weather.cuts > cuts) => {}
        () = pass(from_client, to_server, weather.clone(), |weather| weather.holds_requests) => {}
        () = pass(from_server, to_client, weather, |weather| weather.holds_responses) => {}
    }
}

/// Passes bytes on until one side ends.
async fn pass(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut weather: watch::Receiver<Weather>,
    holds: fn(&Weather) -> bool,
) {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let Ok(length) = from.read(&mut buffer).await else { return };
        let waited = weather.wait_for(|weather| !holds(weather)).await.is_ok();
        if length == 0 || !waited || to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that sends back what it gets.
    async fn echo() -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut from, mut to) = stream.split();
                    let _ = tokio::io::copy(&mut from, &mut to).await;
                });
            }
        });
        address
    }

    #[tokio::test]
    async fn bytes_pass_wait_and_are_cut() {
        // Nobody listens at the first one.
        let gone = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap().local_addr().unwrap();
        let balancer = Balancer::start(vec![gone, echo().await]).await.unwrap();
        let mut stream = TcpStream::connect(balancer.address()).await.unwrap();
        let mut byte = [0];
        stream.write_all(b"a").await.unwrap();
        stream.read_exact(&mut byte).await.unwrap();
        assert_eq!(&byte, b"a");
        balancer.change(|weather| weather.holds_responses = true);
        stream.write_all(b"b").await.unwrap();
        balancer.heal();
        stream.read_exact(&mut byte).await.unwrap();
        assert_eq!(&byte, b"b");
        balancer.change(|weather| weather.cuts += 1);
        assert_eq!(stream.read(&mut byte).await.unwrap_or_default(), 0);
        balancer.change(|weather| weather.refuses = true);
        let mut refused = TcpStream::connect(balancer.address()).await.unwrap();
        assert_eq!(refused.read(&mut byte).await.unwrap_or_default(), 0);
    }
}
