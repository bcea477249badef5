//! Odd objects, odd servers.

#![allow(clippy::similar_names, reason = "a stage and the state of what is on it")]

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_apiserver::{Effect, Fault, ServerOptions};
use client_rs_cache::{HandlerOptions, InformerOptions, SharedInformer};
use client_rs_kubernetes::informers::RestListWatch;
use client_rs_machinery::wire::{DecodeError, Decoding, Format, Payload};
use client_rs_machinery::{Metadata, Namespaced, Object, Resource, ResourceInfo, Str, verbs};
use client_rs_tests::{Cluster, Stage, eventually};

use super::history::History;
use super::scene::{Scene, cached};

/// A config map that does not decode once its value is `bad`.
#[derive(Debug)]
struct Picky(ConfigMap);

impl Picky {
    fn checked(object: ConfigMap) -> Result<Self, DecodeError> {
        match object.data.get("value").map(Str::as_str) {
            Some("bad") => Err(DecodeError::invalid("a value that nobody can read")),
            _ => Ok(Self(object)),
        }
    }
}

impl Object for Picky {
    fn meta(&self) -> &dyn Metadata {
        self.0.meta()
    }

    fn api_version(&self) -> &str {
        self.0.api_version()
    }

    fn kind(&self) -> &str {
        self.0.kind()
    }
}

impl Resource for Picky {
    type Scope = Namespaced;
    const INFO: &'static ResourceInfo = ConfigMap::INFO;
}

impl verbs::List for Picky {}
impl verbs::Watch for Picky {}

impl Payload for Picky {
    fn formats() -> &'static [Format] {
        ConfigMap::formats()
    }

    fn wire_kind() -> Option<&'static str> {
        <ConfigMap as Payload>::wire_kind()
    }

    fn decode_item(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
        Self::checked(ConfigMap::decode_item(format, bytes, cx)?)
    }

    fn decode(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
        Self::checked(ConfigMap::decode(format, bytes, cx)?)
    }

    fn encode(&self, format: Format) -> Vec<u8> {
        self.0.encode(format)
    }
}

pub(super) async fn undecodable(stage: &Stage) -> Result<()> {
    for watch_list in [true, false] {
        let scene = Scene::new(stage).await?;
        let good = scene.create("a", "good").await?;
        scene.create("b", "bad").await?;
        scene.create("c", "good").await?;
        let source = RestListWatch::<Picky>::new(scene.rest.clone())
            .namespace(scene.namespace.as_str())
            .labels(&Scene::selector());
        let options = InformerOptions { watch_list, ..InformerOptions::default() };
        let informer = SharedInformer::new(source, options);
        let history = History::default();
        informer.add_handler(history.clone(), HandlerOptions::default())?;
        let running = informer.start();
        ensure!(informer.synced().await, "it stopped");
        ensure!(cached(&informer).keys().eq(["a", "c"]), "{:?}", cached(&informer));

        scene.update("a", "bad").await?;
        eventually("it is stale", || async {
            let state = informer.state();
            // The other one has never decoded: it is missing, and counted too.
            ensure!(state.stale == 2 && state.reflectors[0].undecodable >= 2, "{state:?}");
            Ok(())
        })
        .await?;
        let kept = informer.indexer().get(&good.key()).context("it was taken for deleted")?;
        ensure!(kept.resource_version() == good.resource_version(), "{kept:?}");

        let better = scene.update("a", "good again").await?;
        scene.delete("b").await?;
        let last = scene.update("c", "2").await?;
        eventually("it is as good as new", || async {
            let found = cached(&informer);
            ensure!(found.get("a").map(String::as_str) == Some(better.resource_version()), "{found:?}");
            ensure!(found.get("c").map(String::as_str) == Some(last.resource_version()), "{found:?}");
            ensure!(informer.state().stale == 0, "{:?}", informer.state());
            Ok(())
        })
        .await?;
        history.ends_with(&scene.versions().await?).await?;
        running.stop().await?;
    }
    Ok(())
}

pub(super) async fn back_in_time(_: &Stage) -> Result<()> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    let address: SocketAddr = listener.local_addr()?;
    drop(listener);
    let start = || {
        let options = ServerOptions { listen: Some(address), ..ServerOptions::default() };
        Cluster::embedded_with(options)
    };
    let first = Stage::new(std::sync::Arc::new(start().await?));
    let scene = Scene::new(&first).await?;
    for number in 0..100 {
        scene.create(&format!("object-{number}"), "0").await?;
    }
    let informer = scene.informer(InformerOptions::default());
    let history = History::default();
    informer.add_handler(history.clone(), HandlerOptions::default())?;
    let running = informer.start();
    ensure!(informer.synced().await && informer.indexer().len() == 100);
    drop(first);

    // Another with the same name and a shorter past.
    let second = eventually("the port is free", || async { start().await }).await?;
    let namespace = client_rs_api::core::v1::Namespace {
        metadata: client_rs_machinery::meta::v1::ObjectMeta {
            name: scene.namespace.as_str().into(),
            ..client_rs_machinery::meta::v1::ObjectMeta::EMPTY
        },
        ..client_rs_api::core::v1::Namespace::EMPTY
    };
    let create =
        client_rs_client::Request::post().of::<client_rs_api::core::v1::Namespace>().object(namespace);
    scene.rest.send_raw(create).await?;
    scene.create("object-1", "1").await?;
    scene.create("new", "1").await?;
    // A watch from a version that is yet to come waits for it, as on the real server: only a list shows what happened, and
    // its version, too, is one that the server has not reached.
    let controls = second.controls().context("it is embedded")?;
    controls.inject(Fault {
        method: Some("GET".into()),
        path_contains: "configmaps".into(),
        times: Some(1),
        effect: Effect::Status {
            code: 410,
            reason: "Expired".into(),
            message: "too old resource version".into(),
            retry_after_seconds: None,
        },
    });
    controls.drop_watches();
    eventually("it lists again", || async {
        let state = informer.state();
        ensure!(state.reflectors[0].relists > 0, "{state:?}");
        Ok(())
    })
    .await?;
    scene.equal(&informer).await?;
    history.ends_with(&scene.versions().await?).await?;
    running.stop().await?;
    drop(second);
    Ok(())
}
