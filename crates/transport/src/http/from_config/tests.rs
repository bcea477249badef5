use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use tower::ServiceExt as _;

use super::*;
use crate::Material;
use crate::auth::{AuthOptions, Impersonate};
use crate::http::testing::{Memory, Tls, tls_server};

fn config() -> Config {
    Config::new("https://cache.example:6443/base".parse().unwrap())
}

/// Whether two transports share their connections.
fn shared(one: &Transport, other: &Transport) -> bool {
    Arc::ptr_eq(one.pool().unwrap(), other.pool().unwrap())
}

#[test]
fn t3_8_01_equal_configs_share_a_transport_and_others_do_not() {
    let first = Transport::from_config(&config()).unwrap();
    let manners = Config {
        qps: 50.0,
        burst: 7,
        timeout: Some(Duration::from_secs(1)),
        user_agent: "other".into(),
        default_namespace: "other".into(),
        accept: Some("application/json".into()),
        ..config()
    };
    assert!(shared(&first, &Transport::from_config(&config()).unwrap()));
    assert!(shared(&first, &Transport::from_config(&manners).unwrap()));
    let data = |text: &'static str| Some(Material::Data(text.into()));
    let changes: [fn(&mut Config); 10] = [
        |config| config.server = "https://cache.example:6444".parse().unwrap(),
        |config| config.tls.insecure_skip_verify = true,
        |config| config.tls.server_name = Some("other".into()),
        |config| config.tls.ca = Some(Material::File("/ca".into())),
        |config| config.proxy = Some("http://proxy:1".parse().unwrap()),
        |config| config.proxy_ca = Some(Material::File("/ca".into())),
        |config| config.disable_compression = true,
        |config| config.auth.token = Some("token".into()),
        |config| config.auth.token_file = Some("/token".into()),
        |config| config.impersonate = Some(Impersonate { user: "other".into(), ..Impersonate::default() }),
    ];
    let mut others = vec![first];
    for (index, change) in changes.into_iter().enumerate() {
        let mut config = config();
        change(&mut config);
        let transport = Transport::from_config(&config).unwrap();
        assert!(others.iter().all(|other| !shared(&transport, other)), "{index}");
        assert!(shared(&transport, &Transport::from_config(&config).unwrap()), "{index}");
        others.push(transport);
    }
    for ca in [data("a"), data("b")] {
        let mut config = config();
        config.tls.ca = ca;
        let transport = Transport::from_config(&config).unwrap();
        assert!(others.iter().all(|other| !shared(&transport, other)));
        others.push(transport);
    }
}

#[test]
fn t3_8_05_and_t3_8_07_an_unused_transport_is_dropped_and_created_again() {
    let config = Config::new("https://dropped.example".parse().unwrap());
    let first = Transport::from_config(&config).unwrap();
    let gone = Arc::downgrade(first.pool().unwrap());
    // A layered transport keeps it alive too.
    let layered = first.clone().layer(tower::util::MapRequestLayer::new(|request: Request<Body>| request));
    drop(first);
    assert!(shared(&layered, &Transport::from_config(&config).unwrap()));
    drop(layered);
    assert!(gone.upgrade().is_none());
    let second = Transport::from_config(&config).unwrap();
    assert!(shared(&second, &Transport::from_config(&config).unwrap()));
}

#[test]
fn contradictions_are_refused() {
    let mut both = config();
    both.tls.insecure_skip_verify = true;
    both.tls.ca = Some(Material::Data("pem".into()));
    assert!(matches!(Transport::from_config(&both), Err(TransportError::Config(_))));
    let mut half = config();
    half.tls.client_key = Some(Material::Data("pem".into()));
    assert!(matches!(Transport::from_config(&half), Err(TransportError::Credentials(_))));
}

fn options(dial: &Arc<Memory>) -> TransportOptions {
    TransportOptions {
        http: HttpOptions::from_env(|_| None),
        dial: Some(Arc::clone(dial) as Arc<dyn Dial>),
        proxies: ProxyEnv::default(),
        ..TransportOptions::default()
    }
}

fn secured(tls: &Tls) -> Config {
    let mut config = Config::new("https://k8s.example:6443".parse().unwrap());
    config.tls.ca = Some(Material::Data(tls.authority_pem.clone().into()));
    config
}

async fn ask(transport: &Transport, body: &'static str) -> (StatusCode, String) {
    let request = Request::post("/").body(Body::from(body)).unwrap();
    let response = transport.clone().oneshot(request).await.unwrap();
    let status = response.status();
    (status, String::from_utf8(response.into_body().bytes().await.unwrap().to_vec()).unwrap())
}

#[tokio::test]
async fn requests_carry_credentials_and_impersonation() {
    let tls = tls_server(&["k8s.example"]);
    let server = tls.serve(|request: Request<Incoming>, _| {
        let header = |name| request.headers().get(name).map_or("", |value| value.to_str().unwrap());
        Response::new(Full::new(format!("{} {}", header("authorization"), header("impersonate-user")).into()))
    });
    let mut config = secured(&tls);
    config.auth = AuthOptions { token: Some("abc".into()), ..AuthOptions::default() };
    config.impersonate = Some(Impersonate { user: "jane".into(), ..Impersonate::default() });
    let transport = Transport::from_config_with(&config, options(&server)).unwrap();
    assert_eq!(ask(&transport, "").await, (StatusCode::OK, "Bearer abc jane".to_owned()));
    // Headers of a request do not change the impersonated user; an extension of the request does.
    let mut request = Request::post("/").header("impersonate-user", "joe").body(Body::empty()).unwrap();
    for expected in ["Bearer abc jane", "Bearer abc jack"] {
        let response = transport.clone().oneshot(request).await.unwrap();
        assert_eq!(response.into_body().bytes().await.unwrap(), expected);
        request = Request::post("/").header("impersonate-user", "joe").body(Body::empty()).unwrap();
        request.extensions_mut().insert(Impersonate { user: "jack".into(), ..Impersonate::default() });
    }
    assert!(!format!("{transport:?} {config:?}").contains("abc"));
}

#[tokio::test]
async fn a_credential_that_is_refused_is_replaced_once_and_the_request_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, "old").unwrap();
    let tls = tls_server(&["k8s.example"]);
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let server = tls.serve(move |request: Request<Incoming>, _| {
        count.fetch_add(1, Ordering::SeqCst);
        let good = request.headers()["authorization"] == "Bearer new";
        let mut response = Response::new(Full::new(Bytes::from_static(b"hello")));
        *response.status_mut() = if good { StatusCode::OK } else { StatusCode::UNAUTHORIZED };
        response
    });
    let mut config = secured(&tls);
    config.auth.token_file = Some(file.clone());
    let transport = Transport::from_config_with(&config, options(&server)).unwrap();
    // There is no other credential: one request, one response.
    assert_eq!(ask(&transport, "x").await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    std::fs::write(&file, "new").unwrap();
    assert_eq!(ask(&transport, "x").await, (StatusCode::OK, "hello".to_owned()));
    assert_eq!(asked.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn t3_9_16_a_new_client_certificate_closes_connections_and_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = (folder.path().join("tls.crt"), folder.path().join("tls.key"));
    let tls = tls_server(&["k8s.example"]);
    let write = || {
        let (chain, private) = tls.issue_pem();
        std::fs::write(&certificate, chain).unwrap();
        std::fs::write(&key, private).unwrap();
    };
    write();
    let server = tls.serve(|_, shown| Response::new(Full::new(shown.to_string().into())));
    let mut config = secured(&tls);
    config.tls.client_certificate = Some(Material::File(certificate.clone()));
    config.tls.client_key = Some(Material::File(key.clone()));
    let transport = Transport::from_config_with(&config, options(&server)).unwrap();
    assert_eq!(ask(&transport, "").await.1, "true");
    assert_eq!((ask(&transport, "").await.1.as_str(), server.dialed()), ("true", 1));
    write();
    // Advance to the next check of the files, which happens every five minutes.
    tokio::time::pause();
    tokio::time::sleep(Duration::from_secs(301)).await;
    tokio::time::resume();
    while transport.connections() > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!((ask(&transport, "").await.1.as_str(), server.dialed()), ("true", 2));
}

#[tokio::test]
async fn t3_8_12_new_authorities_mean_new_connections() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.crt");
    let (tls, other) = (tls_server(&["k8s.example"]), tls_server(&["k8s.example"]));
    std::fs::write(&file, &tls.authority_pem).unwrap();
    let server = tls.serve(|_, _| Response::new(Full::new(Bytes::from_static(b"hello"))));
    let mut config = secured(&tls);
    config.tls.ca = Some(Material::File(file.clone()));
    let transport = Transport::from_config_with(&config, options(&server)).unwrap();
    assert_eq!(ask(&transport, "").await.1, "hello");
    std::fs::write(&file, &other.authority_pem).unwrap();
    assert_eq!((ask(&transport, "").await.1.as_str(), server.dialed()), ("hello", 1));
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(301)).await;
    tokio::time::resume();
    let request = Request::get("/").body(Body::empty()).unwrap();
    let error = transport.clone().oneshot(request).await.unwrap_err();
    assert!(error.to_string().starts_with("the TLS handshake with k8s.example:6443 failed"), "{error}");
}

#[tokio::test]
async fn a_proxy_is_verified_for_itself_and_does_not_see_the_clients_certificate() {
    let (tls, proxy) = (tls_server(&["k8s.example"]), tls_server(&["proxy.example"]));
    let server = tls.serve(|_, shown| Response::new(Full::new(shown.to_string().into())));
    let shown = Arc::default();
    let way = proxy.proxy(&server, &shown);
    let (certificate, key) = tls.issue_pem();
    let mut config = secured(&tls);
    config.tls.client_certificate = Some(Material::Data(certificate.into()));
    config.tls.client_key = Some(Material::Data(key.into()));
    config.proxy = Some("https://me:hunter2@proxy.example:3128".parse().unwrap());
    config.proxy_ca = Some(Material::Data(proxy.authority_pem.clone().into()));
    let transport = Transport::from_config_with(&config, options(&way)).unwrap();
    assert_eq!(ask(&transport, "").await.1, "true", "the server sees the certificate");
    assert_eq!(*shown.lock().unwrap(), [false], "the proxy does not");

    // The server's authorities and its skipped verification do not apply to the proxy, which gets a password.
    let blind = |config: &mut Config| {
        config.tls.ca = None;
        config.tls.insecure_skip_verify = true;
    };
    let servers_ca = |config: &mut Config| {
        config.tls.ca = Some(Material::Data(proxy.authority_pem.clone().into()));
    };
    for change in [&blind as &dyn Fn(&mut Config), &servers_ca] {
        let mut config = config.clone();
        config.proxy_ca = None;
        change(&mut config);
        let transport = Transport::from_config_with(&config, options(&way)).unwrap();
        let request = Request::get("/").body(Body::empty()).unwrap();
        let error = transport.oneshot(request).await.unwrap_err().to_string();
        assert!(error.starts_with("the proxy https://proxy.example:3128 did not connect"), "{error}");
        assert!(!error.contains("hunter2"), "{error}");
    }
    assert_eq!(shown.lock().unwrap().len(), 1, "no handshake was completed");
}

#[test]
fn a_server_with_a_password_in_its_url_is_refused_and_not_shown() {
    let config = Config::new("https://me:hunter2@k8s.example".parse().unwrap());
    let error = Transport::from_config(&config).unwrap_err();
    assert!(!format!("{error} {error:?} {config:?}").contains("hunter2"), "{error}");
}

#[tokio::test]
async fn a_plain_server_gets_no_credentials() {
    let server = Memory::new(|stream| {
        let service = hyper::service::service_fn(|request: Request<Incoming>| async move {
            let known = request.headers().contains_key("authorization");
            let body = request.into_body().collect().await.unwrap().to_bytes();
            let text = format!("{known} {}", String::from_utf8_lossy(&body));
            Ok::<_, std::convert::Infallible>(Response::new(Full::new(Bytes::from(text))))
        });
        let stream = hyper_util::rt::TokioIo::new(stream);
        tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(stream, service));
    });
    let mut config = Config::new("http://k8s.example".parse().unwrap());
    config.auth.token = Some("abc".into());
    let transport = Transport::from_config_with(&config, options(&server)).unwrap();
    assert_eq!(ask(&transport, "body").await.1, "false body");
}

/// glibc keeps free blocks of up to 1,032 bytes at hand. Every request allocates its future.
#[tokio::test]
async fn the_future_of_a_request_fits_into_a_block_that_is_quick_to_allocate() {
    let base = Base::new(&config(), TransportOptions::default()).unwrap();
    let size = size_of_val(&base.send(Request::new(Body::empty())));
    assert!(size <= 1_032, "{size} bytes: box the ways that are rare");
}
