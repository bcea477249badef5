//! The state that the streams of a connection share with its driver.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use bytes::{Buf, BytesMut};
use tokio::io::ReadBuf;

use super::stream::OnDrop;
use super::{ConnectionEnd, Core, MuxOptions, OpenError, Sink};
use crate::ProtocolError;
use crate::spdy::{Headers, ResetCode};

/// Keeps a connection alive. When the last one is dropped, the connection ends.
pub(super) struct Handle(pub(super) Arc<Shared>);

impl Drop for Handle {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.abandoned = true;
        state.wake_driver();
    }
}

pub(super) struct Shared {
    state: Mutex<State>,
    options: MuxOptions,
}

pub(super) struct State {
    core: Box<dyn Core>,
    table: Table,
    driver: Option<Waker>,
    /// Those who wait for room to write, or for all to be written.
    writers: Vec<Waker>,
    /// Whether the driver has bytes that are not on their way yet.
    writing: bool,
    abandoned: bool,
    /// Why nothing can be written any more, while the connection is still read.
    refused: Option<ConnectionEnd>,
    write_buffer: usize,
}

struct Table {
    streams: HashMap<u32, Entry>,
    incoming: VecDeque<(u32, Headers)>,
    acceptor: Option<Waker>,
    watchers: Vec<Waker>,
    /// Streams that hold more than they should.
    full: usize,
    stream_buffer: usize,
    max_streams: usize,
    no_more: bool,
    end: Option<ConnectionEnd>,
}

#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "the two directions of a stream end apart from each other")]
struct Entry {
    inbound: BytesMut,
    full: bool,
    reader: Option<Waker>,
    answered: bool,
    /// The other side sends no more.
    finished: bool,
    reset: Option<ResetCode>,
    /// We send no more.
    done: bool,
    /// Nobody reads it.
    dropped: bool,
}

impl Shared {
    pub(super) fn new(core: Box<dyn Core>, options: MuxOptions, wanted: &[u8]) -> Self {
        let entry = || Entry { answered: true, ..Entry::default() };
        let table = Table {
            streams: wanted.iter().map(|id| (u32::from(*id), entry())).collect(),
            incoming: VecDeque::new(),
            acceptor: None,
            watchers: Vec::new(),
            full: 0,
            stream_buffer: options.stream_buffer,
            max_streams: options.max_streams,
            no_more: false,
            end: None,
        };
        let state = State {
            core,
            table,
            driver: None,
            writers: Vec::new(),
            writing: false,
            abandoned: false,
            refused: None,
            write_buffer: options.write_buffer,
        };
        Self { state: Mutex::new(state), options }
    }

    pub(super) fn options(&self) -> &MuxOptions {
        &self.options
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn open(&self, headers: &Headers) -> Result<u32, OpenError> {
        let mut state = self.lock();
        if let Some(end) = state.table.end.as_ref().or(state.refused.as_ref()) {
            return Err(end.clone().into());
        }
        if state.table.no_more {
            return Err(OpenError::NoMore);
        }
        let id = state.core.open(headers).ok_or(OpenError::NoMore)?;
        state.table.streams.insert(id, Entry::default());
        state.wake_driver();
        Ok(id)
    }

    pub(super) fn poll_open(&self, id: u32, cx: &mut Context<'_>) -> Poll<Result<(), OpenError>> {
        let mut state = self.lock();
        let end = state.table.end.as_ref().or(state.refused.as_ref()).cloned();
        let Some(entry) = state.table.streams.get_mut(&id) else {
            return Poll::Ready(Err(OpenError::NoMore));
        };
        // A stream that was accepted and then reset counts as accepted; reading it reports the reset.
        if entry.answered {
            return Poll::Ready(Ok(()));
        }
        if let Some(code) = entry.reset {
            return Poll::Ready(Err(OpenError::Refused(code.to_string())));
        }
        if let Some(end) = end {
            return Poll::Ready(Err(end.into()));
        }
        entry.reader = Some(cx.waker().clone());
        Poll::Pending
    }

    pub(super) fn poll_accept(&self, cx: &mut Context<'_>) -> Poll<Option<(u32, Headers)>> {
        let mut state = self.lock();
        if let Some((id, headers)) = state.table.incoming.pop_front() {
            if state.table.end.is_none() {
                state.core.accept(id);
                state.wake_driver();
            }
            return Poll::Ready(Some((id, headers)));
        }
        if state.table.end.is_some() {
            return Poll::Ready(None);
        }
        state.table.acceptor = Some(cx.waker().clone());
        Poll::Pending
    }

    pub(super) fn poll_ended(&self, cx: &mut Context<'_>) -> Poll<ConnectionEnd> {
        let mut state = self.lock();
        if let Some(end) = &state.table.end {
            return Poll::Ready(end.clone());
        }
        // Replaces the waker of a task that polls again.
        state.table.watchers.retain(|waker| !waker.will_wake(cx.waker()));
        state.table.watchers.push(cx.waker().clone());
        Poll::Pending
    }

    pub(super) fn end(&self) -> Option<ConnectionEnd> {
        self.lock().table.end.clone()
    }

    pub(super) fn is_open(&self) -> bool {
        let state = self.lock();
        state.table.end.is_none() && state.refused.is_none() && !state.table.no_more
    }

    pub(super) fn streams(&self) -> usize {
        self.lock().table.streams.len()
    }

    pub(super) fn poll_read(
        &self,
        id: u32,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut state = self.lock();
        let State { table, driver, .. } = &mut *state;
        let Some(entry) = table.streams.get_mut(&id) else { return Poll::Ready(Ok(())) };
        if !entry.inbound.is_empty() {
            let length = buf.remaining().min(entry.inbound.len());
            buf.put_slice(&entry.inbound[..length]);
            entry.inbound.advance(length);
            if entry.full && entry.inbound.len() <= table.stream_buffer / 2 {
                entry.full = false;
                table.full -= 1;
                if let Some(driver) = driver.take() {
                    driver.wake();
                }
            }
            return Poll::Ready(Ok(()));
        }
        if entry.finished {
            return Poll::Ready(Ok(()));
        }
        if let Some(code) = entry.reset {
            let why = format!("the other side has cut the stream: {code}");
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::ConnectionReset, why)));
        }
        if let Some(end) = &table.end {
            return Poll::Ready(Err(end.clone().into_io()));
        }
        entry.reader = Some(cx.waker().clone());
        Poll::Pending
    }

    pub(super) fn poll_write(&self, id: u32, cx: &mut Context<'_>, data: &[u8]) -> Poll<io::Result<usize>> {
        /// So much of a write at once, that streams take turns.
        const MOST: usize = 64 * 1024;
        let mut state = self.lock();
        state.writable(id)?;
        if data.is_empty() {
            return Poll::Ready(Ok(0));
        }
        if state.core.output().len() >= state.write_buffer {
            state.wait_to_write(cx.waker());
            return Poll::Pending;
        }
        let data = data.get(..MOST).unwrap_or(data);
        state.core.send(id, data);
        state.wake_driver();
        Poll::Ready(Ok(data.len()))
    }

    pub(super) fn poll_flush(&self, id: u32, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut state = self.lock();
        state.alive(id)?;
        if state.core.output().is_empty() && !state.writing {
            return Poll::Ready(Ok(()));
        }
        state.wait_to_write(cx.waker());
        Poll::Pending
    }

    pub(super) fn finish(&self, id: u32) {
        let mut state = self.lock();
        let ended = state.table.end.is_some();
        let Some(entry) = state.table.streams.get_mut(&id) else { return };
        if std::mem::replace(&mut entry.done, true) || ended || entry.reset.is_some() {
            return;
        }
        state.core.finish(id);
        state.wake_driver();
    }

    /// Nobody has the stream any more.
    pub(super) fn forget(&self, id: u32, on_drop: OnDrop) {
        let mut state = self.lock();
        let State { core, table, .. } = &mut *state;
        let Some(entry) = table.streams.get_mut(&id) else { return };
        entry.dropped = true;
        entry.inbound = BytesMut::new();
        if std::mem::take(&mut entry.full) {
            table.full -= 1;
        }
        let over = entry.reset.is_some() || table.end.is_some();
        match on_drop {
            OnDrop::Finish if !over && !entry.done => core.finish(id),
            OnDrop::Reset if !(over || entry.done && entry.finished) => {
                entry.reset = Some(ResetCode::CANCEL);
                core.reset(id);
            }
            OnDrop::Finish | OnDrop::Reset => {}
        }
        entry.done = true;
        if entry.finished || entry.reset.is_some() || table.end.is_some() {
            table.streams.remove(&id);
        }
        state.wake_driver();
    }
}

impl State {
    pub(super) fn wake_driver(&mut self) {
        if let Some(driver) = self.driver.take() {
            driver.wake();
        }
    }

    /// The driver is at work, and to be woken from now on.
    pub(super) fn attend(&mut self, waker: &Waker) {
        self.driver = Some(waker.clone());
    }

    pub(super) fn is_abandoned(&self) -> bool {
        self.abandoned
    }

    /// Whether the connection should be read: nobody is full, and what we have to say finds its way out.
    pub(super) fn wants_input(&mut self) -> bool {
        self.table.full == 0 && self.core.output().len() < 2 * self.write_buffer
    }

    /// Gives what is to be sent for an empty buffer, which is filled next; those who wait for room have it then.
    pub(super) fn take_output(&mut self, sent: &mut BytesMut) {
        if self.core.output().is_empty() {
            return;
        }
        sent.clear();
        std::mem::swap(self.core.output(), sent);
        self.writing = true;
        self.writers.drain(..).for_each(Waker::wake);
    }

    /// Everything that was taken is on its way.
    pub(super) fn flushed(&mut self) {
        self.writing = false;
        self.writers.drain(..).for_each(Waker::wake);
    }

    pub(super) fn receive(&mut self, input: &mut BytesMut) -> Result<(), ProtocolError> {
        let State { core, table, .. } = self;
        core.receive(input, table)
    }

    pub(super) fn ping(&mut self) {
        self.core.ping();
    }

    pub(super) fn goodbye(&mut self) {
        self.core.goodbye();
    }

    /// Whether the peer misses nothing if the connection is closed after our goodbye.
    pub(super) fn may_close(&self) -> bool {
        self.core.may_close()
    }

    /// Nothing can be written any more: writers get this error, and those who open streams.
    pub(super) fn refuse_writes(&mut self, end: ConnectionEnd) {
        self.refused = Some(end);
        self.table.streams.values_mut().for_each(|entry| wake(&mut entry.reader));
        self.writers.drain(..).for_each(Waker::wake);
    }

    pub(super) fn has_ended(&self) -> bool {
        self.table.end.is_some()
    }

    /// Ends the connection and wakes all waiters. The first reason is kept.
    pub(super) fn ended(&mut self, end: ConnectionEnd) {
        self.table.ended(end);
        self.writers.drain(..).for_each(Waker::wake);
    }

    fn wait_to_write(&mut self, waker: &Waker) {
        if !self.writers.iter().any(|known| known.will_wake(waker)) {
            self.writers.push(waker.clone());
        }
    }

    fn alive(&mut self, id: u32) -> io::Result<()> {
        if let Some(end) = self.table.end.as_ref().or(self.refused.as_ref()) {
            return Err(end.clone().into_io());
        }
        match self.table.streams.get(&id).and_then(|entry| entry.reset) {
            Some(code) => {
                let why = format!("the other side has cut the stream: {code}");
                Err(io::Error::new(io::ErrorKind::BrokenPipe, why))
            }
            None => Ok(()),
        }
    }

    fn writable(&mut self, id: u32) -> io::Result<()> {
        self.alive(id)?;
        match self.table.streams.get(&id) {
            Some(entry) if !entry.done => Ok(()),
            _ => Err(io::Error::new(io::ErrorKind::BrokenPipe, "the stream was shut down")),
        }
    }
}

impl Table {
    fn ended(&mut self, end: ConnectionEnd) {
        self.end.get_or_insert(end);
        for entry in self.streams.values_mut() {
            wake(&mut entry.reader);
        }
        self.streams.retain(|_, entry| !entry.dropped);
        self.watchers.drain(..).for_each(Waker::wake);
        wake(&mut self.acceptor);
    }
}

fn wake(waker: &mut Option<Waker>) {
    if let Some(waker) = waker.take() {
        waker.wake();
    }
}

impl Sink for Table {
    fn opened(&mut self, stream: u32, headers: Headers) -> bool {
        if self.streams.len() >= self.max_streams {
            tracing::warn!(streams = self.streams.len(), "the other side opens too many streams");
            return false;
        }
        self.streams.insert(stream, Entry { answered: true, ..Entry::default() });
        self.incoming.push_back((stream, headers));
        wake(&mut self.acceptor);
        true
    }

    fn answered(&mut self, stream: u32) {
        if let Some(entry) = self.streams.get_mut(&stream) {
            entry.answered = true;
            wake(&mut entry.reader);
        }
    }

    fn data(&mut self, stream: u32, data: &[u8]) {
        let Some(entry) = self.streams.get_mut(&stream) else {
            tracing::trace!(
                stream,
                bytes = data.len(),
                "bytes of a stream that is not there are thrown away"
            );
            return;
        };
        if entry.dropped || entry.finished || entry.reset.is_some() {
            return;
        }
        entry.inbound.extend_from_slice(data);
        if !entry.full && entry.inbound.len() > self.stream_buffer {
            entry.full = true;
            self.full += 1;
        }
        wake(&mut entry.reader);
    }

    fn finished(&mut self, stream: u32) {
        let Some(entry) = self.streams.get_mut(&stream) else { return };
        entry.finished = true;
        wake(&mut entry.reader);
        if entry.dropped {
            self.streams.remove(&stream);
        }
    }

    fn reset(&mut self, stream: u32, code: ResetCode) {
        let Some(entry) = self.streams.get_mut(&stream) else { return };
        entry.reset = Some(code);
        wake(&mut entry.reader);
        if entry.dropped {
            self.streams.remove(&stream);
        }
    }

    fn no_more_streams(&mut self) {
        self.no_more = true;
    }

    fn closed(&mut self) {
        for entry in self.streams.values_mut() {
            entry.finished = true;
        }
        self.ended(ConnectionEnd::Closed);
    }
}
