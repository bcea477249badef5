//! Recordings: what the controllers of a program have seen and written, in a file, for a replay.
//!
//! A [`Recording`] stands between the clients of a program and the server. It writes down, line by line and in their order: the
//! lists and events that informers get, the runs of controllers with the versions of their caches, the requests of
//! each run, and the responses. The simulation crate replays the file: the same reconcile function, or a changed one, gets the same
//! caches, the same time and the same responses, and its writes are compared.
//!
//! ```
//! use client_rs_controller::recording::{Recording, RecordingOptions};
//! # use client_rs_api::core::v1::ConfigMap;
//! # use client_rs_controller::{Action, CancellationToken, Context, Controller, Manager, ReconcileError};
//! # use client_rs_informers::SharedInformerFactory;
//! # use client_rs_client::RestClient;
//! # use client_rs_machinery::ObjectKey;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("recording.jsonl");
//! # let server = client_rs_apiserver::Server::start_with(client_rs_apiserver::ServerOptions::default().with_listen(None)).await?;
//! # let uri = "http://docs-of-recordings".parse::<http::Uri>()?;
//! # let _way = client_rs_transport::http::InProcess::register(&uri, server.rest_client()?.transport().clone());
//! # let config = client_rs_transport::Config::new(uri);
//! # let stop = CancellationToken::new();
//! # stop.cancel();
//! // The password of a database is hidden like the values of Secrets.
//! let options = RecordingOptions::default().with_hidden(["databases.example.com:spec.password"]);
//! let recording = Recording::start(&config, &path, options)?;
//! // Build the manager with this config instead of the original one.
//! let factory = SharedInformerFactory::new(RestClient::from_config(recording.config())?);
//! let controller = Controller::new("maps", factory.informer_for::<ConfigMap>())
//!     .reconcile(|_: ObjectKey, _: Context| async { Ok::<_, ReconcileError>(Action::done()) });
//! Manager::new(&factory).controller(controller).run(stop).await?;
//! println!("{} runs", recording.finish()?.runs);
//! # Ok(())
//! # }
//! ```

mod format;
mod hide;
mod kept;
mod runs;
mod served;
mod tap;
mod writer;

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use client_rs_client::RestClientOptions;
use client_rs_transport::Config;
use client_rs_transport::http::{InProcess, Target as ServerTarget, Transport};
use http::Uri;

pub use self::format::{FORMAT, Header, Line, Target, Versions, What, collection};
pub use self::hide::Hider;
#[cfg(any(feature = "cluster", feature = "collections"))]
pub(crate) use self::runs::read;
#[doc(hidden)]
pub use self::runs::{CurrentRun, Direction, HeldGraph, RunStart, Seen, Tape, connect};
pub(crate) use self::runs::{Derived, is_connected, named, seen, tape_of};
use self::served::Served;
use self::tap::Tap;
use self::writer::Writer;

/// Numbers the servers of this module.
static SERVERS: AtomicU64 = AtomicU64::new(1);

client_rs_machinery::options! {
    /// The options of a [`Recording`].
    ///
    /// ```
    /// use client_rs_controller::recording::RecordingOptions;
    ///
    /// let options = RecordingOptions::default().with_max_bytes(64 << 20);
    /// assert!(options.hidden.is_empty());
    /// ```
    #[derive(Clone, Debug)]
    pub struct RecordingOptions {
        /// Fields whose values are hidden, in addition to Secrets and tokens: a resource, `:`, and a path, such as
        /// `databases.example.com:spec.password` or `configmaps:data`. All texts below the path are hidden.
        pub hidden: Vec<String> => with_hidden,
        /// The most bytes of the file. Then the recording ends, and the program continues. Default: 1 GiB.
        pub max_bytes: u64 => with_max_bytes,
        /// Of a recording [on request](Recording::on_request): whether a reader may have values. Without it there are keys and versions
        /// alone. Default: false.
        pub values_on_request: bool => with_values_on_request,
        /// Of a recording on request: the most bytes of objects that it keeps for the beginning of a recording. If the watched objects
        /// need more, nothing is kept, and a request for a recording is refused. Default: 256 MiB.
        pub kept_bytes: usize => with_kept_bytes,
        /// Of a recording on request: the most bytes of lines that wait for the reader. A reader that is slower loses the rest of the
        /// recording, which ends with a line that says so. Default: 16 MiB.
        pub buffered_bytes: usize => with_buffered_bytes,
    }
}

impl Default for RecordingOptions {
    fn default() -> Self {
        Self {
            hidden: Vec::new(),
            max_bytes: 1 << 30,
            values_on_request: false,
            kept_bytes: 256 << 20,
            buffered_bytes: 16 << 20,
        }
    }
}

/// The contents of a recording, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordingSummary {
    /// The number of runs.
    pub runs: u64,
    /// The bytes after the first line.
    pub bytes: u64,
    /// Whether the limit of the size was reached.
    pub is_full: bool,
}

/// A recording in progress.
///
/// - **What is recorded**: all requests of clients with its [`config`](Self::config), except Leases, Events, logs and other streams; and the
///   runs of all [`Controller`](crate::Controller)s and [`KeyedController`](crate::KeyedController)s whose informers use such clients.
/// - **Not recorded**: inputs of graphs that are not informers, such as files and channels.
/// - **Values**: whole objects. The values of Secrets, tokens and [named fields](RecordingOptions::hidden) are only there as hashes, with a
///   salt that is in the file: anyone who has the file can test a guess of a short value. Only the user can read the file.
/// - **Cost**: these clients request JSON instead of protobuf. Each line is written to a buffered file when it happens, on the task of the
///   request, so a slow disk slows the program. Nothing is kept in memory but the line and, while a list is streamed, the list.
/// - **Errors** of the file end the recording, never the program: [`finish`](Self::finish) returns them.
/// - **Order**: a line comes after what caused it. The versions of the caches are those at the beginning of a run, during each read through a
///   `ClusterClient`, and before and after each request of the run; what else happens in between at the same moment has no order. The
///   state of a graph is that at the beginning of a run, and during each read of an `ApplySink` or a `StatusSink`.
pub struct Recording {
    config: Config,
    served: Arc<Served>,
}

impl Recording {
    /// Begins a recording. A file of this name is replaced.
    ///
    /// # Errors
    ///
    /// If the file can't be written, or the config or a hidden field is invalid.
    pub fn start(config: &Config, path: impl AsRef<Path>, options: RecordingOptions) -> io::Result<Self> {
        Self::with(config, Writer::create(path.as_ref(), &options)?, options)
    }

    /// Makes recordings when somebody asks for one, with `krs record`, at the debug listener of the manager:
    ///
    /// ```
    /// use client_rs_controller::recording::{Recording, RecordingOptions};
    /// # use client_rs_controller::{Manager, ManagerOptions};
    /// # use client_rs_client::RestClient;
    /// # use client_rs_informers::SharedInformerFactory;
    /// # fn example(config: &client_rs_transport::Config) -> Result<Manager, Box<dyn std::error::Error>> {
    /// let options = RecordingOptions::default().with_values_on_request(true);
    /// let recording = Recording::on_request(config, options)?;
    /// let factory = SharedInformerFactory::new(RestClient::from_config(recording.config())?);
    /// let options = ManagerOptions::default().with_debug_listen("127.0.0.1:8082".parse::<std::net::SocketAddr>()?);
    /// let manager = Manager::with_options(&factory, options).debug_handler("/debug/record", recording.handler());
    /// # Ok(manager)
    /// # }
    /// ```
    ///
    /// - A recording begins with the objects that the caches have, so it can begin at any time. Runs that are in progress then are left out.
    ///   State that your reconcile function keeps in memory itself is not in it.
    /// - **Values** are only given out if [`values_on_request`](RecordingOptions::values_on_request) permits it. Then everybody who can use the debug
    ///   listener can read what the controllers read, except secrets, which are hashed.
    /// - **One reader** at a time. Nothing waits for it; [`buffered_bytes`](RecordingOptions::buffered_bytes) says what happens if it is slow, and
    ///   after 30 seconds without a request its recording ends.
    /// - **Cost**: its clients request JSON instead of protobuf. With values permitted, each watched object is kept as JSON in addition to the cache,
    ///   up to [`kept_bytes`](RecordingOptions::kept_bytes); otherwise its key and version. Without a reader nothing else is done.
    ///
    /// # Errors
    ///
    /// If the config or a hidden field is invalid.
    pub fn on_request(config: &Config, options: RecordingOptions) -> io::Result<Self> {
        Self::with(config, Writer::on_request(&options)?, options)
    }

    fn with(config: &Config, writer: Writer, options: RecordingOptions) -> io::Result<Self> {
        let inner = Transport::from_config(config).map_err(io::Error::other)?;
        let writer = Arc::new(writer);
        let tap = Tap { inner, writer: Arc::clone(&writer) };
        let tape: Arc<dyn Tape> = writer.clone();
        let own = own_server(config, "recording")?;
        let transport = Transport::from_service(own.target, tap);
        let server = InProcess::register(&own.config.server, transport);
        connect(RestClientOptions::from_config(&own.config).server_id, &tape);
        Ok(Self { config: own.config, served: Arc::new(Served::new(writer, options, server)) })
    }

    /// The handler of `/debug/record`, from which `krs record` reads. It keeps the recording alive. It refuses if the recording goes to
    /// a file.
    pub fn handler(
        &self,
    ) -> impl Fn(http::Request<()>) -> std::future::Ready<http::Response<bytes::Bytes>>
    + Clone
    + Send
    + Sync
    + 'static {
        let served = Arc::clone(&self.served);
        move |request| std::future::ready(served.answer(&request))
    }

    /// The config for the clients of the program: that of the server, by way of the recording.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Ends the recording, and writes what is still in memory. One on request can be asked for again.
    ///
    /// # Errors
    ///
    /// The first error of the file.
    pub fn finish(&self) -> io::Result<RecordingSummary> {
        self.served.writer.finish()
    }
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording").field("server", &self.config.server).finish_non_exhaustive()
    }
}

/// A server of this process with an address of its own.
#[doc(hidden)]
#[derive(Debug)]
#[allow(clippy::exhaustive_structs, reason = "a pair")]
pub struct OwnServer {
    /// The config of its clients. It has no credentials.
    pub config: Config,
    /// Its address.
    pub target: ServerTarget,
}

/// Makes up an address, with the other settings of a config.
///
/// # Errors
///
/// Never, with a name that may be part of a host name.
#[doc(hidden)]
pub fn own_server(config: &Config, name: &str) -> io::Result<OwnServer> {
    let host = format!("{name}-{}.client-rs.invalid", SERVERS.fetch_add(1, Ordering::Relaxed));
    let uri = format!("http://{host}").parse::<Uri>().map_err(io::Error::other)?;
    let config = config.anonymous().with_server(uri).with_content_type("application/json");
    let target = ServerTarget { host, port: 80, tls: false, server_name: None };
    Ok(OwnServer { config, target })
}
