//! HTTP to pods, services and nodes.

use std::net::Ipv4Addr;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use bytes::Bytes;
use client_rs_api::core::v1::{Node, Service};
use client_rs_client::proxy::{ProxyTarget, ProxyUpgrade};
use client_rs_client::{Api, Error, Verb};
use client_rs_machinery::wire::{Decoding, Format, Payload};
use client_rs_tests::{Backend as Server, KubeletOptions, Stage, eventually};
use client_rs_transport::http::Body;
use futures_util::{StreamExt, TryStreamExt};
use http::header::{CONTENT_TYPE, LOCATION, RETRY_AFTER, UPGRADE};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

use super::scene::{POD, Scene, hash, noise, on_kubelet};

/// Plays where the server passes requests on: kube-apiserver does so to no loopback address, and a machine may have no other.
async fn play<F>(stage: &Stage, play: F) -> Result<()>
where
    F: AsyncFnOnce(&Scene) -> Result<()>,
{
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        if stage.backend() == Server::Real && scene.kubelet.ip().is_loopback() {
            eprintln!("warning: this machine has no address that kube-apiserver passes anything on to");
            return Ok(());
        }
        play(scene).await
    })
    .await
}

/// An HTTP server that returns the request that it got. Ends with the handle.
struct Site {
    port: u16,
    _serving: AbortOnDropHandle<()>,
}

type Answer = Response<UnsyncBoxBody<Bytes, hyper::Error>>;

impl Site {
    async fn start(tls: bool) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).await?;
        let port = listener.local_addr()?.port();
        let acceptor = tls.then(acceptor).transpose()?;
        let serving = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                connections.spawn(async move {
                    let builder = hyper::server::conn::http1::Builder::new();
                    // A client that disconnects is not an error.
                    if let Some(acceptor) = acceptor {
                        let Ok(stream) = acceptor.accept(stream).await else { return };
                        let _ = builder.serve_connection(TokioIo::new(stream), service_fn(site)).await;
                    } else {
                        let serving = builder.serve_connection(TokioIo::new(stream), service_fn(site));
                        let _ = serving.with_upgrades().await;
                    }
                });
            }
        });
        Ok(Self { port, _serving: AbortOnDropHandle::new(serving) })
    }
}

fn acceptor() -> Result<tokio_rustls::TlsAcceptor> {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
    let key = rustls::pki_types::PrivateKeyDer::Pkcs8(made.signing_key.serialize_der().into());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)?;
    Ok(tokio_rustls::TlsAcceptor::from(Arc::new(config)))
}

async fn site(mut request: Request<Incoming>) -> Result<Answer, hyper::Error> {
    let full = |bytes: Vec<u8>| Full::new(Bytes::from(bytes)).map_err(|never| match never {}).boxed_unsync();
    let mut answer = Response::new(full(Vec::new()));
    match request.uri().path() {
        // The request body becomes the response body, chunk by chunk.
        "/echo" => *answer.body_mut() = request.into_body().boxed_unsync(),
        "/upgrade" => {
            let upgrading = hyper::upgrade::on(&mut request);
            tokio::spawn(async move {
                let Ok(upgraded) = upgrading.await else { return };
                let (mut read, mut write) = tokio::io::split(TokioIo::new(upgraded));
                let _ = tokio::io::copy(&mut read, &mut write).await;
                let _ = write.shutdown().await;
            });
            *answer.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
            for (name, value) in [("upgrade", "echo"), ("connection", "upgrade"), ("x-own", "here")] {
                answer.headers_mut().insert(name, http::HeaderValue::from_static(value));
            }
        }
        "/moved" => {
            *answer.status_mut() = StatusCode::FOUND;
            answer.headers_mut().insert(LOCATION, http::HeaderValue::from_static("/there?a=b"));
        }
        "/refused" => {
            *answer.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
            answer.headers_mut().insert(RETRY_AFTER, http::HeaderValue::from_static("0"));
            *answer.body_mut() = full(b"{\"error\": \"mine\"}".to_vec());
            answer.headers_mut().insert(CONTENT_TYPE, http::HeaderValue::from_static("application/json"));
        }
        _ => {
            let text = |name: &str| {
                let value = request.headers().get(name).and_then(|value| value.to_str().ok());
                value.map(str::to_owned)
            };
            let told = json!({
                "method": request.method().as_str(), "uri": request.uri().to_string(),
                "own": text("x-own"), "te": text("te"), "authorization": text("authorization"),
            });
            answer.headers_mut().insert("x-told", http::HeaderValue::from_static("yes"));
            *answer.body_mut() = full(told.to_string().into_bytes());
        }
    }
    Ok(answer)
}

async fn told(response: Response<Body>) -> Result<serde_json::Value> {
    ensure!(response.status() == StatusCode::OK, "{response:?}");
    ensure!(response.headers().contains_key("x-told"), "{response:?}");
    Ok(serde_json::from_slice(&response.into_body().bytes().await?)?)
}

pub(super) async fn passed_on(stage: &Stage) -> Result<()> {
    play(stage, async |scene: &Scene| {
        let nodes = Api::<Node>::cluster(&scene.client);
        let answer = nodes.proxy(scene.kubelet.node(), Verb::Get, "healthz").await?;
        ensure!(answer.body == "ok", "{answer:?}");
        let site = Site::start(false).await?;
        let pod = scene.pods.http(ProxyTarget::new(POD).port(site.port));
        for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS]
        {
            let request = pod.request(method.clone(), "/a b/ü/").query("c", "d e").query("c", "&");
            let answer =
                told(request.header("x-own".parse()?, "1").header("te".parse()?, "trailers").await?).await?;
            let expected = json!({
                "method": method.as_str(), "uri": "/a%20b/%C3%BC/?c=d+e&c=%26", "own": "1", "te": null,
                "authorization": null,
            });
            ensure!(answer == expected, "{answer}");
        }
        let head = pod.request(Method::HEAD, "/").await?;
        ensure!(head.headers().contains_key("x-told") && head.into_body().bytes().await?.is_empty());
        // Every response of the backend is a response; redirects are not followed.
        let answer = pod.get("/moved").await?;
        ensure!(
            answer.status() == StatusCode::FOUND && answer.headers()[LOCATION] == "/there?a=b",
            "{answer:?}"
        );
        let answer = pod.get("/refused").await?;
        ensure!(answer.status() == StatusCode::SERVICE_UNAVAILABLE, "{answer:?}");
        ensure!(answer.into_body().bytes().await? == "{\"error\": \"mine\"}");
        Ok(())
    })
    .await
}

pub(super) async fn streamed(stage: &Stage) -> Result<()> {
    play(stage, async |scene: &Scene| {
        let site = Site::start(false).await?;
        let pod = scene.pods.http(ProxyTarget::new(POD).port(site.port));
        // The echo arrives before the rest is sent: nobody waits for the whole body.
        let (sender, receiver) = mpsc::channel::<Bytes>(1);
        let chunks = futures_util::stream::unfold(receiver, async |mut receiver| {
            let chunk = receiver.recv().await?;
            Some((Ok::<_, std::io::Error>(Frame::data(chunk)), receiver))
        });
        let body = Body::new(StreamBody::new(chunks.boxed()));
        sender.send(Bytes::from_static(b"first")).await?;
        let answer = pod.post("/echo", body).await?;
        ensure!(answer.status() == StatusCode::OK, "{answer:?}");
        let mut back = answer.into_body().into_data_stream();
        let mut got = Vec::new();
        while got.len() < 5 {
            got.extend_from_slice(&back.try_next().await?.context("it has ended")?);
        }
        ensure!(got == b"first");
        let bytes = noise(20 * 1024 * 1024, 3);
        let expected = hash(&bytes);
        let sending = tokio::spawn(async move {
            for chunk in bytes.chunks(100_000) {
                sender.send(Bytes::copy_from_slice(chunk)).await?;
            }
            Ok::<_, anyhow::Error>(())
        });
        let mut got = Vec::new();
        while let Some(chunk) = back.try_next().await? {
            got.extend_from_slice(&chunk);
        }
        sending.await??;
        ensure!(hash(&got) == expected, "{} bytes came back", got.len());
        Ok(())
    })
    .await
}

pub(super) async fn upgraded(stage: &Stage) -> Result<()> {
    play(stage, async |scene: &Scene| {
        let site = Site::start(false).await?;
        let pod = scene.pods.http(ProxyTarget::new(POD).port(site.port));
        let request = |path: &str| Request::get(path).header(UPGRADE, "echo").body(());
        let (head, mut stream) = match pod.upgrade(request("/upgrade")?).await? {
            ProxyUpgrade::Switched(head, stream) => (head, stream.0),
            ProxyUpgrade::Refused(answer) => bail!("{answer:?}"),
        };
        let own = |headers: &HeaderMap| headers.get("x-own").is_some_and(|value| value == "here");
        ensure!(own(&head.headers), "{head:?}");
        stream.write_all(b"something else").await?;
        let mut back = [0; 14];
        stream.read_exact(&mut back).await?;
        ensure!(&back == b"something else");
        drop(stream);
        // A refusal is returned; a backend that ignores the upgrade is an error of the server.
        match pod.upgrade(request("/refused")?).await? {
            ProxyUpgrade::Refused(answer) => {
                ensure!(answer.status() == StatusCode::SERVICE_UNAVAILABLE, "{answer:?}");
            }
            ProxyUpgrade::Switched(head, _) => bail!("{head:?}"),
        }
        let plain = pod.upgrade(request("/plain")?).await;
        ensure!(matches!(&plain, Err(Error::Api { error, .. }) if error.code() == 500), "{plain:?}");
        Ok(())
    })
    .await
}

pub(super) async fn services(stage: &Stage) -> Result<()> {
    play(stage, async |scene: &Scene| {
        let (site, secret) = (Site::start(false).await?, Site::start(true).await?);
        let (client, namespace) = (&scene.client, scene.namespace.as_str());
        scene.kubelet.labelled_pod(client, namespace, "one", &["app"], &[("app", "site")]).await?;
        let services = Api::<Service>::namespaced(client, namespace);
        let make = async |name: &str, selector: &str, ports: serde_json::Value| {
            let service = json!({
                "apiVersion": "v1", "kind": "Service", "metadata": {"name": name},
                "spec": {"selector": {"app": selector}, "ports": ports},
            });
            let service = service.to_string();
            let service = Service::decode(Format::Json, service.as_bytes(), &mut Decoding::new())?;
            services.create(service).await?;
            Ok::<_, anyhow::Error>(())
        };
        make("single", "site", json!([{"port": 80, "targetPort": site.port}])).await?;
        let both = json!([
            {"name": "web", "port": 80, "targetPort": site.port},
            {"name": "secret", "port": 443, "targetPort": secret.port},
        ]);
        make("both", "site", both).await?;
        make("empty", "nobody", json!([{"port": 80}])).await?;
        for target in ["single", "single:80", "both:web", "both:80", "https:both:secret", "https:both:443"] {
            // Endpoints are written in their own time.
            let answer = eventually(target, async || {
                told(services.http(target).get("/a").query("b", "c").await?).await
            });
            let answer = answer.await?;
            ensure!(answer["uri"] == "/a?b=c", "{target}: {answer}");
        }
        // No endpoints, an unknown port, a port that needs a name, an unknown service: the server's own errors.
        for (target, code) in
            [("empty", 503), ("single:81", 503), ("both:none", 503), ("both", 503), ("none:80", 404)]
        {
            let refused = services.http(target).get("/").await;
            let as_expected = matches!(&refused, Err(Error::Api { error, .. }) if error.code() == code);
            ensure!(as_expected, "{target}: {refused:?}");
        }
        let refused = services.http("ftp:single:80").get("/").await;
        ensure!(matches!(&refused, Err(Error::Api { error, .. }) if error.code() == 400), "{refused:?}");
        Ok(())
    })
    .await
}

pub(super) async fn unreachable(stage: &Stage) -> Result<()> {
    play(stage, async |scene: &Scene| {
        let closed = {
            let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).await?;
            listener.local_addr()?.port()
        };
        let code = |answer: &Result<Response<Body>, Error>| match answer {
            Err(Error::Api { error, .. }) => error.code(),
            _ => 0,
        };
        let refused = scene.pods.http(ProxyTarget::new(POD).port(closed)).get("/").await;
        ensure!(code(&refused) == 503, "{refused:?}");
        let raw = scene.pods.http(ProxyTarget::new(POD).port(closed)).every_answer().get("/").await?;
        ensure!(raw.status() == StatusCode::SERVICE_UNAVAILABLE, "{raw:?}");
        let gone = scene.pods.http("nobody:80").get("/").await;
        ensure!(code(&gone) == 404, "{gone:?}");
        let nodes = Api::<Node>::cluster(&scene.client);
        let gone = nodes.http("nobody").get("/healthz").await;
        ensure!(code(&gone) == 404, "{gone:?}");
        // The node's own response, even though it is an error.
        let answer = nodes.http(scene.kubelet.node()).get("/no/such/path").await?;
        ensure!(answer.status() == StatusCode::NOT_FOUND, "{answer:?}");
        let text = answer.into_body().bytes().await?;
        ensure!(text == "404 page not found\n", "{text:?}");
        Ok(())
    })
    .await
}
