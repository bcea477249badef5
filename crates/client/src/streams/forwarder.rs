//! Local ports that forward to a pod.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use client_rs_machinery::subresource::{HasSubresource, PortForward as PortForwardSubresource};
use client_rs_machinery::{Namespaced, Resource};
use client_rs_streams::MuxOptions;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional_with_sizes};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

use super::{
    Backend, ForwardTarget, ForwardedPort, OpenError, PortError, PortForward, PortStream, TargetError,
};
use crate::{Api, Error};

client_rs_machinery::options! {
    /// The settings of a [`Forwarder`].
    ///
    /// ```
    /// use client_rs_client::streams::ForwarderOptions;
    ///
    /// let everywhere = ForwarderOptions::default().with_addresses(["0.0.0.0".parse()?]).with_isolated(true);
    /// assert_eq!(everywhere.max_connections, 1000);
    /// # Ok::<(), std::net::AddrParseError>(())
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ForwarderOptions {
        /// The addresses to listen on; each must be free. Default: none, which means `localhost`: `127.0.0.1` and `::1`, one of
        /// which must be free.
        pub addresses: Vec<IpAddr> => with_addresses,
        /// Whether to listen on `localhost` in addition to the addresses. Default: false; without addresses, it always does.
        pub localhost: bool => with_localhost,
        /// Whether each local connection gets a separate connection to the pod, so that an unread one does not block the others.
        /// This costs one handshake per connection. Default: false, all share one.
        pub isolated: bool => with_isolated,
        /// The maximum number of concurrent local connections; more have to wait. Default: 1,000.
        pub max_connections: usize => with_max_connections,
        /// The time limit for finding the pod and connecting to it. Local connections wait for that. Default: 30 s.
        pub connect_timeout: Duration => with_connect_timeout,
        /// The settings of connections to the pod: pings, buffers. Default: see [`MuxOptions`], with a ping every 10 s.
        pub connection: MuxOptions => with_connection,
    }
}

impl Default for ForwarderOptions {
    fn default() -> Self {
        let ping_every = Some(Duration::from_secs(10));
        Self {
            addresses: Vec::new(),
            localhost: false,
            isolated: false,
            max_connections: 1000,
            connect_timeout: Duration::from_secs(30),
            connection: MuxOptions::default().with_ping_every(ping_every),
        }
    }
}

/// A forwarded port.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Forwarded {
    /// The local addresses.
    pub local: Vec<SocketAddr>,
    /// The requested port of the pod or service.
    pub remote: u16,
}

/// A port, or a local connection, could not be forwarded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ForwarderError {
    /// A local port can't be opened.
    #[error("can't listen on the local port of {port}: {error}")]
    Listen {
        /// The port.
        port: ForwardedPort,
        /// The cause.
        error: io::Error,
    },
    /// The list of ports is empty.
    #[error("no ports to forward")]
    NoPorts,
    /// No pod was found for the target.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The connection to the pod failed.
    #[error(transparent)]
    Connect(#[from] Error),
    /// The connection to the pod's port failed.
    #[error(transparent)]
    Port(#[from] PortError),
    /// The pod was not found, or not reached, in time.
    #[error("can't connect to the pod within {0:?}")]
    Late(Duration),
    /// A local connection, or its stream, broke off.
    #[error("port {port}: {error}")]
    Broken {
        /// The pod's port.
        port: u16,
        /// The cause.
        error: io::Error,
    },
}

/// An event of a [`Forwarder`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ForwarderEvent {
    /// A local connection was accepted from this address.
    Accepted(SocketAddr),
    /// A local connection failed.
    Failed(ForwarderError),
}

/// Local ports that forward to a pod: many concurrent connections, and a new pod when the old one is gone.
///
/// - It is connected, and listens, when [`start`](Self::start) returns. When the connection or the pod is lost, the next local
///   connection looks up the [`ForwardTarget`] again. Connections that have transferred data break; those without data are
///   forwarded to the new pod.
/// - A local connection ends like its connection to the port: normally, or with a reset if that one was lost or never opened.
/// - A failure of one connection does not affect the others. [`next_error`](Self::next_error) reports it, and
///   [`next_event`](Self::next_event) also reports accepted connections.
/// - Dropping it closes all connections at once.
#[must_use = "all connections are closed when this is dropped"]
pub struct Forwarder {
    ports: Vec<Forwarded>,
    accepted: mpsc::Receiver<SocketAddr>,
    errors: mpsc::Receiver<ForwarderError>,
    _tasks: JoinSet<()>,
}

impl Forwarder {
    /// Listens on the local ports, and connects to the target.
    ///
    /// ```
    /// use client_rs_api::core::v1::Pod;
    /// use client_rs_client::Api;
    /// use client_rs_client::streams::{ForwardTarget, Forwarder, ForwarderError};
    /// # use client_rs_client::testing::Canned;
    ///
    /// # async fn forward(pods: &Api<Pod>) -> Result<(), Box<dyn std::error::Error>> {
    /// let web = ForwardTarget::Service("web".into());
    /// let forwarder = Forwarder::start(pods, web, &[":80".parse()?]).await?;
    /// println!("http://{}", forwarder.ports()[0].local[0]);
    /// # Ok(())
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let pods = Api::<Pod>::namespaced(&Canned::new().client(), "default");
    /// # let error = forward(&pods).await.unwrap_err();
    /// # assert!(matches!(error.downcast_ref(), Some(ForwarderError::Target(_))), "{error}");
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A local port that is in use, a target without a running pod ([`ForwarderError::Target`]), or a connection to the pod that
    /// fails or takes longer than [`connect_timeout`](ForwarderOptions::connect_timeout).
    pub async fn start<K>(
        pods: &Api<K, Namespaced>,
        target: ForwardTarget,
        ports: &[ForwardedPort],
    ) -> Result<Self, ForwarderError>
    where
        K: Resource + HasSubresource<PortForwardSubresource>,
    {
        Self::start_with(pods, target, ports, ForwarderOptions::default()).await
    }

    /// Like [`start`](Self::start), with options.
    pub async fn start_with<K>(
        pods: &Api<K, Namespaced>,
        target: ForwardTarget,
        ports: &[ForwardedPort],
        options: ForwarderOptions,
    ) -> Result<Self, ForwarderError>
    where
        K: Resource + HasSubresource<PortForwardSubresource>,
    {
        if ports.is_empty() {
            return Err(ForwarderError::NoPorts);
        }
        let mut connector = Connector {
            pods: pods.clone(),
            target,
            ports: ports.to_vec(),
            options: options.clone(),
            current: None,
        };
        // Boxed: the future of a handshake and connection is large, and it is part of the caller's future.
        let _kept_by_the_connector = Box::pin(connector.in_time(Doubt::None)).await?;
        let (sender, receiver) = mpsc::channel(16);
        let (report, errors) = mpsc::channel(64);
        let (arrivals, accepted) = mpsc::channel(64);
        let (mut tasks, mut forwarded) = (JoinSet::new(), Vec::new());
        let room = Arc::new(tokio::sync::Semaphore::new(options.max_connections.max(1)));
        for (index, port) in ports.iter().enumerate() {
            let listeners = listen(*port, &options.addresses, options.localhost).await?;
            let local = listeners.iter().filter_map(|listener| listener.local_addr().ok()).collect();
            forwarded.push(Forwarded { local, remote: port.remote });
            for listener in listeners {
                let line = Line {
                    index,
                    port: port.remote,
                    connector: sender.clone(),
                    arrivals: arrivals.clone(),
                    report: report.clone(),
                };
                tasks.spawn(accept(listener, line, Arc::clone(&room)));
            }
        }
        tasks.spawn(connector.run(receiver));
        Ok(Self { ports: forwarded, accepted, errors, _tasks: tasks })
    }

    /// The ports in the requested order, with the chosen local port if any free one was requested.
    pub fn ports(&self) -> &[Forwarded] {
        &self.ports
    }

    /// Waits for the next failed connection. If they are not read, the first 64 are kept. It is safe to drop the future.
    pub async fn next_error(&mut self) -> Option<ForwarderError> {
        self.errors.recv().await
    }

    /// Waits for the next event. If they are not read, the first 64 connections and the first 64 errors are kept. It is safe to drop
    /// the future.
    pub async fn next_event(&mut self) -> Option<ForwarderEvent> {
        tokio::select! {
                // A connection is reported before its error.
            biased;
            Some(address) = self.accepted.recv() => Some(ForwarderEvent::Accepted(address)),
            Some(error) = self.errors.recv() => Some(ForwarderEvent::Failed(error)),
            else => None,
        }
    }
}

impl fmt::Debug for Forwarder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Forwarder").field("ports", &self.ports).finish_non_exhaustive()
    }
}

/// The size of the buffers between a local connection and its stream, one in each direction.
const CHUNK: usize = 32 * 1024;

/// Listens on every address, and on `localhost` if it is requested or there is no address.
async fn listen(
    port: ForwardedPort,
    addresses: &[IpAddr],
    localhost: bool,
) -> Result<Vec<TcpListener>, ForwarderError> {
    let failed = |error| ForwarderError::Listen { port, error };
    let own = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
    let own = if localhost || addresses.is_empty() { &own[..] } else { &[] };
    let (mut listeners, mut number, mut why): (Vec<TcpListener>, _, _) = (Vec::new(), port.local, None);
    for address in own {
        match bind(*address, &mut number).await {
            Ok(listener) => listeners.push(listener),
            Err(error) => why = Some(error),
        }
    }
    if let (Some(error), true) = (why, listeners.is_empty()) {
        return Err(failed(error));
    }
    for address in addresses.iter().filter(|address| !own.contains(address)) {
        listeners.push(bind(*address, &mut number).await.map_err(failed)?);
    }
    Ok(listeners)
}

/// Listens on a port and stores its number, because all addresses use the same one.
async fn bind(address: IpAddr, number: &mut u16) -> io::Result<TcpListener> {
    let listener = TcpListener::bind((address, *number)).await?;
    *number = listener.local_addr()?.port();
    Ok(listener)
}

/// The state that the connections of a listener share.
#[derive(Clone)]
struct Line {
    /// The index among the requested ports.
    index: usize,
    port: u16,
    connector: mpsc::Sender<Ask>,
    arrivals: mpsc::Sender<SocketAddr>,
    report: mpsc::Sender<ForwarderError>,
}

/// A request for the connection to the pod.
struct Ask {
    doubt: Doubt,
    answer: oneshot::Sender<Result<(PortForward, Backend), ForwarderError>>,
}

/// The doubt about the current connection.
enum Doubt {
    None,
    /// The pod may be another one by now.
    Pod,
    /// This connection is not usable.
    Connection(PortForward),
}

async fn accept(listener: TcpListener, line: Line, room: Arc<tokio::sync::Semaphore>) {
    // Dropped with this task, and the connections with it.
    let mut connections = JoinSet::new();
    loop {
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else { return };
        let stream = loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => break stream,
                        // It broke before it was accepted, or there are too many open files: the next one may succeed.
                    Err(error) => {
                        tracing::warn!(%error, "can't accept a connection to forward");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                },
                Some(_) = connections.join_next() => {}
            }
        };
        if let Ok(address) = stream.local_addr() {
            // As with errors: the events may not be read.
            let _ = line.arrivals.try_send(address);
        }
        let line = line.clone();
        connections.spawn(async move {
            if let Err(error) = line.forward(stream).await {
                tracing::debug!(%error, "a forwarded connection failed");
                // The errors may not be read, or the queue is full.
                let _ = line.report.try_send(error);
            }
            drop(permit);
        });
    }
}

impl Line {
    async fn forward(&self, mut local: TcpStream) -> Result<(), ForwarderError> {
        let _ = local.set_nodelay(true);
        let copied = match self.begin(&mut local).await {
            Ok(mut remote) => {
                let copied = copy_bidirectional_with_sizes(&mut local, &mut remote, CHUNK, CHUNK).await;
                copied.map(|_| ()).map_err(|error| self.broken(error))
            }
            Err(error) => Err(error),
        };
        if copied.is_err() {
            // Both sides see that it did not end normally.
            let _ = local.set_zero_linger();
        }
        drop(local);
        if let Err(ForwarderError::Port(_)) = &copied {
            // The pod may be gone although its node is reachable: the next connection looks it up.
            let _ = self.ask(Doubt::Pod).await;
        }
        copied
    }

    /// A stream to the port on which either side has sent data. Before that, losing the connection to the pod loses no data, so
    /// another connection is used.
    async fn begin(&self, local: &mut TcpStream) -> Result<PortStream, ForwarderError> {
        /// The number of attempts, in case a node accepts connections only to close them.
        const TRIES: u32 = 5;
        /// The time within which a connection ends after its streams.
        const NOTICE: Duration = Duration::from_secs(1);
        let (mut doubt, mut tries) = (Doubt::None, 1);
        loop {
            let (forward, backend) = self.ask(doubt).await?;
            let port = backend.ports.get(self.index).copied().unwrap_or(self.port);
            let lost = match forward.connect(port).await {
                Ok(mut remote) => {
                    let (mut first, mut peeked) = ([0; 4096], [0]);
                    let read = tokio::select! {
                        read = remote.read(&mut first) => Some(read),
                            // Bytes, the end, or an error, which the copy finds again. Waiting for readiness is not enough: it may be reported
                            // although no data has arrived.
                        _ = local.peek(&mut peeked) => None,
                    };
                    match read {
                        None if forward.end().is_none() => return Ok(remote),
                        None => forward.end().map_or(OpenError::NoMore, OpenError::Connection),
                        Some(Ok(length @ 1..)) => {
                            local.write_all(&first[..length]).await.map_err(|error| self.broken(error))?;
                            return Ok(remote);
                        }
                        Some(ended) => {
                            let ended = match ended.map_err(|error| self.broken(error)) {
                                Ok(_) => Ok(remote),
                                error @ Err(ForwarderError::Broken { .. }) => error.map(|_| remote),
                                Err(error) => return Err(error),
                            };
                            // Streams end one by one before the connection does: was it only the port, or all of them?
                            match tokio::time::timeout(NOTICE, forward.ended()).await {
                                Ok(end) => OpenError::Connection(end),
                                Err(_) => return ended,
                            }
                        }
                    }
                }
                // The connection was lost without notice.
                Err(PortError::Connection { error, .. }) => error,
                Err(error) => return Err(error.into()),
            };
            if tries == TRIES {
                return Err(PortError::Connection { port, error: lost }.into());
            }
            tracing::debug!(port, error = %lost, tries, "reconnecting to the pod");
            (doubt, tries) = (Doubt::Connection(forward), tries + 1);
        }
    }

    /// The reason why a connection did not end normally: the node's message, if there is one.
    fn broken(&self, error: io::Error) -> ForwarderError {
        match error.downcast::<PortError>() {
            Ok(error) => error.into(),
            Err(error) => ForwarderError::Broken { port: self.port, error },
        }
    }

    async fn ask(&self, doubt: Doubt) -> Result<(PortForward, Backend), ForwarderError> {
        let (answer, answered) = oneshot::channel();
        let gone = || {
            let why = io::Error::new(io::ErrorKind::ConnectionAborted, "the forwarder has ended");
            ForwarderError::Broken { port: self.port, error: why }
        };
        self.connector.send(Ask { doubt, answer }).await.map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }
}

/// Holds the connection to the pod. It handles one request at a time, so that there is only one connection.
struct Connector<K: Resource> {
    pods: Api<K, Namespaced>,
    target: ForwardTarget,
    ports: Vec<ForwardedPort>,
    options: ForwarderOptions,
    current: Option<(PortForward, Backend)>,
}

impl<K: Resource + HasSubresource<PortForwardSubresource>> Connector<K> {
    async fn run(mut self, mut questions: mpsc::Receiver<Ask>) {
        while let Some(Ask { doubt, answer }) = questions.recv().await {
            if !answer.is_closed() {
                let _ = answer.send(self.in_time(doubt).await);
            }
        }
    }

    /// All other requests wait for this one.
    async fn in_time(&mut self, doubt: Doubt) -> Result<(PortForward, Backend), ForwarderError> {
        let limit = self.options.connect_timeout;
        tokio::time::timeout(limit, self.current(doubt)).await.unwrap_or(Err(ForwarderError::Late(limit)))
    }

    async fn current(&mut self, doubt: Doubt) -> Result<(PortForward, Backend), ForwarderError> {
        if let Doubt::Connection(bad) = &doubt {
            // Unless it has already been replaced.
            self.current.take_if(|(forward, _)| forward.is(bad));
        }
        let usable = self.current.as_ref().filter(|(forward, _)| forward.is_open());
        if let Some((forward, backend)) = usable
            && !matches!(doubt, Doubt::Pod)
            && !self.options.isolated
        {
            return Ok((forward.clone(), backend.clone()));
        }
        let rest = self.pods.rest();
        let found = self.target.resolve(rest, self.pods.namespace_name(), &self.ports).await?;
        if let Some((forward, backend)) = usable
            && !self.options.isolated
            && *backend == found
        {
            return Ok((forward.clone(), backend.clone()));
        }
        let forward = self.pods.port_forward(&found.pod).options(self.options.connection.clone()).await?;
        tracing::debug!(pod = found.pod, "forwarding ports");
        if !self.options.isolated {
            self.current = Some((forward.clone(), found.clone()));
        }
        Ok((forward, found))
    }
}

#[cfg(test)]
mod tests {
    use client_rs_streams::spdy::Session;
    use client_rs_streams::{Mux, MuxStream, Role};

    use super::*;

    #[tokio::test]
    async fn t8_2_02_and_t8_2_03_localhost_needs_one_address_and_explicit_ones_all() {
        let any: ForwardedPort = ":80".parse().unwrap();
        let listeners = listen(any, &[], false).await.unwrap();
        let ports: Vec<u16> = listeners.iter().map(|one| one.local_addr().unwrap().port()).collect();
        assert!(ports[0] != 0 && ports.iter().all(|port| *port == ports[0]), "{ports:?}");
        let taken = ForwardedPort { local: ports[0], remote: 80 };
        assert!(matches!(listen(taken, &[], false).await, Err(ForwarderError::Listen { .. })));
        let named = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V4(Ipv4Addr::new(203, 0, 113, 1))];
        assert!(listen(any, &named, false).await.is_err(), "an address of another machine");
        assert_eq!(listen(any, &named[..1], false).await.unwrap().len(), 1);
        let both = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2))];
        let both = listen(any, &both, true).await.unwrap();
        let addresses: Vec<_> = both.iter().map(|one| one.local_addr().unwrap().ip().to_string()).collect();
        assert!(addresses.iter().filter(|ip| *ip == "127.0.0.1").count() == 1, "{addresses:?}");
        assert_eq!(addresses.last().unwrap(), "127.0.0.2");
    }

    /// Both ends of a connection to a pod.
    fn way() -> (PortForward, Mux) {
        let (near, far) = tokio::io::duplex(4096);
        let options = MuxOptions::default().with_ping_every(None);
        (PortForward::over(near), Mux::spdy(far, Session::new(Role::Server), options))
    }

    /// A forwarded local connection, and the requests for a connection to the pod.
    async fn forwarded()
    -> (TcpStream, mpsc::Receiver<Ask>, tokio::task::JoinHandle<Result<(), ForwarderError>>) {
        let (connector, asks) = mpsc::channel(16);
        let line =
            Line { index: 0, port: 80, connector, arrivals: mpsc::channel(1).0, report: mpsc::channel(1).0 };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (client, local) = tokio::join!(TcpStream::connect(address), listener.accept());
        let local = local.unwrap().0;
        (client.unwrap(), asks, tokio::spawn(async move { line.forward(local).await }))
    }

    /// Answers with a connection, and returns the streams that are opened on it: for errors and for data.
    async fn opened(asks: &mut mpsc::Receiver<Ask>) -> (Doubt, Mux, MuxStream, MuxStream) {
        let (forward, pod) = way();
        let Ask { doubt, answer } = asks.recv().await.unwrap();
        let backend = Backend { pod: "web".into(), uid: "1".into(), ports: vec![8080] };
        answer.send(Ok((forward, backend))).unwrap();
        let (error, data) = (pod.accept().await.unwrap(), pod.accept().await.unwrap());
        assert_eq!(data.headers().get("port"), Some("8080"));
        (doubt, pod, error, data)
    }

    #[tokio::test]
    async fn a_connection_without_data_survives_the_loss_of_the_connection_to_its_pod() {
        let (mut client, mut asks, forwarding) = forwarded().await;
        for round in 0..3 {
            let (doubt, pod, mut error, mut data) = opened(&mut asks).await;
            assert_eq!(matches!(doubt, Doubt::Connection(_)), round > 0);
            // Like a node that stops: its streams are reset, or end in order, then the connection ends.
            if round == 1 {
                error.shutdown().await.unwrap();
                data.shutdown().await.unwrap();
            }
            drop((error, data));
            drop(pod);
        }
        let (_, pod, mut error, mut data) = opened(&mut asks).await;
        client.write_all(b"hello").await.unwrap();
        client.shutdown().await.unwrap();
        let mut heard = String::new();
        data.read_to_string(&mut heard).await.unwrap();
        data.write_all(b"welcome").await.unwrap();
        data.shutdown().await.unwrap();
        error.shutdown().await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        assert_eq!((heard.as_str(), answer.as_str()), ("hello", "welcome"));
        forwarding.await.unwrap().unwrap();
        drop(pod);
    }

    #[tokio::test(start_paused = true)]
    async fn a_port_that_closes_a_connection_without_data_closes_it_here() {
        let (mut client, mut asks, forwarding) = forwarded().await;
        let (_, pod, mut error, mut data) = opened(&mut asks).await;
        data.shutdown().await.unwrap();
        error.shutdown().await.unwrap();
        let mut said = [0; 3];
        assert_eq!(client.read(&mut said).await.unwrap(), 0);
        drop(client);
        forwarding.await.unwrap().unwrap();
        assert!(asks.try_recv().is_err(), "the connection to the pod is intact");
        drop(pod);
    }

    #[tokio::test]
    async fn a_connection_on_which_something_was_said_is_reset_with_the_way_to_its_pod() {
        let (mut client, mut asks, forwarding) = forwarded().await;
        let (_, pod, error, mut data) = opened(&mut asks).await;
        data.write_all(b"wel").await.unwrap();
        data.flush().await.unwrap();
        let mut said = [0; 3];
        client.read_exact(&mut said).await.unwrap();
        drop((error, data, pod));
        assert_eq!(client.read(&mut said).await.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
        assert!(matches!(forwarding.await.unwrap(), Err(ForwarderError::Broken { .. })));
        assert!(asks.try_recv().is_err(), "no data is sent twice");
    }
}
