//! Local ports that lead to a pod's.

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

/// How a [`Forwarder`] listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForwarderOptions {
    /// Where to listen; each must be free. Default: none, which means `localhost`: `127.0.0.1` and `::1`, of which one must
    /// be free.
    pub addresses: Vec<IpAddr>,
    /// Whether to listen at `localhost` beside the addresses that are named. Default: false; with none named, it is so.
    pub localhost: bool,
    /// Whether each local connection has a connection to the pod of its own, so that one that is not read stops no other.
    /// It costs a handshake each. Default: false: all share one.
    pub isolated: bool,
    /// How many local connections there are at once; more wait. Default: 1,000.
    pub max_connections: usize,
    /// How long it may take to find the pod and to connect to it. Local connections wait for that. Default: 30 s.
    pub connect_timeout: Duration,
    /// How connections to the pod are kept: pings, buffers. Default: see [`MuxOptions`], with a ping every 10 s.
    pub connection: MuxOptions,
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
            connection: MuxOptions { ping_every, ..MuxOptions::default() },
        }
    }
}

/// A port that is forwarded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forwarded {
    /// Where it listens here.
    pub local: Vec<SocketAddr>,
    /// The port that was asked for there.
    pub remote: u16,
}

/// Why a port is not forwarded, or a local connection was not.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ForwarderError {
    /// A local port can't be listened at.
    #[error("can't listen for port {port}: {error}")]
    Listen {
        /// Which.
        port: ForwardedPort,
        /// Why.
        error: io::Error,
    },
    /// No port was named.
    #[error("no port is to be forwarded")]
    NoPorts,
    /// There is no pod to forward to.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The pod can't be connected to.
    #[error(transparent)]
    Connect(#[from] Error),
    /// The pod's port can't be.
    #[error(transparent)]
    Port(#[from] PortError),
    /// The pod was not found, or not connected to, in time.
    #[error("no connection to the pod within {0:?}")]
    Late(Duration),
    /// A local connection, or its stream, broke.
    #[error("port {port}: {error}")]
    Broken {
        /// The pod's port.
        port: u16,
        /// How.
        error: io::Error,
    },
}

/// Something that happened to a [`Forwarder`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ForwarderEvent {
    /// A local connection was accepted, at this address.
    Accepted(SocketAddr),
    /// A local connection failed.
    Failed(ForwarderError),
}

/// Local ports that lead to a pod's: many connections at once, to one pod after the other where pods come and go.
///
/// - It is connected, and listens, when [`start`](Self::start) returns. When the connection or the pod is gone, the next
///   local connection finds the pod that stands behind the [`ForwardTarget`] then. Connections on which anything was said
///   break; those on which nothing was are led to that pod as well.
/// - A local connection ends as its connection to the port does: well, or with a reset where that was lost or never was.
/// - What goes wrong with one connection ends that one alone; [`next_error`](Self::next_error) tells of it, and
///   [`next_event`](Self::next_event) of connections that are accepted as well.
/// - Dropping it closes all, at once.
#[must_use = "all connections are closed when this is dropped"]
pub struct Forwarder {
    ports: Vec<Forwarded>,
    accepted: mpsc::Receiver<SocketAddr>,
    errors: mpsc::Receiver<ForwarderError>,
    _tasks: JoinSet<()>,
}

impl Forwarder {
    /// Listens, and connects to the target.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::Api;
    /// # use client_rs_client::streams::{Forwarder, ForwarderOptions, ForwarderError, ForwardTarget};
    /// # async fn example(pods: Api<Pod>) -> Result<(), Box<dyn std::error::Error>> {
    /// let web = ForwardTarget::Service("web".into());
    /// let forwarder = Forwarder::start(&pods, web, &[":80".parse()?], ForwarderOptions::default()).await?;
    /// println!("http://{}", forwarder.ports()[0].local[0]);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn start<K>(
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
        // Boxed: the way from a handshake to a connection is long, and this future is kept in the caller's.
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

    /// The ports, in the order that they were asked for; where any free local port would do, with the one that it is.
    pub fn ports(&self) -> &[Forwarded] {
        &self.ports
    }

    /// What went wrong with a connection, as it does. Of those that nobody asks for, the first 64 are kept.
    pub async fn next_error(&mut self) -> Option<ForwarderError> {
        self.errors.recv().await
    }

    /// What happens, as it does. Of what nobody asks for, the first 64 connections and the first 64 errors are kept. May be
    /// dropped and called again.
    pub async fn next_event(&mut self) -> Option<ForwarderEvent> {
        tokio::select! {
            // A connection is heard of before its error is.
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

/// Of the buffers between a local connection and its stream, one each way.
const CHUNK: usize = 32 * 1024;

/// Listens at every address named, and at `localhost` where that is wanted or nothing is named.
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

/// Listens at a port, and notes which: all addresses have the same.
async fn bind(address: IpAddr, number: &mut u16) -> io::Result<TcpListener> {
    let listener = TcpListener::bind((address, *number)).await?;
    *number = listener.local_addr()?.port();
    Ok(listener)
}

/// What a listener's connections need.
#[derive(Clone)]
struct Line {
    /// Of the port among those asked for.
    index: usize,
    port: u16,
    connector: mpsc::Sender<Ask>,
    arrivals: mpsc::Sender<SocketAddr>,
    report: mpsc::Sender<ForwarderError>,
}

/// A question for the connection to the pod.
struct Ask {
    doubt: Doubt,
    answer: oneshot::Sender<Result<(PortForward, Backend), ForwarderError>>,
}

/// What is thought of the connection that there is.
enum Doubt {
    None,
    /// The pod may be another by now.
    Pod,
    /// This one is of no use.
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
                    // It broke before it was accepted, or no file is left for it: the next one may do better.
                    Err(error) => {
                        tracing::warn!(%error, "can't accept a connection to forward");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                },
                Some(_) = connections.join_next() => {}
            }
        };
        if let Ok(address) = stream.local_addr() {
            // As with errors: nobody may be listening.
            let _ = line.arrivals.try_send(address);
        }
        let line = line.clone();
        connections.spawn(async move {
            if let Err(error) = line.forward(stream).await {
                tracing::debug!(%error, "a forwarded connection failed");
                // Nobody may be listening, or they have enough to read.
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
            // Both ends see that it did not end as it should.
            let _ = local.set_zero_linger();
        }
        drop(local);
        if let Err(ForwarderError::Port(_)) = &copied {
            // The pod may be gone though its node is there: the next connection looks.
            let _ = self.ask(Doubt::Pod).await;
        }
        copied
    }

    /// A stream to the port on which something is said, by either side. As long as nothing was, a connection to the pod that
    /// is lost takes nothing with it: another one does as well.
    async fn begin(&self, local: &mut TcpStream) -> Result<PortStream, ForwarderError> {
        /// A node that takes connections only to cut them is not asked for ever.
        const TRIES: u32 = 5;
        /// How long after its streams a connection may end.
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
                        // Bytes, the end, or an error, which the copy finds again. Waiting for readiness would not do: it may
                        // be reported although nothing has come.
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
                            // Streams end one by one before the connection does: was it the port's end, or all?
                            match tokio::time::timeout(NOTICE, forward.ended()).await {
                                Ok(end) => OpenError::Connection(end),
                                Err(_) => return ended,
                            }
                        }
                    }
                }
                // The connection was lost, and nobody had noticed.
                Err(PortError::Connection { error, .. }) => error,
                Err(error) => return Err(error.into()),
            };
            if tries == TRIES {
                return Err(PortError::Connection { port, error: lost }.into());
            }
            tracing::debug!(port, error = %lost, tries, "the connection to the pod is made again");
            (doubt, tries) = (Doubt::Connection(forward), tries + 1);
        }
    }

    /// Why a connection did not end well: what the node says, if it has said something.
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

/// Holds the connection to the pod; asked one question at a time, so that there is one.
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

    /// All others wait for this one.
    async fn in_time(&mut self, doubt: Doubt) -> Result<(PortForward, Backend), ForwarderError> {
        let limit = self.options.connect_timeout;
        tokio::time::timeout(limit, self.current(doubt)).await.unwrap_or(Err(ForwarderError::Late(limit)))
    }

    async fn current(&mut self, doubt: Doubt) -> Result<(PortForward, Backend), ForwarderError> {
        if let Doubt::Connection(bad) = &doubt {
            // Unless another has been made already.
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
        tracing::debug!(pod = found.pod, "ports are forwarded");
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
    async fn t8_2_02_and_t8_2_03_localhost_needs_one_address_and_named_ones_all() {
        let any: ForwardedPort = ":80".parse().unwrap();
        let listeners = listen(any, &[], false).await.unwrap();
        let ports: Vec<u16> = listeners.iter().map(|one| one.local_addr().unwrap().port()).collect();
        assert!(ports[0] != 0 && ports.iter().all(|port| *port == ports[0]), "{ports:?}");
        let taken = ForwardedPort { local: ports[0], remote: 80 };
        assert!(matches!(listen(taken, &[], false).await, Err(ForwarderError::Listen { .. })));
        let named = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V4(Ipv4Addr::new(203, 0, 113, 1))];
        assert!(listen(any, &named, false).await.is_err(), "an address that is not ours");
        assert_eq!(listen(any, &named[..1], false).await.unwrap().len(), 1);
        let both = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2))];
        let both = listen(any, &both, true).await.unwrap();
        let addresses: Vec<_> = both.iter().map(|one| one.local_addr().unwrap().ip().to_string()).collect();
        assert!(addresses.iter().filter(|ip| *ip == "127.0.0.1").count() == 1, "{addresses:?}");
        assert_eq!(addresses.last().unwrap(), "127.0.0.2");
    }

    /// Both ends of a way to a pod.
    fn way() -> (PortForward, Mux) {
        let (near, far) = tokio::io::duplex(4096);
        let options = MuxOptions { ping_every: None, ..MuxOptions::default() };
        (PortForward::over(near), Mux::spdy(far, Session::new(Role::Server), options))
    }

    /// A local connection that is forwarded, and the questions for a way to the pod.
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

    /// Answers with a way, and gives the streams that are opened on it: the error's and the data's.
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
    async fn a_connection_on_which_nothing_was_said_outlives_the_way_to_its_pod() {
        let (mut client, mut asks, forwarding) = forwarded().await;
        for round in 0..3 {
            let (doubt, pod, mut error, mut data) = opened(&mut asks).await;
            assert_eq!(matches!(doubt, Doubt::Connection(_)), round > 0);
            // As a node that stops: its streams are cut, or end in order, then the connection ends.
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
    async fn a_port_that_ends_a_connection_without_a_word_ends_it_here() {
        let (mut client, mut asks, forwarding) = forwarded().await;
        let (_, pod, mut error, mut data) = opened(&mut asks).await;
        data.shutdown().await.unwrap();
        error.shutdown().await.unwrap();
        let mut said = [0; 3];
        assert_eq!(client.read(&mut said).await.unwrap(), 0);
        drop(client);
        forwarding.await.unwrap().unwrap();
        assert!(asks.try_recv().is_err(), "its way to the pod is well");
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
        assert!(asks.try_recv().is_err(), "nothing is said twice");
    }
}
