//! The connections to one server, shared by all requests.

use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::admission::{Admission, Id};
use super::closable::{Closable, Closer};
use super::connection::{Lease, Sender};
use super::connector::{Connector, Protocol};
use super::http2;
use super::preface::{Preface, Streams};
use super::{Body, ConnectError, Io, Stream};
use crate::task;

/// The number of streams per connection if the server sets no limit. More requests open another connection, so that one broken
/// connection does not break all requests.
const UNLIMITED: usize = 1000;

/// Connections to one server.
///
/// They live until the pool and all responses are dropped. Each has its own task.
pub(super) struct Pool {
    shared: Arc<Shared>,
}

pub(super) struct Shared {
    connector: Connector,
    state: Mutex<State>,
}

struct State {
    admission: Admission,
    connections: BTreeMap<Id, Connection>,
    waiting: VecDeque<Waiter>,
    /// Increases each time that all connections are closed: a connection that began before is not used.
    generation: u64,
}

/// A request that waits for a stream.
struct Waiter {
    answer: oneshot::Sender<Result<(Sender, Lease), ConnectError>>,
    /// The runtime of the waiting request: a stream may become free on a thread without a runtime.
    runtime: Handle,
}

struct Connection {
    /// `None` while an HTTP/1.1 request uses it.
    sender: Option<Sender>,
    closer: Closer,
}

impl Pool {
    pub(super) fn new(connector: Connector) -> Self {
        let options = &connector.options;
        let many = if connector.tls.is_some() { options.http2 } else { options.http2_without_tls };
        let state = State {
            admission: Admission::new(many),
            connections: BTreeMap::new(),
            waiting: VecDeque::new(),
            generation: 0,
        };
        Self { shared: Arc::new(Shared { connector, state: Mutex::new(state) }) }
    }

    pub(super) fn connector(&self) -> &Connector {
        &self.shared.connector
    }

    /// A stream of a connection. Waits while a connection is opened. Dropping the future gives up the place in the queue.
    pub(super) async fn acquire(&self) -> Result<(Sender, Lease), ConnectError> {
        let (waiting, dials) = {
            let runtime = Handle::current();
            let mut state = self.shared.lock();
            if let Some(lease) = self.shared.admit(&mut state, &runtime) {
                return Ok(lease);
            }
            let (answer, receiver) = oneshot::channel();
            state.waiting.push_back(Waiter { answer, runtime });
            (receiver, state.dials())
        };
        self.shared.dial(dials);
        let given_up = || ConnectError::GivenUp { target: self.shared.connector.target.to_string() };
        waiting.await.unwrap_or_else(|_| Err(given_up()))
    }

    /// A separate connection for one request. It closes with the response, and does not count for the pool.
    pub(super) async fn alone(&self) -> Result<Sender, ConnectError> {
        // Dropping the closer and the driver's handle does not affect the connection.
        Ok(self.shared.open().await?.sender)
    }

    /// A separate HTTP/1.1 connection for one request that takes it over.
    pub(super) async fn dedicated(&self) -> Result<http1::SendRequest<Body>, ConnectError> {
        let (stream, _) = self.shared.connector.connect(true).await?;
        let (sender, driver) = http1_handshake(stream, &self.shared.connector).await?;
        task::spawn(driver);
        Ok(sender)
    }

    /// The number of open connections.
    pub(super) fn len(&self) -> usize {
        self.shared.lock().admission.len()
    }

    /// Closes every connection with all its requests, because the server must see a new certificate.
    pub(super) fn close(&self) {
        for connection in self.shared.clear() {
            connection.closer.close();
        }
    }

    /// Stops new requests on all current connections. Running requests continue.
    pub(super) fn retire(&self) {
        // An HTTP/2 connection closes with its last stream when no sender is left.
        drop(self.shared.clear());
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn clear(&self) -> Vec<Connection> {
        let mut state = self.lock();
        state.generation += 1;
        state.admission.clear();
        std::mem::take(&mut state.connections).into_values().collect()
    }

    /// A stream on an open connection, for a request on this runtime.
    fn admit(self: &Arc<Self>, state: &mut State, runtime: &Handle) -> Option<(Sender, Lease)> {
        while let Some(id) = state.admission.admit() {
            let sender = match state.connections.get_mut(&id).map(|connection| &mut connection.sender) {
                Some(Some(Sender::Http2(sender))) => Some(Sender::Http2(sender.clone())),
                Some(taken @ Some(Sender::Http1(_))) => taken.take(),
                Some(None) | None => None,
            };
            if let Some(mut sender) = sender
                && !sender.is_closed()
            {
                let (shared, runtime) = (Arc::clone(self), runtime.clone());
                return Some((sender, Lease { id, shared, http1: None, runtime }));
            }
            state.forget(id);
        }
        None
    }

    /// Opens connections. Not under the lock: a runtime that is shutting down drops the tasks at once, and they take the lock.
    fn dial(self: &Arc<Self>, dials: Option<Dials>) {
        let Some(Dials { count, generation, runtime }) = dials else { return };
        for _ in 0..count {
            let dialing = Dialing(Some(Arc::clone(self)));
            task::spawn_on(&runtime, async move {
                let opened = match &dialing.0 {
                    Some(shared) => shared.open().await,
                    None => return,
                };
                let Some(shared) = dialing.done() else { return };
                match opened {
                    Ok(opened) => shared.opened(opened, generation),
                    Err(error) => shared.failed(&error),
                }
            });
        }
    }

    async fn open(&self) -> Result<Opened, ConnectError> {
        let (stream, protocol) = self.connector.connect(false).await?;
        let (stream, closer) = Closable::new(stream);
        match protocol {
            Protocol::Http1 => {
                let (sender, driver) = http1_handshake(stream, &self.connector).await?;
                Ok(Opened { sender: Sender::Http1(sender), limit: 1, driver: task::spawn(driver), closer })
            }
            Protocol::Http2 => http2_open(stream, closer, &self.connector).await,
        }
    }

    fn opened(self: &Arc<Self>, opened: Opened, generation: u64) {
        let now = Instant::now();
        let mut state = self.lock();
        let id = state.admission.opened(opened.limit, now);
        if state.generation != generation {
            // It uses the old certificate.
            state.admission.closed(id);
            opened.closer.close();
            let dials = state.dials();
            drop(state);
            return self.dial(dials);
        }
        tracing::debug!(target = %self.connector.target, id, streams = opened.limit, "connection opened");
        let connection = Connection { sender: Some(opened.sender), closer: opened.closer };
        state.connections.insert(id, connection);
        task::spawn(watch_over(Arc::downgrade(self), id, opened.driver));
        self.serve(state);
    }

    fn failed(self: &Arc<Self>, error: &ConnectError) {
        tracing::debug!(target = %self.connector.target, %error, "no connection");
        let mut state = self.lock();
        state.waiting.retain(|waiting| !waiting.answer.is_closed());
        let waiting = state.waiting.len();
        let hopeless = state.admission.failed(waiting);
        let hopeless: Vec<_> = state.waiting.drain(..hopeless).collect();
        drop(state);
        for waiting in hopeless {
            // A request that was dropped meanwhile does not need the error.
            let _ = waiting.answer.send(Err(error.clone()));
        }
    }

    /// Assigns streams to waiting requests in their order, and opens connections for the rest.
    fn serve(self: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        let mut unwanted = Vec::new();
        while let Some(waiting) = state.waiting.pop_front() {
            if waiting.answer.is_closed() {
                continue;
            }
            let Some(lease) = self.admit(&mut state, &waiting.runtime) else {
                state.waiting.push_front(waiting);
                break;
            };
            if let Err(Ok((sender, lease))) = waiting.answer.send(Ok(lease)) {
                unwanted.push((sender, lease));
            }
        }
        state.waiting.retain(|waiting| !waiting.answer.is_closed());
        let dials = state.dials();
        drop(state);
        self.dial(dials);
        // Outside of the lock, because returning a stream takes it.
        for (sender, mut lease) in unwanted {
            lease.keep(sender);
        }
    }

    /// A request no longer needs its stream.
    pub(super) fn released(self: &Arc<Self>, id: Id, sender: Option<Sender>) {
        let mut state = self.lock();
        let Some(connection) = state.connections.get_mut(&id) else { return };
        if let Some(sender) = sender {
            connection.sender = Some(sender);
        }
        state.admission.released(id, Instant::now());
        let too_many =
            matches!(state.connections.get(&id), Some(Connection { sender: Some(Sender::Http1(_)), .. }))
                && state.waiting.is_empty()
                && state.admission.idle() > self.connector.options.max_idle;
        if too_many {
            state.forget(id);
        }
        self.serve(state);
    }

    /// A connection has closed, or accepts no more requests.
    pub(super) fn closed(self: &Arc<Self>, id: Id) {
        let mut state = self.lock();
        state.forget(id);
        self.serve(state);
    }
}

/// Connections to open.
struct Dials {
    count: usize,
    generation: u64,
    /// The runtime of the first request that waits for them.
    runtime: Handle,
}

impl State {
    /// As many as the waiting requests need; `None` if no request waits.
    fn dials(&mut self) -> Option<Dials> {
        let runtime = self.waiting.front()?.runtime.clone();
        let count = self.admission.dial(self.waiting.len());
        Some(Dials { count, generation: self.generation, runtime })
    }

    fn forget(&mut self, id: Id) {
        self.admission.closed(id);
        self.connections.remove(&id);
    }
}

impl Lease {
    /// Binds an HTTP/1.1 connection to the lease, so that it returns to the pool with the lease.
    pub(super) fn keep(&mut self, sender: Sender) {
        if let Sender::Http1(sender) = sender {
            self.http1 = Some(sender);
        }
    }
}

/// Reports a failed dial to the pool when the dial's task is dropped with its runtime: the pool may be used from another
/// runtime, and must not wait for that task.
struct Dialing(Option<Arc<Shared>>);

impl Dialing {
    fn done(mut self) -> Option<Arc<Shared>> {
        self.0.take()
    }
}

impl Drop for Dialing {
    fn drop(&mut self) {
        if let Some(shared) = self.0.take() {
            let target = shared.connector.target.to_string();
            shared.failed(&ConnectError::GivenUp { target });
        }
    }
}

struct Opened {
    sender: Sender,
    limit: usize,
    driver: JoinHandle<()>,
    closer: Closer,
}

async fn http1_handshake<S: Io>(
    stream: S,
    connector: &Connector,
) -> Result<(http1::SendRequest<Body>, impl Future<Output = ()> + use<S>), ConnectError> {
    let handshake = http1::handshake(TokioIo::new(stream)).await;
    let (sender, connection) = handshake.map_err(|error| ConnectError::Http1 {
        target: connector.target.to_string(),
        why: error.to_string(),
    })?;
    let driver = async move {
        if let Err(error) = connection.with_upgrades().await {
            tracing::debug!(%error, "HTTP/1.1 connection ended");
        }
    };
    Ok((sender, driver))
}

async fn http2_open(
    stream: Closable<Stream>,
    closer: Closer,
    connector: &Connector,
) -> Result<Opened, ConnectError> {
    let options = &connector.options;
    let refused = |why: String| ConnectError::Http2 { target: connector.target.to_string(), why };
    let (stream, mut streams, reads) = Preface::new(stream);
    let (sender, driver) =
        http2::open(stream, reads, options).await.map_err(|error| refused(error.to_string()))?;
    // Requests beyond the server's limit would wait inside the connection, so the limit must be known before the first one.
    let known = streams.wait_for(|streams| *streams != Streams::Unknown);
    let limit = match tokio::time::timeout(options.handshake_timeout, known).await {
        Ok(Ok(streams)) => match *streams {
            Streams::Limit(limit) => limit,
            Streams::Unlimited | Streams::Unknown => UNLIMITED,
        },
        Ok(Err(_)) => return Err(refused("the server closed the connection".to_owned())),
        Err(_) => {
            closer.close();
            let (what, limit) = ("waiting for the HTTP/2 settings of", options.handshake_timeout);
            return Err(ConnectError::Timeout { what, target: connector.target.to_string(), limit });
        }
    };
    // An unread stream can occupy up to its window of the connection's window, so all windows together must fit.
    let limit = limit.min(options.max_streams());
    Ok(Opened { sender: Sender::Http2(sender), limit, driver, closer })
}

/// Removes a connection from the pool when it has closed, and closes it when it has been idle for long.
async fn watch_over(pool: Weak<Shared>, id: Id, mut driver: JoinHandle<()>) {
    loop {
        let until = {
            let Some(pool) = pool.upgrade() else { return };
            let (timeout, now) = (pool.connector.options.idle_timeout, Instant::now());
            let mut state = pool.lock();
            // Already removed from the pool: it is retired, and its running requests keep it open.
            let Some(until) = state.admission.idle_until(id, timeout, now) else { return };
            if until <= now {
                state.forget(id);
                return;
            }
            until
        };
        tokio::select! {
            _ = &mut driver => break,
            () = tokio::time::sleep_until(until) => {}
        }
    }
    if let Some(pool) = pool.upgrade() {
        pool.closed(id);
    }
}
