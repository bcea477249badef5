//! The server: HTTP/2 with a ledger of what was carried out.

use std::collections::HashMap;
use std::future::poll_fn;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use h2::server::SendResponse;
use h2::{Reason, RecvStream, SendStream};
use http::{HeaderValue, Request, Response, StatusCode};
use tokio::io::DuplexStream;
use tokio::sync::mpsc;

use crate::history::{Fact, Recorder};
use crate::plan::{Call, Fate, Setup, Verb, error};

/// The time between two events of a watch.
pub const EVENT_EVERY: Duration = Duration::from_secs(5);
/// The bytes that a body is sent in.
const PART: usize = 10_000;

/// The server.
#[derive(Clone, Debug)]
pub struct Server {
    setup: Setup,
    recorder: Recorder,
    requests: Arc<Mutex<HashMap<u32, Known>>>,
}

/// A request that the server may get.
#[derive(Debug)]
struct Known {
    call: Call,
    attempts: u32,
}

/// The end of a connection.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// After what was accepted.
    Graceful,
    /// At once.
    Abrupt(Reason),
}

/// Returns the body of a request or of its response. Each part of it is different.
pub fn content(id: u32, size: u32) -> Vec<u8> {
    let mut state = u64::from(id).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut text = Vec::with_capacity(size as usize);
    while text.len() < size as usize {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = format!("{:x} ", state >> 40);
        text.extend_from_slice(word.as_bytes());
    }
    text.truncate(size as usize);
    text
}

impl Server {
    /// Makes a server.
    pub fn new(setup: Setup, recorder: &Recorder) -> Self {
        Self { setup, recorder: recorder.clone(), requests: Arc::default() }
    }

    /// Makes a request known.
    pub fn expect(&self, id: u32, call: Call) {
        let known = Known { call, attempts: 0 };
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).insert(id, known);
    }

    /// Serves a connection until it ends.
    pub async fn serve(self, stream: DuplexStream, connection: u32, mut ends: mpsc::UnboundedReceiver<End>) {
        let mut builder = h2::server::Builder::new();
        builder.max_concurrent_streams(self.setup.streams).initial_window_size(self.setup.server_window);
        let Ok(mut serving) = builder.handshake::<_, Bytes>(stream).await else { return };
        loop {
            let accepted = tokio::select! {
                biased;
                Some(end) = ends.recv() => {
                    match end {
                        End::Graceful => serving.graceful_shutdown(),
                        End::Abrupt(reason) => serving.abrupt_shutdown(reason),
                    }
                    continue;
                }
                accepted = serving.accept() => accepted,
            };
            let Some(Ok((request, respond))) = accepted else { return };
            tokio::spawn(self.clone().handle(connection, request, respond));
        }
    }

    async fn handle(self, connection: u32, request: Request<RecvStream>, mut respond: SendResponse<Bytes>) {
        let path = request.uri().path();
        if path.starts_with("/api") {
            return watch(respond).await;
        }
        let Some(id) = path.rsplit('/').next().and_then(|id| id.parse().ok()) else {
            return respond.send_reset(Reason::INTERNAL_ERROR);
        };
        let known = {
            let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
            requests.get_mut(&id).map(|known| {
                known.attempts += 1;
                (known.call.clone(), known.attempts)
            })
        };
        let Some((call, attempt)) = known else { return respond.send_reset(Reason::INTERNAL_ERROR) };
        let answer = Fate::Answer { delay: 0, length: true, gzip: false, pause: 0 };
        let place = usize::try_from(attempt - 1).unwrap_or(usize::MAX);
        let fate = call.fates.get(place).copied().unwrap_or(answer);
        self.recorder.record(Fact::Attempt { id, attempt, connection, fate });
        let attempt = Attempt { server: self, id, number: attempt, call };
        // A stream that the client or the connection ends needs no answer.
        let _ = attempt.carry_out(fate, request, &mut respond).await;
    }
}

/// An attempt of a request.
struct Attempt {
    server: Server,
    id: u32,
    number: u32,
    call: Call,
}

impl Attempt {
    async fn carry_out(
        &self,
        fate: Fate,
        request: Request<RecvStream>,
        respond: &mut SendResponse<Bytes>,
    ) -> Result<(), h2::Error> {
        let accepts_gzip =
            request.headers().get("accept-encoding").is_some_and(|encodings| encodings == "gzip");
        match fate {
            Fate::Refuse => {
                respond.send_reset(Reason::REFUSED_STREAM);
                return Ok(());
            }
            Fate::Throttle => return self.refuse(StatusCode::TOO_MANY_REQUESTS, respond),
            Fate::Unavailable { effect: false } => {
                return self.refuse(StatusCode::SERVICE_UNAVAILABLE, respond);
            }
            Fate::Early => {
                // The body of the request is never read. Dropping it resets the stream, after the end of the response.
                self.effect();
                let mut body = self.head(true, None, respond)?;
                self.send(&mut body, &self.download(), 0).await?;
                return body.send_data(Bytes::new(), true);
            }
            _ => {}
        }
        self.upload(request.into_body()).await?;
        if let Fate::Answer { delay, .. } = fate {
            tokio::time::sleep(Duration::from_millis(delay.into())).await;
        }
        self.effect();
        match fate {
            Fate::Answer { length, gzip, pause, .. } => {
                let whole = self.download();
                let packed = (gzip && accepts_gzip).then(|| compressed(&whole));
                let encoding = packed.as_ref().map(|_| "gzip");
                let whole = packed.unwrap_or(whole);
                let mut head = Response::builder().header("content-type", "application/json");
                if length {
                    head = head.header("content-length", whole.len());
                }
                if let Some(encoding) = encoding {
                    head = head.header("content-encoding", encoding);
                }
                let mut body = self.answer(head, respond)?;
                self.send(&mut body, &whole, pause).await?;
                body.send_data(Bytes::new(), true)
            }
            Fate::Unavailable { .. } => self.refuse(StatusCode::SERVICE_UNAVAILABLE, respond),
            Fate::Reset(place) => {
                respond.send_reset(error(place));
                Ok(())
            }
            Fate::Break { error: place, after, length } => {
                let whole = self.download();
                let mut body = self.head(length, Some(whole.len()), respond)?;
                let after = usize::try_from(after).unwrap_or(usize::MAX).min(whole.len());
                self.send(&mut body, &whole[..after], 0).await?;
                body.send_reset(error(place));
                Ok(())
            }
            Fate::Hang => {
                // Until the client gives up.
                poll_fn(|cx| respond.poll_reset(cx)).await.map(drop)
            }
            Fate::Refuse | Fate::Throttle | Fate::Early => Ok(()),
        }
    }

    fn effect(&self) {
        self.server.recorder.record(Fact::Effect { id: self.id, attempt: self.number });
    }

    fn download(&self) -> Vec<u8> {
        content(self.id, self.call.download)
    }

    /// Reads the body of the request.
    async fn upload(&self, mut body: RecvStream) -> Result<(), h2::Error> {
        let mut got = Vec::new();
        while let Some(data) = body.data().await {
            let data = data?;
            body.flow_control().release_capacity(data.len())?;
            got.extend_from_slice(&data);
        }
        if got != content(self.id, self.call.upload) {
            let bytes = u64::try_from(got.len()).unwrap_or(u64::MAX);
            self.server.recorder.record(Fact::WrongUpload { id: self.id, bytes });
        }
        Ok(())
    }

    fn head(
        &self,
        length: bool,
        size: Option<usize>,
        respond: &mut SendResponse<Bytes>,
    ) -> Result<SendStream<Bytes>, h2::Error> {
        let mut head = Response::builder().header("content-type", "application/json");
        if length {
            let size = size.unwrap_or(usize::try_from(self.call.download).unwrap_or(usize::MAX));
            head = head.header("content-length", size);
        }
        self.answer(head, respond)
    }

    fn answer(
        &self,
        head: http::response::Builder,
        respond: &mut SendResponse<Bytes>,
    ) -> Result<SendStream<Bytes>, h2::Error> {
        let head = head.body(()).unwrap_or_default();
        let (id, attempt, status) = (self.id, self.number, head.status().as_u16());
        let body = respond.send_response(head, false)?;
        self.server.recorder.record(Fact::Answered { id, attempt, status });
        Ok(body)
    }

    fn refuse(&self, status: StatusCode, respond: &mut SendResponse<Bytes>) -> Result<(), h2::Error> {
        let head = Response::builder().status(status).header("retry-after", HeaderValue::from_static("1"));
        let mut body = self.answer(head.header("content-type", "text/plain"), respond)?;
        body.send_data(Bytes::from_static(b"not now"), true)
    }

    /// Sends a part of a body, as fast as the client reads it.
    async fn send(&self, body: &mut SendStream<Bytes>, bytes: &[u8], pause: u16) -> Result<(), h2::Error> {
        for part in bytes.chunks(PART) {
            if pause > 0 {
                tokio::time::sleep(Duration::from_millis(pause.into())).await;
            }
            send_part(body, part).await?;
        }
        Ok(())
    }
}

async fn send_part(body: &mut SendStream<Bytes>, mut part: &[u8]) -> Result<(), h2::Error> {
    while !part.is_empty() {
        body.reserve_capacity(part.len());
        let Some(capacity) = poll_fn(|cx| body.poll_capacity(cx)).await else { return Ok(()) };
        let (now, later) = part.split_at(capacity?.min(part.len()));
        body.send_data(Bytes::copy_from_slice(now), false)?;
        part = later;
    }
    Ok(())
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    // Writing to memory can't fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// Answers a watch with an event every few seconds, until the stream ends.
async fn watch(mut respond: SendResponse<Bytes>) {
    let head = Response::builder().header("content-type", "application/json").body(()).unwrap_or_default();
    let Ok(mut body) = respond.send_response(head, false) else { return };
    for number in 0_u32.. {
        let version = number + 1;
        let event = format!(
            concat!(
                r#"{{"type":"ADDED","object":{{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","#,
                r#""metadata":{{"namespace":"default","name":"event-{number}","resourceVersion":"{version}"}}}}}}"#,
                "\n"
            ),
            number = number,
            version = version,
        );
        if send_part(&mut body, event.as_bytes()).await.is_err() {
            return;
        }
        // Ends with the stream, too.
        let ended = tokio::time::timeout(EVENT_EVERY, poll_fn(|cx| body.poll_reset(cx))).await;
        if ended.is_ok() {
            return;
        }
    }
}

/// Returns whether a request of this method may be carried out twice if the server has answered that it is unavailable.
pub fn is_idempotent(verb: Verb) -> bool {
    matches!(verb, Verb::Get | Verb::Put | Verb::Delete)
}
