//! Odd objects, odd servers.

#![allow(clippy::similar_names, reason = "a stage and the state of what is on it")]

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use client_rs_api::core::v1::{ConfigMap, Namespace};
use client_rs_apiserver::{Effect, Fault};
use client_rs_cache::{InformerOptions, SharedInformer};
use client_rs_client::Request;
use client_rs_informers::RestListWatch;
use client_rs_machinery::wire::{DecodeError, Decoding, Format, Payload};
use client_rs_machinery::{Metadata, Namespaced, Object, Resource, ResourceInfo, Str, verbs};
use client_rs_tests::{Backend, Cluster, Faults, Stage, eventually};
use client_rs_transport::http::{Transport, TransportOptions};

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
        let options = InformerOptions::default().with_watch_list(watch_list);
        let informer = SharedInformer::with_options(source, options);
        let history = History::default();
        informer.add_handler(history.clone())?;
        let running = informer.spawn();
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
        running.shutdown().await?;
    }
    Ok(())
}

pub(super) async fn back_in_time(stage: &Stage) -> Result<()> {
    let other = match stage.backend() {
        Backend::Embedded => Arc::new(Cluster::embedded().await?),
        Backend::Real => Cluster::harsh(Backend::Real).await?,
    };
    let (ours, others) = (Stage::new(stage.shared()), Stage::new(other));
    let ours_is_older = version(&ours).await? >= version(&others).await?;
    let (old, new) = if ours_is_older { (ours, others) } else { (others, ours) };
    let outcome = replaced(&old, &new).await;
    old.strike().await;
    new.strike().await;
    outcome
}

/// The version of a server.
async fn version(stage: &Stage) -> Result<u64> {
    let list = stage.client()?.send_list::<Namespace>(Request::get().of::<Namespace>()).await?;
    Ok(list.metadata.resource_version.parse()?)
}

/// A server whose place is taken by one with a shorter past.
async fn replaced(old: &Stage, new: &Stage) -> Result<()> {
    let scene = Scene::new(old).await?;
    for number in 0..100 {
        scene.create(&format!("object-{number}"), "0").await?;
    }
    // Well ahead, whatever others do meanwhile.
    let mut round = 0;
    while version(old).await? < version(new).await? + 300 {
        round += 1;
        for number in 0..100 {
            scene.update(&format!("object-{number}"), &round.to_string()).await?;
        }
    }
    let transport = |stage: &Stage| Transport::from_config_with(stage.config(), TransportOptions::default());
    let place = Arc::new(Mutex::new(transport(old)?));
    let behind = {
        let place = Arc::clone(&place);
        let target = transport(old)?.target().clone();
        Transport::from_service(
            target,
            tower::service_fn(move |request| {
                let now = place.lock().unwrap_or_else(PoisonError::into_inner).clone();
                tower::ServiceExt::oneshot(now, request)
            }),
        )
    };
    let faults = Faults::of_client();
    let source = scene.source(&faults.client_over(old.config(), behind)?);
    let informer = SharedInformer::new(source);
    let history = History::default();
    informer.add_handler(history.clone())?;
    let running = informer.spawn();
    ensure!(informer.synced().await && informer.indexer().len() == 100);

    // Another under the same name.
    new.namespace_named(&scene.namespace).await?;
    let scene = Scene { rest: new.client()?, namespace: scene.namespace.clone() };
    scene.create("object-1", "1").await?;
    scene.create("new", "1").await?;
    *place.lock().unwrap_or_else(PoisonError::into_inner) = transport(new)?;
    // A watch from a version that is yet to come waits for it: only a list shows what happened, and its version, too, is
    // one that the server has not reached.
    let expired = Effect::status(410, "Expired", "too old resource version");
    faults.inject(Fault::new(expired).method("GET").path_contains("configmaps").times(1));
    faults.drop_watches();
    eventually("it lists again", || async {
        let state = informer.state();
        ensure!(state.reflectors[0].relists > 0, "{state:?}");
        Ok(())
    })
    .await?;
    scene.equal(&informer).await?;
    history.ends_with(&scene.versions().await?).await?;
    running.shutdown().await?;
    Ok(())
}
