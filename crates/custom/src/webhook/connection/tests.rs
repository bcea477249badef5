use std::path::Path;
use std::sync::atomic::AtomicUsize;

use client_rs_transport::serving::{ClientAuthority, ServingCertificate, server_config};
use client_rs_transport::tls::{Trust, client_config};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::task::JoinSet;
use tokio_rustls::client::TlsStream;

use super::*;

type Identity = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

/// A certificate authority.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    fn client(&self, name: &str) -> Identity {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        (vec![certificate.der().clone()], PrivateKeyDer::try_from(key.serialize_der()).unwrap())
    }
}

/// Connections over memory, to a server with one hook.
struct Scene {
    shared: Arc<Connections>,
    acceptor: TlsAcceptor,
    trusted: CertificateDer<'static>,
    stop: CancellationToken,
    served: JoinSet<()>,
}

impl Scene {
    fn new(hook: Hook, options: WebhookOptions, authority: Option<&Authority>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let write = |path: &Path, text: &str| std::fs::write(path, text).unwrap();
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        write(&at("tls.crt"), &made.cert.pem());
        write(&at("tls.key"), &made.signing_key.serialize_pem());
        let certificate = Arc::new(ServingCertificate::read(&at("tls.crt"), &at("tls.key")).unwrap());
        let clients = authority.map(|authority| {
            write(&at("ca.crt"), &authority.pem);
            Arc::new(ClientAuthority::read(&at("ca.crt"), options.client_names.clone()).unwrap())
        });
        let config = server_config(&certificate, clients.as_ref(), &[b"h2", b"http/1.1"]).unwrap();
        Self {
            shared: Arc::new(Connections::new([("/hook".to_owned(), hook)].into(), options)),
            acceptor: TlsAcceptor::from(Arc::new(config)),
            trusted: made.cert.der().clone(),
            stop: CancellationToken::new(),
            served: JoinSet::new(),
        }
    }

    async fn connect(&mut self, protocol: &[u8], identity: Option<&Identity>) -> TlsStream<DuplexStream> {
        let (ours, theirs) = tokio::io::duplex(64 << 10);
        let shared = Arc::clone(&self.shared);
        self.served.spawn(shared.serve(
            theirs,
            self.acceptor.clone(),
            Activity::new(Arc::default()),
            self.stop.clone(),
        ));
        let protocols = if protocol.is_empty() { vec![] } else { vec![protocol] };
        let identity = identity.map(|(chain, key)| (&chain[..], key));
        let config =
            client_config(&Trust::Only([self.trusted.clone()].into()), identity, &protocols).unwrap();
        let name = ServerName::try_from("localhost").unwrap();
        tokio_rustls::TlsConnector::from(Arc::new(config)).connect(name, ours).await.unwrap()
    }
}

fn echo() -> Hook {
    Hook::new(|bytes: Bytes| async move { Ok(bytes.to_vec()) })
}

/// Sends a POST over HTTP/1.1. Returns everything until the server closes; empty if it closes without a response.
async fn ask(stream: &mut TlsStream<DuplexStream>, body: &str) -> String {
    let length = body.len();
    let head =
        format!("POST /hook HTTP/1.1\r\nhost: x\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
    if stream.write_all(format!("{head}{body}").as_bytes()).await.is_err() {
        return String::new();
    }
    rest(stream).await
}

async fn rest(stream: &mut TlsStream<DuplexStream>) -> String {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

fn seconds(since: Instant) -> u64 {
    since.elapsed().as_secs()
}

#[tokio::test(start_paused = true)]
async fn a_client_that_sends_nothing_after_the_handshake_is_closed() {
    for protocol in [&b"h2"[..], b"http/1.1", b""] {
        let mut scene = Scene::new(echo(), WebhookOptions::default(), None);
        let start = Instant::now();
        let mut silent = scene.connect(protocol, None).await;
        // Other clients are served in the meantime.
        let mut other = scene.connect(b"http/1.1", None).await;
        assert!(ask(&mut other, "{}").await.starts_with("HTTP/1.1 200 OK"));
        assert_eq!(seconds(start), 0);
        rest(&mut silent).await;
        assert!((10..=11).contains(&seconds(start)), "{protocol:?}: {}", seconds(start));
        while scene.served.join_next().await.is_some() {}
    }
}

#[tokio::test(start_paused = true)]
async fn a_head_that_trickles_in_is_closed() {
    let mut scene = Scene::new(echo(), WebhookOptions::default(), None);
    let start = Instant::now();
    let mut slow = scene.connect(b"http/1.1", None).await;
    slow.write_all(b"POST /hook HTTP/1.1\r\n").await.unwrap();
    let mut sent = 0;
    while slow.write_all(b"x: y\r\n").await.is_ok() && slow.flush().await.is_ok() && sent < 100 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        sent += 1;
    }
    assert!(seconds(start) <= 13, "{}", seconds(start));
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_arrive_times_out() {
    let mut scene = Scene::new(echo(), WebhookOptions::default(), None);
    let start = Instant::now();
    let mut slow = scene.connect(b"http/1.1", None).await;
    slow.write_all(b"POST /hook HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{}").await.unwrap();
    let answer = rest(&mut slow).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!((10..=11).contains(&seconds(start)), "{}", seconds(start));
    while scene.served.join_next().await.is_some() {}
}

#[tokio::test(start_paused = true)]
async fn a_connection_without_requests_is_closed_and_one_with_them_is_not() {
    let options = WebhookOptions { idle_timeout: Duration::from_secs(20), ..WebhookOptions::default() };
    let hook = Hook::new(|bytes: Bytes| async move {
        tokio::time::sleep(Duration::from_secs(25)).await;
        Ok(bytes.to_vec())
    });
    let mut scene = Scene::new(hook, options, None);
    let start = Instant::now();
    let mut stream = scene.connect(b"http/1.1", None).await;
    stream.write_all(b"POST /hook HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}").await.unwrap();
    let answer = rest(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!((45..=46).contains(&seconds(start)), "{}", seconds(start));
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_does_not_return_times_out() {
    let mut scene = Scene::new(Hook::new(|_| std::future::pending()), WebhookOptions::default(), None);
    let mut stream = scene.connect(b"http/1.1", None).await;
    assert!(ask(&mut stream, "{}").await.starts_with("HTTP/1.1 504 "));
    let memory = WebhookOptions::default().memory;
    assert_eq!(scene.shared.memory.available_permits(), memory, "the memory is released");
}

#[tokio::test(start_paused = true)]
async fn reviews_of_all_streams_share_one_memory_budget() {
    const MEMORY: usize = 100_000;
    const BODY: usize = 40_000;
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let hook = Hook::new({
        let (now, most) = (Arc::clone(&now), Arc::clone(&most));
        move |bytes: Bytes| {
            let (now, most) = (Arc::clone(&now), Arc::clone(&most));
            async move {
                most.fetch_max(now.fetch_add(bytes.len(), Ordering::SeqCst) + bytes.len(), Ordering::SeqCst);
                tokio::time::sleep(Duration::from_secs(1)).await;
                now.fetch_sub(bytes.len(), Ordering::SeqCst);
                Ok(b"{}".to_vec())
            }
        }
    });
    let options = WebhookOptions { memory: MEMORY, max_body: 64_000, ..WebhookOptions::default() };
    let mut scene = Scene::new(hook, options, None);
    let stream = scene.connect(b"h2", None).await;
    let builder = hyper::client::conn::http2::Builder::new(TokioExecutor::new());
    let (sender, connection) = builder.handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    let mut asked = JoinSet::new();
    for _ in 0..201 {
        let mut sender = sender.clone();
        asked.spawn(async move {
            let body = Full::new(Bytes::from(vec![b' '; BODY]));
            let request = Request::post("https://x/hook").body(body).unwrap();
            sender.send_request(request).await.unwrap().status().as_u16()
        });
    }
    let mut codes = BTreeMap::<u16, usize>::new();
    while let Some(code) = asked.join_next().await {
        *codes.entry(code.unwrap()).or_default() += 1;
    }
    assert!(most.load(Ordering::SeqCst) <= MEMORY, "{most:?}");
    assert_eq!(codes.values().sum::<usize>(), 201);
    assert!(codes.get(&200).is_some_and(|answered| *answered >= 10), "{codes:?}");
    assert!(codes.keys().all(|code| [200, 408, 503].contains(code)), "{codes:?}");
    assert_eq!(scene.shared.memory.available_permits(), MEMORY, "all memory is released");
}

#[tokio::test(start_paused = true)]
async fn a_review_that_is_too_large_is_refused_before_it_is_read() {
    let options = WebhookOptions { max_body: 10, ..WebhookOptions::default() };
    let mut scene = Scene::new(echo(), options, None);
    let mut stream = scene.connect(b"http/1.1", None).await;
    stream
        .write_all(b"POST /hook HTTP/1.1\r\nhost: x\r\ncontent-length: 11\r\nconnection: close\r\n\r\n")
        .await
        .unwrap();
    assert!(rest(&mut stream).await.starts_with("HTTP/1.1 413 "));
    // Also without a content length.
    let mut stream = scene.connect(b"http/1.1", None).await;
    let request = "POST /hook HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\nb\r\n01234567890\r\n0\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    assert!(rest(&mut stream).await.starts_with("HTTP/1.1 413 "));
}

#[tokio::test(start_paused = true)]
async fn a_client_without_the_right_certificate_is_refused() {
    let (authority, other) = (Authority::new(), Authority::new());
    let options = WebhookOptions { client_names: vec!["apiserver".to_owned()], ..WebhookOptions::default() };
    let mut scene = Scene::new(echo(), options, Some(&authority));
    let right = authority.client("apiserver");
    for refused in [None, Some(other.client("apiserver")), Some(authority.client("somebody"))] {
        let mut stream = scene.connect(b"http/1.1", refused.as_ref()).await;
        assert_eq!(ask(&mut stream, "{}").await, "");
    }
    let mut stream = scene.connect(b"http/1.1", Some(&right)).await;
    assert!(ask(&mut stream, "{}").await.starts_with("HTTP/1.1 200 OK"));
    // Without names, the authority decides.
    let mut scene = Scene::new(echo(), WebhookOptions::default(), Some(&authority));
    let mut stream = scene.connect(b"http/1.1", Some(&authority.client("somebody"))).await;
    assert!(ask(&mut stream, "{}").await.starts_with("HTTP/1.1 200 OK"));
}
