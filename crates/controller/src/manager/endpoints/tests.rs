use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use client_rs_cache::InformerFactory;
use client_rs_client::{RestClient, RestClientOptions};
use client_rs_transport::http::{Body, Target, Transport};
use client_rs_transport::tls::{Trust, client_config};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

use super::super::Manager;
use super::*;

fn answers() -> Arc<Answers> {
    let factory = InformerFactory::new();
    let manager = Manager::new(factory);
    // More than the buffer of a connection holds.
    let metrics: Arc<dyn Fn() -> String + Send + Sync> = Arc::new(|| "up 1\n".repeat(100_000));
    Arc::new(Answers { status: manager.status(), metrics: Some(metrics) })
}

fn site(endpoint: Endpoint) -> Site {
    Site { endpoint, answers: answers(), acceptor: None, access: None }
}

fn connect(site: Site) -> DuplexStream {
    let (ours, theirs) = tokio::io::duplex(4 << 10);
    tokio::spawn(Arc::new(site).serve(Box::new(theirs)));
    ours
}

async fn ask(mut stream: impl AsyncRead + AsyncWrite + Unpin, path: &str, token: &str) -> String {
    let token = if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n{token}connection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

/// The status code of a response.
fn code(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn each_listener_serves_only_its_own_paths() {
    let paths = ["/healthz", "/readyz", "/livez", "/metrics", "/debug/state"];
    for (endpoint, expected) in [
        (Endpoint::Health, ["200", "500", "200", "404", "404"]),
        (Endpoint::Metrics, ["404", "404", "404", "200", "404"]),
        (Endpoint::Debug, ["404", "404", "404", "404", "200"]),
    ] {
        for (path, expected) in paths.iter().zip(expected) {
            assert_eq!(code(&ask(connect(site(endpoint)), path, "").await), expected, "{endpoint:?} {path}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn paths_of_the_user_are_served_on_their_listener_and_are_protected_like_the_others() {
    let manager = Manager::new(InformerFactory::new()).metrics_handler(
        "/mine",
        |request: http::Request<()>| async move {
            let mut answer = http::Response::new(format!("{} {}", request.method(), request.uri()));
            *answer.status_mut() = http::StatusCode::ACCEPTED;
            answer
        },
    );
    let answers = Arc::new(Answers { status: manager.status(), metrics: None });
    let site = |endpoint| Site { endpoint, answers: Arc::clone(&answers), acceptor: None, access: None };
    let answer = ask(connect(site(Endpoint::Metrics)), "/mine/?a=1", "").await;
    assert!(code(&answer) == "202" && answer.ends_with("GET /mine/?a=1"), "{answer}");
    for endpoint in [Endpoint::Health, Endpoint::Debug] {
        assert_eq!(code(&ask(connect(site(endpoint)), "/mine", "").await), "404", "{endpoint:?}");
    }
    assert_eq!(code(&ask(connect(site(Endpoint::Metrics)), "/mine/more", "").await), "404");
}

#[tokio::test(start_paused = true)]
async fn the_page_has_a_policy_and_a_foreign_host_gets_nothing() {
    let page = ask(connect(site(Endpoint::Debug)), "/debug/", "").await;
    assert_eq!(code(&page), "200");
    assert!(page.contains("content-security-policy: default-src 'none'; script-src 'sha256-"), "{page}");
    assert!(page.contains("<title>Controllers</title>"));
    for (endpoint, expected) in [(Endpoint::Debug, "421"), (Endpoint::Health, "200")] {
        let mut stream = connect(site(endpoint));
        let path = if endpoint == Endpoint::Debug { "/debug/state" } else { "/healthz" };
        let request = format!("GET {path} HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        assert_eq!(code(&String::from_utf8_lossy(&answer)), expected, "{endpoint:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_is_closed() {
    let start = Instant::now();
    let (mut ours, theirs) = tokio::io::duplex(4 << 10);
    let serving = tokio::spawn(Arc::new(site(Endpoint::Metrics)).serve(Box::new(theirs)));
    ours.write_all(b"GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    serving.await.unwrap();
    assert_eq!(start.elapsed(), LASTS_FOR);
}

#[tokio::test(start_paused = true)]
async fn a_connection_without_requests_or_with_endless_requests_is_closed() {
    let start = Instant::now();
    let (silent, theirs) = tokio::io::duplex(4 << 10);
    Arc::new(site(Endpoint::Health)).serve(Box::new(theirs)).await;
    assert!(start.elapsed() <= LASTS_FOR);
    drop(silent);
    let start = Instant::now();
    let (mut ours, theirs) = tokio::io::duplex(4 << 10);
    let serving = tokio::spawn(Arc::new(site(Endpoint::Health)).serve(Box::new(theirs)));
    let mut buffer = [0; 1024];
    loop {
        let sent = ours.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await;
        if sent.is_err() || !matches!(ours.read(&mut buffer).await, Ok(read) if read > 0) {
            break;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    serving.await.unwrap();
    assert!(start.elapsed() <= SERVED_FOR + Duration::from_secs(2), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_flood_of_connections_to_metrics_does_not_affect_probes() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let (address, health) =
        (listener.local_addr().unwrap(), TcpListener::bind(("127.0.0.1", 0)).await.unwrap());
    let probes = health.local_addr().unwrap();
    let serving = [
        tokio::spawn(accept(listener, Arc::new(site(Endpoint::Metrics)))),
        tokio::spawn(accept(health, Arc::new(site(Endpoint::Health)))),
    ];
    let mut flood = Vec::new();
    for _ in 0..CONNECTIONS_MAX + 10 {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        flood.push(stream);
    }
    let stream = tokio::net::TcpStream::connect(probes).await.unwrap();
    assert_eq!(code(&ask(stream, "/healthz", "").await), "200");
    // Metrics stay available too: the oldest connections were closed.
    let stream = tokio::net::TcpStream::connect(address).await.unwrap();
    assert_eq!(code(&ask(stream, "/metrics", "").await), "200");
    serving.iter().for_each(JoinHandle::abort);
}

#[tokio::test]
async fn the_oldest_connection_makes_room() {
    let (mut slots, mut tasks) = (Slots::default(), Vec::new());
    for _ in 0..=CONNECTIONS_MAX {
        let task = tokio::spawn(std::future::pending::<()>());
        slots.take(task.abort_handle());
        tasks.push(task);
    }
    let oldest = tasks.remove(0);
    assert!(oldest.await.unwrap_err().is_cancelled());
    assert!(tasks.iter().all(|task| !task.is_finished()));
    // A connection that has ended no longer takes a slot.
    tasks[5].abort();
    while !tasks[5].is_finished() {
        tokio::task::yield_now().await;
    }
    slots.take(tokio::spawn(std::future::pending::<()>()).abort_handle());
    assert_eq!(slots.0.len(), CONNECTIONS_MAX);
    tokio::task::yield_now().await;
    assert_eq!(tasks.iter().filter(|task| task.is_finished()).count(), 1);
}

/// An API server that knows one token, and counts the requests.
fn api_server(asked: &Arc<AtomicUsize>, seen: &Arc<Mutex<Vec<String>>>) -> RestClient {
    let (asked, seen) = (Arc::clone(asked), Arc::clone(seen));
    let service = tower::service_fn(move |request: http::Request<Body>| {
        let (asked, seen) = (Arc::clone(&asked), Arc::clone(&seen));
        async move {
            asked.fetch_add(1, Ordering::SeqCst);
            let path = request.uri().path().to_owned();
            let body = request.into_body().bytes().await?;
            let body: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
            let answer = if path.ends_with("tokenreviews") {
                let name = body["spec"]["token"].as_str().unwrap_or_default().strip_prefix("token-of-");
                serde_json::json!({
                    "apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": ""},
                    "status": {"authenticated": name.is_some(), "user": {"username": name.unwrap_or_default(), "groups": ["g"]}},
                })
            } else {
                let spec = &body["spec"];
                seen.lock()
                    .unwrap()
                    .push(format!("{} {} {}", spec["user"], spec["groups"], spec["nonResourceAttributes"]));
                let allowed =
                    spec["user"] == "prometheus" && spec["nonResourceAttributes"]["path"] == "/metrics";
                serde_json::json!({
                    "apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": {}, "status": {"allowed": allowed},
                })
            };
            let mut response = http::Response::new(Body::from(Bytes::from(answer.to_string())));
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            Ok::<_, client_rs_transport::http::TransportError>(response)
        }
    });
    let url = http::Uri::from_static("https://k8s.example");
    let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
    // The server above reads only JSON.
    let options = RestClientOptions::default().with_content_type("application/json");
    RestClient::with_options(&url, transport, options).unwrap()
}

#[tokio::test(start_paused = true)]
async fn metrics_are_served_only_to_users_that_the_api_server_authorizes() {
    let (asked, seen) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
    let access = AccessReview::new(api_server(&asked, &seen));
    let site = |endpoint| Site { access: Some(access.clone()), ..site(endpoint) };
    let metrics = |token: &'static str| ask(connect(site(Endpoint::Metrics)), "/metrics", token);
    assert_eq!(code(&metrics("").await), "401");
    assert_eq!(asked.load(Ordering::SeqCst), 0, "nobody has to be asked");
    assert_eq!(code(&metrics("rubbish").await), "401");
    assert_eq!(code(&metrics("token-of-jane").await), "403");
    assert_eq!(code(&metrics("token-of-prometheus").await), "200");
    assert_eq!(
        code(&ask(connect(site(Endpoint::Debug)), "/debug/state", "token-of-prometheus").await),
        "403"
    );
    assert_eq!(seen.lock().unwrap()[1], r#""prometheus" ["g"] {"path":"/metrics","verb":"get"}"#);
    let before = asked.load(Ordering::SeqCst);
    assert_eq!(code(&metrics("token-of-prometheus").await), "200");
    assert_eq!(asked.load(Ordering::SeqCst), before, "it is known");
    tokio::time::advance(Duration::from_secs(61)).await;
    assert_eq!(code(&metrics("token-of-prometheus").await), "200");
    assert_eq!(asked.load(Ordering::SeqCst), before + 2, "for a minute");
}

#[tokio::test]
async fn an_endpoint_with_a_certificate_speaks_tls() {
    let folder = tempfile::tempdir().unwrap();
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let tls = EndpointTls::in_folder(folder.path());
    std::fs::write(&tls.certificate, made.cert.pem()).unwrap();
    std::fs::write(&tls.key, made.signing_key.serialize_pem()).unwrap();
    let certificate = Arc::new(ServingCertificate::read(&tls.certificate, &tls.key).unwrap());
    let acceptor = TlsAcceptor::from(Arc::new(server_config(&certificate, None, &[b"http/1.1"]).unwrap()));
    let stream = connect(Site { acceptor: Some(acceptor), ..site(Endpoint::Metrics) });
    let config = client_config(&Trust::Only([made.cert.der().clone()].into()), None, &[]).unwrap();
    let connector = tokio_rustls::TlsConnector::from(Arc::new(config));
    let stream = connector.connect("localhost".try_into().unwrap(), stream).await.unwrap();
    assert_eq!(code(&ask(stream, "/metrics", "").await), "200");
}

#[tokio::test]
async fn unprotected_endpoints_are_refused_at_public_addresses() {
    let start = |options: ManagerOptions| async move {
        let factory = InformerFactory::new();
        let status = Manager::new(factory).status();
        Endpoints::start(&options, status).await.map(drop).map_err(|error| error.to_string())
    };
    let everywhere = Some(([0, 0, 0, 0], 0).into());
    let debug = ManagerOptions { debug_listen: everywhere, ..ManagerOptions::default() };
    assert!(start(debug).await.unwrap_err().contains("the state names objects"));
    let rest = api_server(&Arc::default(), &Arc::default());
    let clear = ManagerOptions {
        metrics_listen: everywhere,
        access: Some(AccessReview::new(rest)),
        ..ManagerOptions::default()
    };
    assert!(start(clear).await.unwrap_err().contains("clear text"));
    let own = ManagerOptions { debug_listen: Some(([127, 0, 0, 1], 0).into()), ..ManagerOptions::default() };
    assert_eq!(start(own).await, Ok(()));
    let files = ManagerOptions {
        metrics_listen: Some(([127, 0, 0, 1], 0).into()),
        tls: Some(EndpointTls::in_folder("/nowhere")),
        ..ManagerOptions::default()
    };
    assert!(start(files).await.unwrap_err().contains("can't read /nowhere/tls.crt"));
}
