//! The servers that are attacked, each in a process of its own.

use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_apiserver::Server;
use client_rs_cache::InformerFactory;
use client_rs_controller::{Manager, ManagerOptions};
use client_rs_custom::webhook::{Admitted, Hook, Review, WebhookOptions, WebhookServer};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio_rustls::TlsConnector;
use tokio_util::sync::CancellationToken;

/// A server to attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Served {
    Embedded,
    Webhook,
    Manager,
}

impl Served {
    pub(crate) const ALL: [Self; 3] = [Self::Embedded, Self::Webhook, Self::Manager];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Embedded => "embedded server",
            Self::Webhook => "webhook server",
            Self::Manager => "manager's endpoints",
        }
    }

    /// A request that an honest client sends, without the empty line at its end.
    pub(crate) fn honest(self) -> &'static str {
        match self {
            Self::Embedded => "GET /api/v1/namespaces HTTP/1.1\r\nhost: 127.0.0.1\r\n",
            Self::Webhook => {
                "POST /validate HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n"
            }
            Self::Manager => "GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n",
        }
    }

    /// Its body.
    fn honest_body(self) -> &'static str {
        if self == Self::Webhook { "{}" } else { "" }
    }

    /// The path that takes a body, and its method.
    pub(crate) fn upload(self) -> &'static str {
        match self {
            Self::Embedded => "POST /api/v1/namespaces/default/configmaps",
            Self::Webhook => "POST /validate",
            Self::Manager => "POST /healthz",
        }
    }
}

/// Runs a server in this process until the standard input ends. Prints its address first, and the certificate's file.
pub(crate) async fn serve(kind: Served) -> Result<()> {
    let stop = CancellationToken::new();
    let mut running = tokio::task::JoinSet::new();
    let mut folder = None;
    match kind {
        Served::Embedded => {
            let server = Server::start().await?;
            println!("{}", server.url().context("the server listens nowhere")?.trim_start_matches("http://"));
            let stop = stop.clone();
            running.spawn(async move {
                stop.cancelled().await;
                server.shutdown().await;
            });
        }
        Served::Webhook => {
            let certificates = tempfile::tempdir()?;
            let pair = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
            let certificate = certificates.path().join("tls.crt");
            std::fs::write(&certificate, pair.cert.pem())?;
            std::fs::write(certificates.path().join("tls.key"), pair.signing_key.serialize_pem())?;
            let options = WebhookOptions::in_folder(certificates.path()).with_listen(([127, 0, 0, 1], 0));
            let hook = Hook::admission(|_: Review<ConfigMap>| async { Ok(Admitted::unchanged()) });
            let server = WebhookServer::bind(options).await?.route("/validate", hook);
            println!("{} {}", server.address(), certificate.display());
            folder = Some(certificates);
            let stop = stop.clone();
            running.spawn(async move {
                let _ = server.run(stop).await;
            });
        }
        Served::Manager => {
            // The manager does not report the port that it was given, so one is found first.
            let address = TcpListener::bind(("127.0.0.1", 0)).await?.local_addr()?;
            let options = ManagerOptions::default().with_health_listen(address);
            println!("{address}");
            let stop = stop.clone();
            running.spawn(async move {
                let _ = Manager::with_options(InformerFactory::new(), options).run(stop).await;
            });
        }
    }
    let mut rest = Vec::new();
    let _ = tokio::io::stdin().read_to_end(&mut rest).await;
    stop.cancel();
    let _ = tokio::time::timeout(Duration::from_secs(20), running.join_next()).await;
    drop(folder);
    Ok(())
}

/// A server in another process, and how to reach it.
pub(crate) struct Target {
    pub(crate) served: Served,
    pub(crate) process: Child,
    address: SocketAddr,
    tls: Option<TlsConnector>,
}

/// A connection of either kind.
pub(crate) trait Connection: AsyncRead + AsyncWrite + Unpin + Send {}

impl<C: AsyncRead + AsyncWrite + Unpin + Send> Connection for C {}

impl Target {
    /// Starts this program again as a server.
    pub(crate) async fn start(served: Served) -> Result<Self> {
        let name = clap::ValueEnum::to_possible_value(&served).context("a server without a name")?;
        let mut process = Command::new(std::env::current_exe()?)
            .args(["--serve", name.get_name()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("can't start the server's process")?;
        let output = process.stdout.take().context("no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).await?;
        let (address, certificate) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let address = address.parse().with_context(|| format!("{served:?} printed {line:?}"))?;
        let tls = if certificate.is_empty() { None } else { Some(connector(certificate)?) };
        let target = Self { served, process, address, tls };
        // A server that has just started may not listen yet.
        let honest = async {
            while target.honest().await.is_err() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), honest).await.context("the server does not answer")?;
        Ok(target)
    }

    /// The id of its process.
    pub(crate) fn id(&self) -> String {
        self.process.id().map_or_else(String::new, |id| id.to_string())
    }

    /// A TCP connection, without TLS.
    pub(crate) async fn plain(&self) -> Result<TcpStream> {
        Ok(TcpStream::connect(self.address).await?)
    }

    /// A connection on which requests can be sent: with TLS, if the server has it.
    pub(crate) async fn connect(&self, protocol: &[u8]) -> Result<Box<dyn Connection>> {
        let stream = self.plain().await?;
        let Some(tls) = &self.tls else { return Ok(Box::new(stream)) };
        let mut config = rustls::ClientConfig::clone(tls.config());
        config.alpn_protocols = vec![protocol.to_vec()];
        let name = ServerName::try_from("localhost")?;
        Ok(Box::new(TlsConnector::from(Arc::new(config)).connect(name, stream).await?))
    }

    /// An honest request, tried again when its connection breaks, as clients of servers with a limit of connections do.
    pub(crate) async fn honest(&self) -> Result<()> {
        const TRIES: usize = 5;
        for _ in 1..TRIES {
            if self.request().await.is_ok() {
                return Ok(());
            }
        }
        self.request().await
    }

    /// An honest request on a new connection. The webhook server refuses an empty review, which is a complete answer too.
    async fn request(&self) -> Result<()> {
        let mut stream = self.connect(b"http/1.1").await?;
        let (head, body) = (self.served.honest(), self.served.honest_body());
        stream.write_all(format!("{head}connection: close\r\n\r\n{body}").as_bytes()).await?;
        let mut answer = Vec::new();
        // A peer that closes TLS without saying so has answered all the same.
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8_lossy(&answer);
        let expected = if self.served == Served::Webhook { "HTTP/1.1 400" } else { "HTTP/1.1 200" };
        ensure!(answer.starts_with(expected), "an honest request got {:?}", answer.lines().next());
        Ok(())
    }
}

fn connector(certificate: &str) -> Result<TlsConnector> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(certificate)?)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}
