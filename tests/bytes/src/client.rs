//! The client: requests and watches, each a task.

use std::collections::HashSet;
use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use client_rs_client::{Request, RestClient, Verb as RestVerb};
use client_rs_machinery::Object as _;
use client_rs_machinery::meta::v1::PartialObjectMetadata;
use client_rs_machinery::wire::WatchEvent;
use client_rs_transport::http::{
    Body, Dial, HttpOptions, Stream, Target, Transport, TransportBuilder, TransportError,
};
use fastrand::Rng;
use http_body_util::{BodyExt as _, Full};
use tokio::sync::mpsc;
use tower::ServiceExt as _;

use crate::history::{Fact, Outcome, Recorder};
use crate::plan::{Call, Reader, Setup, Verb};
use crate::server::{End, Server, content};
use crate::wire::Wire;

/// The address of the server.
const SERVER: &str = "http://server";
/// The time limit of a request of the REST client.
pub const LIMIT: Duration = Duration::from_secs(30);

/// Opens connections to the server.
pub struct Network {
    server: Server,
    setup: Setup,
    recorder: Recorder,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    random: Rng,
    door: Door,
    wires: Vec<(Wire, mpsc::UnboundedSender<End>)>,
    dialed: u32,
    /// The server's ends of silent connections.
    silent: Vec<tokio::io::DuplexStream>,
}

/// The fate of new connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// They are served.
    Open,
    /// They are refused.
    Refuses,
    /// They are silent.
    Mute,
}

impl Network {
    /// Makes a network without faults.
    pub fn new(server: Server, setup: Setup, recorder: &Recorder) -> Self {
        let state = State {
            random: Rng::with_seed(setup.seed),
            door: Door::Open,
            wires: Vec::new(),
            dialed: 0,
            silent: Vec::new(),
        };
        Self { server, setup, recorder: recorder.clone(), state: Mutex::new(state) }
    }

    /// Sets what happens to new connections.
    pub fn set_door(&self, door: Door) {
        self.state().door = door;
    }

    /// Returns one of the open connections.
    pub fn wire(&self, place: u8) -> Option<(Wire, mpsc::UnboundedSender<End>)> {
        let state = self.state();
        let open: Vec<_> = state.wires.iter().filter(|(wire, _)| wire.is_open()).collect();
        let place = usize::from(place).checked_rem(open.len())?;
        open.get(place).map(|(wire, ends)| (wire.clone(), ends.clone()))
    }

    /// The connections whose client's end is open.
    pub fn open(&self) -> usize {
        self.state().wires.iter().filter(|(wire, _)| !wire.is_closed()).count()
    }

    /// Ends the faults of all connections and of the door. Connections that stall may stay so. The server gives up connections
    /// that it has never served.
    pub fn heal(&self, stay_dead: bool) {
        let mut state = self.state();
        state.door = Door::Open;
        for (wire, _) in &state.wires {
            wire.heal(stay_dead);
        }
        state.silent.clear();
    }

    /// Cuts all connections.
    pub fn cut_all(&self) {
        for (wire, _) in &self.state().wires {
            wire.cut(false);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open_one(&self) -> io::Result<Stream> {
        let mut state = self.state();
        if state.door == Door::Refuses {
            drop(state);
            self.recorder.record(Fact::Dial { connection: None });
            return Err(io::Error::new(io::ErrorKind::ConnectionRefused, "connection refused"));
        }
        let number = state.dialed;
        state.dialed += 1;
        // A short pipe is slow enough.
        let most = if self.setup.pipe < 500 { 2 } else { 20 };
        let mut latency = || Duration::from_millis(state.random.u64(..most));
        let latency = [latency(), latency()];
        let pipe = usize::try_from(self.setup.pipe).unwrap_or(usize::MAX);
        let (wire, near, far) = Wire::new(number, pipe, latency, &self.recorder);
        let (sender, ends) = mpsc::unbounded_channel();
        if state.door == Door::Open {
            tokio::spawn(self.server.clone().serve(far, number, ends));
        } else {
            state.silent.push(far);
        }
        state.wires.push((wire, sender));
        drop(state);
        self.recorder.record(Fact::Dial { connection: Some(number) });
        Ok(Box::new(near))
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

/// A [`Dial`] over a network.
#[derive(Clone, Debug)]
struct Dialer(Arc<Network>);

impl Dial for Dialer {
    fn dial<'a>(
        &'a self,
        _: &'a str,
        _: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_millis(1)).await;
            self.0.open_one()
        })
    }
}

/// The client under test.
#[derive(Clone)]
pub struct Client {
    transport: Transport,
    rest: RestClient,
    recorder: Recorder,
    active: Arc<Mutex<HashSet<u32>>>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

impl Client {
    /// Makes a client over a network.
    pub fn new(network: &Arc<Network>, setup: Setup, recorder: &Recorder) -> anyhow::Result<Self> {
        let server = SERVER.parse()?;
        let options = HttpOptions::from_env(|_| None)
            .with_http2_without_tls(true)
            .with_stream_window(setup.client_window);
        let transport = TransportBuilder::new(Target::from_uri(&server)?)
            .dial(Arc::new(Dialer(Arc::clone(network))))
            .options(options)
            .build()?;
        let rest = RestClient::new(&server, transport.clone())?;
        Ok(Self { transport, rest, recorder: recorder.clone(), active: Arc::default() })
    }

    /// The open connections of the pool.
    pub fn pooled(&self) -> usize {
        self.transport.connections()
    }

    /// Requests and watches in progress.
    pub fn active(&self) -> usize {
        self.active.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Performs a request. Its outcome is recorded, also if it is dropped.
    pub async fn request(self, id: u32, call: Call) -> Outcome {
        let pauses = match call.reader {
            Reader::Eager | Reader::Cancel(_) => 0,
            // A frame has at least one byte, and usually far more.
            Reader::Slow(pause) => u64::from(pause) * (u64::from(call.download) / 500 + 50),
            Reader::Late(pause) => pause.into(),
        };
        let limit = call.rest.then(|| u64::try_from(LIMIT.as_millis()).unwrap_or(u64::MAX));
        self.recorder.record(Fact::Begin { id, verb: call.verb, limit, pauses });
        let mut ending = Ending { id, outcome: Outcome::None, active: Active::new(&self, id) };
        let work = async {
            let got =
                if call.rest { self.by_rest(id, &call).await } else { self.by_transport(id, &call).await };
            match got {
                Ok(body) => {
                    let same = body == content(id, call.download);
                    Outcome::Ok { same, bytes: u64::try_from(body.len()).unwrap_or(u64::MAX) }
                }
                Err(why) => Outcome::Failed { why },
            }
        };
        ending.outcome = match call.reader {
            Reader::Cancel(after) => {
                let limit = Duration::from_millis(after.into());
                tokio::time::timeout(limit, work).await.unwrap_or(Outcome::Cancelled)
            }
            _ => work.await,
        };
        ending.outcome.clone()
    }

    async fn by_rest(&self, id: u32, call: &Call) -> Result<Vec<u8>, String> {
        let verb = match call.verb {
            Verb::Get => RestVerb::Get,
            Verb::Post => RestVerb::Post,
            Verb::Put => RestVerb::Put,
            Verb::Patch => RestVerb::Patch,
            Verb::Delete => RestVerb::Delete,
        };
        let mut request = Request::new(verb).abs_path(["r", &id.to_string()]).timeout(LIMIT);
        if call.upload > 0 {
            request = request.body(content(id, call.upload));
        }
        let response = self.rest.send_raw(request).await.map_err(|error| error.to_string())?;
        Ok(response.body.to_vec())
    }

    async fn by_transport(&self, id: u32, call: &Call) -> Result<Vec<u8>, String> {
        let method = match call.verb {
            Verb::Get => http::Method::GET,
            Verb::Post => http::Method::POST,
            Verb::Put => http::Method::PUT,
            Verb::Patch => http::Method::PATCH,
            Verb::Delete => http::Method::DELETE,
        };
        let upload = Bytes::from(content(id, call.upload));
        let body = if call.streamed { Body::new(Full::new(upload)) } else { Body::from(upload) };
        let request = http::Request::builder().method(method).uri(format!("/r/{id}")).body(body);
        let request = request.map_err(|error| error.to_string())?;
        let text = |error: TransportError| error.to_string();
        let response = self.transport.clone().oneshot(request).await.map_err(text)?;
        if !response.status().is_success() {
            return Err(format!("status {}", response.status().as_u16()));
        }
        if let Reader::Late(pause) = call.reader {
            tokio::time::sleep(Duration::from_millis(pause.into())).await;
        }
        let (mut body, mut got) = (response.into_body(), Vec::new());
        while let Some(frame) = body.frame().await {
            if let Ok(data) = frame.map_err(text)?.into_data() {
                got.extend_from_slice(&data);
            }
            if let Reader::Slow(pause) = call.reader {
                tokio::time::sleep(Duration::from_millis(pause.into())).await;
            }
        }
        Ok(got)
    }

    /// Performs a watch until it ends.
    pub async fn watch(self, id: u32) {
        self.recorder.record(Fact::Watch { id });
        let _active = Active::new(&self, id);
        let why = self.events(id).await;
        self.recorder.record(Fact::Ended { id, why });
    }

    async fn events(&self, id: u32) -> String {
        let request =
            Request::get().api("", "v1").namespace("default").resource("configmaps").param("watch", "true");
        let mut watch = match self.rest.watch::<PartialObjectMetadata>(request).await {
            Ok(watch) => watch,
            Err(error) => return error.to_string(),
        };
        while let Some(event) = watch.next().await {
            match event {
                Ok(WatchEvent::Added(object)) => {
                    let number = object.name().strip_prefix("event-").and_then(|number| number.parse().ok());
                    self.recorder.record(Fact::Event { id, number: number.unwrap_or(u32::MAX) });
                }
                other => return format!("{other:?}"),
            }
        }
        watch.end().map_or_else(|| "without a reason".to_owned(), |end| format!("{end:?}"))
    }
}

/// Counts a request or a watch while it lives.
struct Active {
    client: Client,
    id: u32,
}

impl Active {
    fn new(client: &Client, id: u32) -> Self {
        client.active.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
        Self { client: client.clone(), id }
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        self.client.active.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

/// Records the outcome of a request when it ends or is dropped.
struct Ending {
    id: u32,
    outcome: Outcome,
    active: Active,
}

impl Drop for Ending {
    fn drop(&mut self) {
        let outcome = std::mem::replace(&mut self.outcome, Outcome::None);
        self.active.client.recorder.record(Fact::End { id: self.id, outcome });
    }
}
