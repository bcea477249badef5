//! The pipes between the client and the server.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{
    AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, DuplexStream, ReadBuf, WriteHalf,
};
use tokio::io::{ReadHalf, split};
use tokio::sync::Notify;

use crate::history::{Fact, Recorder};
use crate::plan::Toward;

/// The most bytes that pass at once.
const CHUNK: usize = 16 * 1024;

/// A connection: two pipes, which faults affect.
#[derive(Clone, Debug)]
pub struct Wire {
    /// Its number.
    pub number: u32,
    state: Arc<Mutex<State>>,
    changed: Arc<Notify>,
    recorder: Recorder,
}

#[derive(Debug)]
struct State {
    to_server: Flow,
    to_client: Flow,
    cut: Option<Cut>,
    /// Whether the client has closed its side.
    closed: bool,
}

#[derive(Debug)]
struct Flow {
    /// The time that bytes take.
    latency: Duration,
    stalled: bool,
    /// How many bytes pass at once, and the pause after them.
    trickle: Option<(usize, Duration)>,
    /// How many bytes may pass before the cut.
    cut_after: Option<(u64, Cut)>,
    passed: u64,
}

#[derive(Clone, Copy, Debug)]
struct Cut {
    reset: bool,
}

/// The client's end of a connection.
#[derive(Debug)]
pub struct Near {
    stream: DuplexStream,
    wire: Wire,
}

/// The bytes that may pass now.
enum Next {
    /// So many bytes, after a pause.
    Pass(usize, Duration),
    /// Nothing.
    Wait,
    /// Nothing any more.
    Ended,
}

impl Wire {
    /// Makes a connection. Returns it and the ends of the client and of the server.
    pub fn new(
        number: u32,
        pipe: usize,
        latency: [Duration; 2],
        recorder: &Recorder,
    ) -> (Self, Near, DuplexStream) {
        let flow = |latency| Flow { latency, stalled: false, trickle: None, cut_after: None, passed: 0 };
        let state =
            State { to_server: flow(latency[0]), to_client: flow(latency[1]), cut: None, closed: false };
        let wire = Self {
            number,
            state: Arc::new(Mutex::new(state)),
            changed: Arc::default(),
            recorder: recorder.clone(),
        };
        let (near, of_client) = tokio::io::duplex(pipe);
        let (far, of_server) = tokio::io::duplex(pipe);
        let (from_client, into_client) = split(of_client);
        let (from_server, into_server) = split(of_server);
        tokio::spawn(wire.clone().pump(Toward::Server, from_client, into_server));
        tokio::spawn(wire.clone().pump(Toward::Client, from_server, into_client));
        (wire.clone(), Near { stream: near, wire }, far)
    }

    /// Whether it works, as far as the client and the server know.
    pub fn is_open(&self) -> bool {
        let state = self.state();
        !state.closed && state.cut.is_none()
    }

    /// Whether the client has closed its side.
    pub fn is_closed(&self) -> bool {
        self.state().closed
    }

    /// Cuts it when this many more bytes have passed in a direction.
    pub fn cut_after(&self, toward: Toward, bytes: u32, reset: bool) {
        let mut state = self.state();
        let flow = state.flow(toward);
        flow.cut_after = Some((flow.passed + u64::from(bytes), Cut { reset }));
        drop(state);
        self.changed.notify_waiters();
    }

    /// Cuts it now.
    pub fn cut(&self, reset: bool) {
        self.state().cut.get_or_insert(Cut { reset });
        self.changed.notify_waiters();
    }

    /// Lets nothing pass in a direction.
    pub fn stall(&self, toward: Toward) {
        self.state().flow(toward).stalled = true;
        self.recorder.record(Fact::Stall { connection: self.number, toward });
    }

    /// Lets bytes pass slowly in a direction.
    pub fn trickle(&self, toward: Toward, bytes: u16, pause: u16) {
        self.state().flow(toward).trickle =
            Some((usize::from(bytes.max(1)), Duration::from_millis(pause.into())));
        self.recorder.record(Fact::Trickle { connection: self.number, toward });
    }

    /// Ends its faults. If it stalls, it may stay so.
    pub fn heal(&self, stays_dead: bool) {
        let mut state = self.state();
        for toward in [Toward::Server, Toward::Client] {
            let flow = state.flow(toward);
            (flow.trickle, flow.cut_after) = (None, None);
            flow.stalled &= stays_dead;
        }
        drop(state);
        self.changed.notify_waiters();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what may pass of so many bytes.
    fn next(&self, toward: Toward, bytes: usize) -> Next {
        let mut state = self.state();
        if state.cut.is_some() {
            return Next::Ended;
        }
        let flow = state.flow(toward);
        let mut size = bytes;
        if let Some((limit, cut)) = flow.cut_after {
            let left = usize::try_from(limit.saturating_sub(flow.passed)).unwrap_or(usize::MAX);
            if left == 0 {
                let reset = cut.reset;
                state.cut = Some(cut);
                let (sent, received) = (state.to_server.passed, state.to_client.passed);
                drop(state);
                self.recorder.record(Fact::Cut { connection: self.number, sent, received, reset });
                self.changed.notify_waiters();
                return Next::Ended;
            }
            size = size.min(left);
        }
        if flow.stalled {
            return Next::Wait;
        }
        if bytes == 0 {
            return Next::Wait;
        }
        match flow.trickle {
            Some((most, pause)) => Next::Pass(size.min(most), pause),
            None => Next::Pass(size, Duration::ZERO),
        }
    }

    /// Moves the bytes of one direction.
    async fn pump(self, toward: Toward, mut from: ReadHalf<DuplexStream>, mut to: WriteHalf<DuplexStream>) {
        let mut buffer = vec![0; CHUNK];
        loop {
            let read = tokio::select! {
                biased;
                () = self.ended(toward) => return,
                read = from.read(&mut buffer) => read.unwrap_or_default(),
            };
            if read == 0 {
                // The other side has closed: what is under way arrives, and then the end.
                let _ = to.shutdown().await;
                return;
            }
            let latency = self.state().flow(toward).latency;
            tokio::time::sleep(latency).await;
            let mut rest = &buffer[..read];
            while !rest.is_empty() {
                let changed = self.changed.notified();
                match self.next(toward, rest.len()) {
                    Next::Ended => return,
                    Next::Wait => changed.await,
                    Next::Pass(size, pause) => {
                        if !pause.is_zero() {
                            tokio::time::sleep(pause).await;
                        }
                        let (now, later) = rest.split_at(size);
                        let written = tokio::select! {
                            biased;
                            () = self.ended(toward) => return,
                            written = to.write_all(now) => written,
                        };
                        if written.is_err() {
                            return;
                        }
                        self.state().flow(toward).passed += u64::try_from(size).unwrap_or(u64::MAX);
                        rest = later;
                    }
                }
            }
            // A cut exactly behind these bytes.
            if matches!(self.next(toward, 0), Next::Ended) {
                return;
            }
        }
    }

    /// Waits until it is cut.
    async fn ended(&self, toward: Toward) {
        loop {
            let changed = self.changed.notified();
            if matches!(self.next(toward, 0), Next::Ended) {
                return;
            }
            changed.await;
        }
    }
}

impl State {
    fn flow(&mut self, toward: Toward) -> &mut Flow {
        match toward {
            Toward::Server => &mut self.to_server,
            Toward::Client => &mut self.to_client,
        }
    }
}

impl Near {
    fn reset(&self) -> Option<io::Error> {
        let reset = self.wire.state().cut.is_some_and(|cut| cut.reset);
        reset.then(|| io::Error::new(io::ErrorKind::ConnectionReset, "connection reset by peer"))
    }
}

impl AsyncRead for Near {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        match (&read, self.reset()) {
            // Bytes that have arrived are read first.
            (Poll::Ready(Ok(())), Some(error)) if buffer.filled().len() == before => Poll::Ready(Err(error)),
            _ => read,
        }
    }
}

impl AsyncWrite for Near {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.reset() {
            Some(error) => Poll::Ready(Err(error)),
            None => Pin::new(&mut self.stream).poll_write(cx, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl Drop for Near {
    fn drop(&mut self) {
        self.wire.state().closed = true;
        self.wire.recorder.record(Fact::Closed { connection: self.wire.number });
    }
}
