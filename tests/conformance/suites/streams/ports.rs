//! Connections to ports.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, ensure};
use client_rs_api::core::v1::Service;
use client_rs_client::Api;
use client_rs_client::streams::{ForwardTarget, ForwardedPort, Forwarder, ForwarderError, PortError};
use client_rs_machinery::wire::{Decoding, Format, Payload};
use client_rs_tests::{KubeletOptions, Stage};
use serde_json::json;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::scene::{POD, Scene, hash, noise, on_kubelet};

/// A server that echoes its input until the end of the stream. Ends with the handle.
pub(super) struct Echo {
    pub(super) port: u16,
    accepted: Arc<AtomicUsize>,
    serving: tokio::task::JoinHandle<()>,
}

impl Echo {
    pub(super) async fn start() -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        let accepted = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&accepted);
        let serving = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(async move {
                    let (mut read, mut write) = stream.split();
                    let _ = tokio::io::copy(&mut read, &mut write).await;
                    let _ = write.shutdown().await;
                });
            }
        });
        Ok(Self { port, accepted, serving })
    }

    /// How many connections it has taken.
    fn accepted(&self) -> usize {
        self.accepted.load(Ordering::SeqCst)
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

pub(super) async fn there_and_back<S>(stream: S, length: usize, seed: u64) -> Result<()>
where
    S: AsyncRead + AsyncWrite + Send + 'static,
{
    let bytes = noise(length, seed);
    let expected = hash(&bytes);
    let (mut read, mut write) = tokio::io::split(stream);
    let writing = tokio::spawn(async move {
        write.write_all(&bytes).await?;
        write.shutdown().await?;
        Ok::<_, std::io::Error>(write)
    });
    let mut got = Vec::with_capacity(length);
    read.read_to_end(&mut got).await?;
    writing.await??;
    ensure!(got.len() == length && hash(&got) == expected, "{} bytes of {length} came back", got.len());
    Ok(())
}

pub(super) async fn megabytes(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let echo = Echo::start().await?;
        let forward = scene.pods.port_forward(POD).await?;
        ensure!(forward.is_tunnelled(), "{forward:?}");
        there_and_back(forward.connect(echo.port).await?, 100 * 1024 * 1024, 2).await?;
        client_rs_tests::eventually("its streams are gone", || async {
            ensure!(forward.streams() == 0, "{forward:?}");
            Ok(())
        })
        .await
    })
    .await
}

pub(super) async fn spdy(stage: &Stage) -> Result<()> {
    let options = KubeletOptions { takes_websocket: false, ..KubeletOptions::default() };
    on_kubelet(stage, options, async |scene: &Scene| {
        let echo = Echo::start().await?;
        let forward = scene.pods.port_forward(POD).await?;
        ensure!(!forward.is_tunnelled(), "{forward:?}");
        there_and_back(forward.connect(echo.port).await?, 3_000_000, 2).await
    })
    .await
}

pub(super) async fn half_closed(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let forward = scene.pods.port_forward(POD).await?;
        let mut near = forward.connect(listener.local_addr()?.port()).await?;
        let (mut far, _) = listener.accept().await?;
        // The far side has sent everything, and this side sees its end; it still reads.
        far.write_all(b"all").await?;
        far.shutdown().await?;
        let mut said = String::new();
        near.read_to_string(&mut said).await?;
        ensure!(said == "all", "{said:?}");
        near.write_all(b"more").await?;
        near.shutdown().await?;
        let mut heard = String::new();
        far.read_to_string(&mut heard).await?;
        ensure!(heard == "more", "{heard:?}");
        Ok(())
    })
    .await
}

fn port(remote: u16) -> ForwardedPort {
    ForwardedPort { local: 0, remote }
}

fn local(forwarder: &Forwarder, index: usize) -> Result<SocketAddr> {
    forwarder.ports()[index].local.first().copied().context("it listens nowhere")
}

pub(super) async fn fifty(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let echo = Echo::start().await?;
        let target = ForwardTarget::Pod(POD.into());
        let forwarder = Forwarder::start(&scene.pods, target, &[port(echo.port)]).await?;
        let address = local(&forwarder, 0)?;
        let mut all = tokio::task::JoinSet::new();
        for number in 0..50 {
            all.spawn(
                async move { there_and_back(TcpStream::connect(address).await?, 200_000, number).await },
            );
        }
        while let Some(done) = all.join_next().await {
            done??;
        }
        drop(forwarder);
        client_rs_tests::eventually("nobody listens any more", || async {
            ensure!(TcpStream::connect(address).await.is_err(), "{address} is open");
            Ok(())
        })
        .await
    })
    .await
}

pub(super) async fn silent(stage: &Stage) -> Result<()> {
    const CONNECTIONS: usize = 5;
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let echo = Echo::start().await?;
        let target = ForwardTarget::Pod(POD.into());
        let forwarder = Forwarder::start(&scene.pods, target, &[port(echo.port)]).await?;
        let address = local(&forwarder, 0)?;
        let mut connections = Vec::new();
        for _ in 0..CONNECTIONS {
            connections.push(TcpStream::connect(address).await?);
        }
        for ways in 1..=3 {
            client_rs_tests::eventually("each leads to the pod", || async {
                ensure!(echo.accepted() == ways * CONNECTIONS, "{} were made", echo.accepted());
                Ok(())
            })
            .await?;
            if ways < 3 {
                scene.kubelet.cut_forwards();
            }
        }
        for (seed, connection) in (0..).zip(connections) {
            there_and_back(connection, 50_000, seed).await?;
        }
        Ok(())
    })
    .await
}

pub(super) async fn nobody(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let echo = Echo::start().await?;
        let closed = {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            listener.local_addr()?.port()
        };
        let forward = scene.pods.port_forward(POD).await?;
        let mut stream = forward.connect(closed).await?;
        let error = stream.read(&mut [0]).await.err().context("nobody listens")?;
        let told = error.get_ref().and_then(|inner| inner.downcast_ref::<PortError>());
        ensure!(matches!(told, Some(PortError::Remote { port, .. }) if *port == closed), "{error:?}");
        // As a listener: the other port stays open.
        let target = ForwardTarget::Pod(POD.into());
        let ports = [port(closed), port(echo.port)];
        let mut forwarder = Forwarder::start(&scene.pods, target, &ports).await?;
        // It may be closed before this side has seen it open.
        let read = match TcpStream::connect(local(&forwarder, 0)?).await {
            Ok(mut refused) => refused.read(&mut [0]).await,
            Err(error) => Err(error),
        };
        ensure!(matches!(read, Err(_) | Ok(0)), "{read:?}");
        let error = forwarder.next_error().await;
        ensure!(matches!(error, Some(ForwarderError::Port(PortError::Remote { .. }))), "{error:?}");
        there_and_back(TcpStream::connect(local(&forwarder, 1)?).await?, 100_000, 3).await
    })
    .await
}

pub(super) async fn replaced(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let echo = Echo::start().await?;
        let (client, namespace) = (&scene.client, scene.namespace.as_str());
        let labels = [("app", "echo")];
        scene.kubelet.labelled_pod(client, namespace, "one", &["app"], &labels).await?;
        let service = json!({
            "apiVersion": "v1", "kind": "Service", "metadata": {"name": "echo"},
            "spec": {"selector": {"app": "echo"}, "ports": [{"port": 80, "targetPort": echo.port}]},
        });
        let service = Service::decode(Format::Json, service.to_string().as_bytes(), &mut Decoding::new())?;
        Api::<Service>::namespaced(client, namespace).create(service).await?;
        let target = ForwardTarget::Service("echo".into());
        let forwarder = Forwarder::start(&scene.pods, target, &[port(80)]).await?;
        let address = local(&forwarder, 0)?;
        there_and_back(TcpStream::connect(address).await?, 100_000, 4).await?;
        let asked = |pod: &str| {
            let path = format!("/portForward/{namespace}/{pod} ");
            scene.kubelet.asked().iter().filter(|line| line.contains(&path)).count()
        };
        ensure!((asked("one"), asked("two")) == (1, 0));
        scene.pods.delete("one").await?;
        scene.kubelet.until_gone(client, namespace, "one").await?;
        scene.kubelet.labelled_pod(client, namespace, "two", &["app"], &labels).await?;
        // The node cuts what leads to a pod that is gone.
        scene.kubelet.cut_forwards();
        client_rs_tests::eventually("the next connection reaches the next pod", || async {
            there_and_back(TcpStream::connect(address).await?, 100_000, 5).await?;
            ensure!(asked("two") == 1, "{:?}", scene.kubelet.asked());
            Ok(())
        })
        .await
    })
    .await
}
