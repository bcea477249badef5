//! The task that moves bytes between a connection and its streams.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::time::{Instant, Sleep};

use super::shared::Shared;
use super::{ConnectionEnd, MuxOptions};

/// Reads, writes, pings, and says goodbye.
pub(super) struct Driver<S> {
    io: S,
    shared: Arc<Shared>,
    /// Taken from the protocol, and not written yet.
    writing: BytesMut,
    unflushed: bool,
    input: BytesMut,
    timer: Pin<Box<Sleep>>,
    ping_every: Option<Duration>,
    silence: Duration,
    linger: Duration,
    /// When something was heard last, or could not be because nobody listened.
    heard: Instant,
    /// Whether nobody listens now: a stream is full.
    deaf: bool,
    stage: Stage,
    /// Why nothing can be written any more. Bytes that the peer sent before are still read.
    refused: Option<ConnectionEnd>,
    /// It did not end as agreed.
    broken: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Open,
    /// Sends the remaining bytes, and waits for the answer to a goodbye if the protocol has one. A proxy closes both of its connections as
    /// soon as one of them ends: a connection that ends before the answer can take from the peer what it has not received yet.
    Closing,
    /// Nothing can be sent any more, or all has been.
    ShuttingDown,
    /// Data that the peer still sends is read and discarded: a connection that is closed over bytes that nobody has
    /// read is reset, and the reset takes from the other side what it has not read either.
    Draining,
}

const READ: usize = 64 * 1024;

impl<S: AsyncRead + AsyncWrite + Unpin> Driver<S> {
    pub(super) fn new(io: S, shared: Arc<Shared>, options: &MuxOptions) -> Self {
        let now = Instant::now();
        let first = options.ping_every.unwrap_or(Duration::from_hours(24));
        Self {
            io,
            shared,
            writing: BytesMut::new(),
            unflushed: false,
            input: BytesMut::new(),
            timer: Box::pin(tokio::time::sleep_until(now + first)),
            ping_every: options.ping_every,
            silence: options.silence,
            linger: options.linger,
            heard: now,
            deaf: false,
            stage: Stage::Open,
            refused: None,
            broken: false,
        }
    }

    /// Whether anything was done.
    fn write(&mut self, cx: &mut Context<'_>) -> Result<bool, ConnectionEnd> {
        if self.writing.is_empty() || self.refused.is_some() {
            self.shared.lock().take_output(&mut self.writing);
        }
        if self.refused.is_some() {
            self.writing.clear();
            return Ok(false);
        }
        if !self.writing.is_empty() {
            return match Pin::new(&mut self.io).poll_write(cx, &self.writing) {
                Poll::Ready(Ok(0)) => Err(ConnectionEnd::Lost("nothing can be written".to_owned())),
                Poll::Ready(Ok(written)) => {
                    self.writing.advance(written);
                    self.unflushed = true;
                    Ok(true)
                }
                Poll::Ready(Err(error)) => Err(lost(&error)),
                Poll::Pending => Ok(false),
            };
        }
        if !self.unflushed {
            return Ok(false);
        }
        match Pin::new(&mut self.io).poll_flush(cx) {
            Poll::Ready(Ok(())) => {
                self.unflushed = false;
                self.shared.lock().flushed();
                Ok(true)
            }
            Poll::Ready(Err(error)) => Err(lost(&error)),
            Poll::Pending => Ok(false),
        }
    }

    fn read(&mut self, cx: &mut Context<'_>) -> Result<bool, ConnectionEnd> {
        self.deaf = !self.shared.lock().wants_input();
        if self.deaf {
            return Ok(false);
        }
        match read_into(&mut self.io, &mut self.input, cx) {
            Poll::Pending => Ok(false),
            Poll::Ready(Err(error)) => Err(lost(&error)),
            Poll::Ready(Ok(0)) => {
                Err(ConnectionEnd::Lost("the other side closed it without a word".to_owned()))
            }
            Poll::Ready(Ok(_)) => {
                self.heard = Instant::now();
                self.shared.lock().receive(&mut self.input)?;
                Ok(true)
            }
        }
    }

    /// Whether it was time for something.
    fn tick(&mut self, cx: &mut Context<'_>) -> Result<bool, ConnectionEnd> {
        if self.deaf {
            self.heard = Instant::now();
        }
        if self.timer.as_mut().poll(cx).is_pending() {
            return Ok(false);
        }
        let now = Instant::now();
        if self.stage != Stage::Open {
            return Err(ConnectionEnd::Lost(format!("what was left was not sent within {:?}", self.linger)));
        }
        let quiet = now.duration_since(self.heard);
        if let Some(end) = &self.refused {
            if quiet >= self.linger {
                return Err(end.clone());
            }
            self.timer.as_mut().reset(self.heard + self.linger);
            return Ok(true);
        }
        let Some(every) = self.ping_every else {
            self.timer.as_mut().reset(now + Duration::from_hours(24));
            return Ok(true);
        };
        if quiet >= self.silence {
            return Err(ConnectionEnd::Silent(self.silence));
        }
        // A peer that sends is there. One that has sent everything and has closed the connection answers a ping with a reset, which
        // takes what is still on its way.
        if quiet < every {
            self.timer.as_mut().reset(self.heard + every);
            return Ok(true);
        }
        self.timer.as_mut().reset(now + every);
        self.shared.lock().ping();
        Ok(true)
    }

    /// Nothing can be written any more. The peer may have sent more before it closed the connection, perhaps even why: that is read first.
    fn refuse(&mut self, end: ConnectionEnd) {
        self.shared.lock().refuse_writes(end.clone());
        self.refused = Some(end);
        self.unflushed = false;
        self.heard = Instant::now();
        self.timer.as_mut().reset(self.heard + self.linger);
    }

    fn step(&mut self, cx: &mut Context<'_>) -> Result<bool, ConnectionEnd> {
        let mut worked = self.tick(cx)?;
        match self.write(cx) {
            Ok(wrote) => worked |= wrote,
            Err(end) if self.stage == Stage::Open => {
                self.refuse(end);
                worked = true;
            }
            Err(end) => return Err(end),
        }
        if self.stage == Stage::Open {
            // The first error is the one to report.
            worked |= self.read(cx).map_err(|end| self.refused.take().unwrap_or(end))?;
            let mut state = self.shared.lock();
            if state.is_abandoned() || state.has_ended() {
                state.goodbye();
                drop(state);
                self.stage = Stage::Closing;
                self.timer.as_mut().reset(Instant::now() + self.linger);
                worked = true;
            }
        } else if self.writing.is_empty() && !self.unflushed && !worked {
            if self.refused.is_some() || self.shared.lock().may_close() {
                self.stage = Stage::ShuttingDown;
            } else {
                worked |= self.read(cx)?;
            }
        }
        Ok(worked)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Future for Driver<S> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let driver = &mut *self;
        driver.shared.lock().attend(cx.waker());
        while !matches!(driver.stage, Stage::ShuttingDown | Stage::Draining) {
            match driver.step(cx) {
                Ok(true) => {}
                Ok(false) if driver.stage == Stage::ShuttingDown => {}
                Ok(false) => return Poll::Pending,
                Err(end) => {
                    tracing::debug!(%end, "a connection with streams has ended");
                    driver.shared.lock().ended(end);
                    driver.broken = true;
                    driver.stage = Stage::ShuttingDown;
                    driver.timer.as_mut().reset(Instant::now() + driver.linger);
                }
            }
        }
        driver.shared.lock().ended(ConnectionEnd::Closed);
        // The connection goes with the task; TLS says its own goodbye, if it can.
        if driver.stage == Stage::ShuttingDown {
            match Pin::new(&mut driver.io).poll_shutdown(cx) {
                Poll::Pending if driver.timer.as_mut().poll(cx).is_pending() => return Poll::Pending,
                Poll::Ready(Ok(())) if !driver.broken => driver.stage = Stage::Draining,
                _ => return Poll::Ready(()),
            }
        }
        loop {
            driver.input.clear();
            match read_into(&mut driver.io, &mut driver.input, cx) {
                Poll::Ready(Ok(1..)) => {}
                Poll::Pending if driver.timer.as_mut().poll(cx).is_pending() => return Poll::Pending,
                _ => return Poll::Ready(()),
            }
        }
    }
}

/// Reads and appends to the buffered bytes. Nothing is lost where it is not ready: the future that is dropped then has no state.
pub(crate) fn read_into<S: AsyncRead + Unpin>(
    io: &mut S,
    input: &mut BytesMut,
    cx: &mut Context<'_>,
) -> Poll<io::Result<usize>> {
    // Room that was read out is used again, unless much is still in it.
    input.reserve(READ);
    std::pin::pin!(io.read_buf(input)).poll(cx)
}

impl<S> Drop for Driver<S> {
    fn drop(&mut self) {
        // The runtime is shutting down, or we are done.
        self.shared.lock().ended(ConnectionEnd::Lost("nobody works on it any more".to_owned()));
    }
}

fn lost(error: &io::Error) -> ConnectionEnd {
    ConnectionEnd::Lost(error.to_string())
}
