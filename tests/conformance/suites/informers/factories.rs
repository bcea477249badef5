//! Factories.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use client_rs_api::core::v1::{ConfigMap, Secret};
use client_rs_cache::{FactoryOptions, Transform, Transforms};
use client_rs_client::Request;
use client_rs_informers::{
    DynamicSharedInformerFactory, MetadataSharedInformerFactory, SharedInformerFactory,
};
use client_rs_kubernetes::informers::BuiltInInformers;
use client_rs_machinery::{GroupVersionResource, Object, ObjectKey, Resource};
use client_rs_tests::{Proxy, Stage, eventually};

use super::history::History;
use super::scene::{Scene, cached};

fn of_namespaces(namespaces: &[&str]) -> FactoryOptions {
    FactoryOptions::default().with_namespaces(namespaces.iter().copied())
}

fn ours() -> FactoryOptions {
    FactoryOptions::default()
        .with_tweak(Arc::new(|options| options.label_selector = Scene::selector().to_string().into()))
}

pub(super) async fn one_of_each(stage: &Stage) -> Result<()> {
    let scene = Scene::new(stage).await?;
    scene.create("a", "1").await?;
    let factory = SharedInformerFactory::with_options(scene.rest.clone(), of_namespaces(&[&scene.namespace]));
    let maps = factory.core().v1().config_maps();
    let (informer, lister) = (maps.informer(), maps.lister());
    let unknown = GroupVersionResource::new("example.com", "v1", "widgets");
    ensure!(factory.for_resource(&unknown).is_none(), "not a built-in resource");
    factory.core().v1().namespaces().informer();
    factory.apps().v1().deployments().lister();
    factory.start();
    let synced = factory.wait_for_cache_sync().await;
    ensure!(synced.keys().eq(["configmaps.v1", "deployments.v1.apps", "namespaces.v1"]), "{synced:?}");
    ensure!(synced.values().all(|synced| *synced), "{synced:?}");
    ensure!(lister.namespace(scene.namespace.as_str()).get("a")?.name() == "a");
    let namespaces = factory.core().v1().namespaces().lister();
    ensure!(namespaces.get(&ObjectKey::cluster(scene.namespace.as_str()))?.name() == scene.namespace);
    let generic = factory.for_resource(&ConfigMap::gvr()).context("it was asked for")?;
    ensure!(generic.list(&Scene::selector()).len() == 1, "{generic:?}");
    ensure!(factory.informer_for::<ConfigMap>().indexer().len() == informer.indexer().len());

    // More informers can be requested while it runs, also by name.
    let generic = factory.for_resource(&Secret::gvr()).context("secrets are built in")?;
    ensure!(generic.informer().state().run == "created");
    let secrets = factory.core().v1().secrets();
    factory.start();
    ensure!(factory.wait_for_cache_sync().await.get("secrets.v1") == Some(&true));
    let states = factory.state();
    ensure!(
        states.len() == 4 && states.iter().all(|state| state.synced && state.run == "running"),
        "{states:?}"
    );
    let dump = serde_json::to_string(&states)?;
    ensure!(dump.contains("configmaps.v1"), "{dump}");
    factory.shutdown().await;
    ensure!(informer.is_stopped() && secrets.informer().is_stopped());
    Ok(())
}

pub(super) async fn by_resource(stage: &Stage) -> Result<()> {
    let scene = Scene::new(stage).await?;
    scene.create("a", "1").await?;
    let options = || of_namespaces(&[&scene.namespace]);
    let dynamic = DynamicSharedInformerFactory::with_options(scene.rest.clone(), options());
    let metadata = MetadataSharedInformerFactory::with_options(scene.rest.clone(), options());
    let (maps, nodes) = (ConfigMap::gvr(), GroupVersionResource::new("", "v1", "namespaces"));
    let objects = dynamic.for_resource(maps.clone());
    let clusterwide = dynamic.for_cluster_resource(nodes.clone());
    let bare = metadata.for_resource(maps);
    let bare_clusterwide = metadata.for_cluster_resource(nodes);
    objects.informer();
    clusterwide.informer();
    bare.informer();
    bare_clusterwide.informer();
    dynamic.start();
    metadata.start();
    for synced in [dynamic.wait_for_cache_sync().await, metadata.wait_for_cache_sync().await] {
        ensure!(synced.len() == 2 && synced.values().all(|synced| *synced), "{synced:?}");
    }
    let namespace = scene.namespace.as_str();
    ensure!(objects.lister().get(&ObjectKey::new(namespace, "a"))?.kind() == "ConfigMap");
    ensure!(bare.lister().namespace(namespace).get("a")?.label("scene") == Some("ours"));
    ensure!(clusterwide.lister().get(&ObjectKey::cluster(namespace))?.kind() == "Namespace");
    ensure!(bare_clusterwide.lister().get(&ObjectKey::cluster(namespace))?.name() == namespace);
    dynamic.shutdown().await;
    metadata.shutdown().await;
    Ok(())
}

pub(super) async fn tweaked(stage: &Stage) -> Result<()> {
    let (one, two, three) = (Scene::new(stage).await?, Scene::new(stage).await?, Scene::new(stage).await?);
    for (scene, name) in [(&one, "a"), (&two, "b"), (&three, "c")] {
        scene.create(name, "secret").await?;
    }
    let transform = Transform::edit(|object: &mut ConfigMap| object.data.clear());
    let options = ours()
        .with_namespaces([&one, &two].map(|scene| scene.namespace.as_str()))
        .with_transforms(Transforms::default().with(transform));
    let factory = SharedInformerFactory::with_options(one.rest.clone(), options);
    let informer = factory.informer_for::<ConfigMap>();
    let history = History::default();
    informer.add_handler(history.clone())?;
    factory.start();
    factory.wait_for_cache_sync().await;
    ensure!(cached(&informer).keys().eq(["a", "b"]), "{:?}", cached(&informer));
    ensure!(informer.indexer().list().iter().all(|object| object.data.is_empty()), "not transformed");
    // Events of one namespace do not affect the other.
    two.delete("b").await?;
    three.update("c", "2").await?;
    one.update("a", "2").await?;
    history.ends_with(&one.versions().await?).await?;
    factory.shutdown().await;
    Ok(())
}

pub(super) async fn nothing_left(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let proxy = Proxy::start(stage.config()).await?;
    let config = proxy.config(stage.config())?;
    // A runtime of its own, so that the tasks counted are these and no others.
    let (tasks, left) = tokio::task::spawn_blocking(move || -> Result<(usize, usize)> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(async {
            let rest = client_rs_client::RestClient::from_config(&config)?;
            let maps = || Request::get().of::<ConfigMap>().namespace(&namespace);
            rest.send_list::<ConfigMap>(maps()).await?;
            let alive = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
            let before = alive();
            let factory = SharedInformerFactory::with_options(rest.clone(), of_namespaces(&[&namespace]));
            for _ in 0..3 {
                let informer = factory.informer_for::<ConfigMap>();
                informer.add_handler(History::default())?;
                factory.core().v1().secrets().informer();
            }
            let dynamic = DynamicSharedInformerFactory::new(rest.clone());
            dynamic.for_resource(ConfigMap::gvr()).informer();
            factory.start();
            dynamic.start();
            factory.wait_for_cache_sync().await;
            dynamic.wait_for_cache_sync().await;
            ensure!(alive() > before, "{} tasks, {before} before", alive());
            factory.shutdown().await;
            dynamic.shutdown().await;
            // The connection's own task notices the end of its streams with some delay.
            let left = eventually("the tasks have ended", || async {
                ensure!(alive() <= before, "{} tasks, {before} before", alive());
                Ok(alive())
            })
            .await?;
            Ok((before, left))
        })
    })
    .await??;
    ensure!(left <= tasks, "{left} tasks are left, {tasks} were there");
    eventually("the connections have ended", || async {
        ensure!(proxy.open() == 0, "{} are open", proxy.open());
        Ok(())
    })
    .await
}
