//! [`Served`]: the endpoint from which `krs record` reads.
//!
//! The reader chooses the name of its session and says how many bytes it has. So a response that was lost is sent again. Each response has
//! at most about [`CHUNK`] bytes; one that is empty means that there is nothing yet. Nothing is done between two requests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use client_rs_transport::http::InProcess;
use http::{Method, Response, StatusCode, header};
use serde_json::Value;

use super::RecordingOptions;
use super::format::{Line, Target, What};
use super::hide::Hider;
use super::kept::{Copied, Exchange};
use super::writer::{Begun, Writer, hidden, without_values};
use crate::debug_page::query_parameter as parameter;

/// The bytes of a response, about.
const CHUNK: usize = 1 << 20;
/// The bytes of a page of a list, about.
const PAGE: usize = 128 << 10;

pub(super) struct Served {
    pub(super) writer: Arc<Writer>,
    options: RecordingOptions,
    reader: Mutex<Option<Reader>>,
    /// Ends with this.
    _server: InProcess,
}

/// The reader, and what it has.
struct Reader {
    session: String,
    number: u64,
    snapshot: Snapshot,
    /// The last response, and how many bytes came before it.
    sent: Bytes,
    at: u64,
}

/// The beginning of the recording: what there was.
struct Snapshot {
    header: Option<String>,
    exchanges: VecDeque<(u64, Exchange)>,
    collections: VecDeque<Copied>,
    hider: Arc<Hider>,
    has_values: bool,
}

type Refusal = (StatusCode, String);

impl Served {
    pub(super) fn new(writer: Arc<Writer>, options: RecordingOptions, server: InProcess) -> Self {
        Self { writer, options, reader: Mutex::default(), _server: server }
    }

    pub(super) fn answer(&self, request: &http::Request<()>) -> Response<Bytes> {
        let (status, body) = match self.read(request) {
            Ok(lines) => (StatusCode::OK, lines),
            Err((status, text)) => (status, (text + "\n").into()),
        };
        let mut response = Response::new(body);
        *response.status_mut() = status;
        let form = http::HeaderValue::from_static("text/plain; charset=utf-8");
        response.headers_mut().insert(header::CONTENT_TYPE, form);
        response
    }

    fn read(&self, request: &http::Request<()>) -> Result<Bytes, Refusal> {
        if request.method() != Method::GET {
            return Err((StatusCode::METHOD_NOT_ALLOWED, "only GET".to_owned()));
        }
        // A page of another site can't read the response, but must not begin a recording either.
        if request.headers().contains_key(header::ORIGIN) || request.headers().contains_key("sec-fetch-site")
        {
            return Err((StatusCode::FORBIDDEN, "not for browsers: use `krs record`".to_owned()));
        }
        let query = request.uri().query().unwrap_or_default();
        let is = |name: &str| parameter(query, name).as_deref() == Some("true");
        let at = parameter(query, "at").and_then(|at| at.parse::<u64>().ok());
        let (Some(session), Some(at)) = (parameter(query, "session"), at) else {
            let usage = "session=TEXT and at=BYTES are required; use `krs record`";
            return Err((StatusCode::BAD_REQUEST, usage.to_owned()));
        };
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        if reader.as_ref().is_none_or(|reader| reader.session != session) {
            if at > 0 {
                return Err((
                    StatusCode::GONE,
                    "the program has been restarted, or another recording has begun".to_owned(),
                ));
            }
            if self.writer.is_read() {
                return Err((StatusCode::CONFLICT, "another recording is in progress".to_owned()));
            }
            *reader = Some(self.begin(session, is("values"))?);
        }
        let Some(open) = reader.as_mut() else { return Ok(Bytes::new()) };
        if is("end") {
            *reader = None;
            // Lines in memory have no errors.
            let _ = self.writer.finish();
            return Ok(Bytes::new());
        }
        if at == open.at + open.sent.len() as u64 {
            open.sent = self.next(open)?;
            open.at = at;
        } else if at != open.at {
            return Err((
                StatusCode::CONFLICT,
                format!("the reader has {at} bytes, but {} were sent", open.at),
            ));
        }
        Ok(open.sent.clone())
    }

    fn begin(&self, session: String, values: bool) -> Result<Reader, Refusal> {
        if values && !self.options.values_on_request {
            let why = "this program does not permit values: its author has not set `RecordingOptions::values_on_request`";
            return Err((StatusCode::FORBIDDEN, why.to_owned()));
        }
        let begun = self.writer.begin(&self.options, values);
        let Begun { number, header, hider, collections, exchanges } =
            begun.map_err(|why| (StatusCode::INSUFFICIENT_STORAGE, why.to_owned()))?;
        let numbered = exchanges.into_iter().map(|exchange| (self.writer.next_request(), exchange));
        let snapshot = Snapshot {
            header: serde_json::to_string(&header).ok(),
            exchanges: numbered.collect(),
            collections: collections.into(),
            hider,
            has_values: values,
        };
        Ok(Reader { session, number, snapshot, sent: Bytes::new(), at: 0 })
    }

    /// The next lines.
    fn next(&self, reader: &mut Reader) -> Result<Bytes, Refusal> {
        let mut text = String::new();
        while text.len() < CHUNK && reader.snapshot.next(&mut text) {}
        if text.len() >= CHUNK {
            self.writer.is_asked();
            return Ok(text.into());
        }
        match self.writer.take(reader.number, CHUNK, &mut text) {
            Some(why) if text.is_empty() => Err((StatusCode::GONE, why.to_owned())),
            _ => Ok(text.into()),
        }
    }
}

impl Snapshot {
    /// Adds the next lines. Returns whether there were some.
    fn next(&mut self, text: &mut String) -> bool {
        if let Some(header) = self.header.take() {
            text.push_str(&header);
            text.push('\n');
        } else if let Some((request, exchange)) = self.exchanges.pop_front() {
            let Exchange { method, path, content, body, status, response } = exchange;
            let target = Target::parse(&path);
            let (run, versions) = (None, super::Versions::new());
            let body = self.hider.body(&target, &body);
            let sent =
                What::Request { request, run, method, path, content, body, versions: versions.clone() };
            self.line(sent, text);
            let (retry_after, body) = (String::new(), self.hider.body(&target, &response));
            self.line(What::Response { request, status, retry_after, body, versions }, text);
        } else if let Some(mut first) = self.collections.pop_front() {
            let (mut items, mut bytes) = (Vec::<Value>::new(), 0);
            while bytes < PAGE
                && let Some(object) = first.objects.pop()
            {
                bytes += object.len();
                items.push(hidden(&self.hider, &first.target, &object));
            }
            let (of, version, more) =
                (first.of.clone(), first.version.to_string(), !first.objects.is_empty());
            self.line(What::List { of, version, items, more }, text);
            if more {
                self.collections.push_front(first);
            }
        } else {
            return false;
        }
        true
    }

    fn line(&self, what: What, text: &mut String) {
        let what = if self.has_values { what } else { without_values(what) };
        if let Ok(line) = serde_json::to_string(&Line { at: 0, what }) {
            text.push_str(&line);
            text.push('\n');
        }
    }
}
