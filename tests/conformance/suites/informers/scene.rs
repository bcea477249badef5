//! The shared scene of the scenarios: config maps of a namespace, and an informer of them.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_cache::{InformerOptions, SharedInformer};
use client_rs_client::{Request, RestClient};
use client_rs_informers::RestListWatch;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::{Object, Str};
use client_rs_tests::{Stage, eventually};

/// Config maps of one namespace, with a label that distinguishes them from those of the cluster.
pub(super) struct Scene {
    pub(super) rest: RestClient,
    pub(super) namespace: String,
}

impl Scene {
    pub(super) async fn new(stage: &Stage) -> Result<Self> {
        Ok(Self { rest: stage.client()?, namespace: stage.namespace().await? })
    }

    pub(super) fn selector() -> Selector {
        Selector::parse("scene=ours").expect("it is well formed")
    }

    pub(super) fn object(name: &str, value: &str) -> ConfigMap {
        let metadata = ObjectMeta {
            name: name.into(),
            labels: [("scene", Str::from("ours"))].into_iter().collect(),
            ..ObjectMeta::EMPTY
        };
        let data = [("value", Str::from(value))].into_iter().collect();
        ConfigMap { metadata, data, ..ConfigMap::EMPTY }
    }

    fn all(&self, request: Request) -> Request {
        request.of::<ConfigMap>().namespace(&self.namespace)
    }

    pub(super) async fn create(&self, name: &str, value: &str) -> Result<ConfigMap> {
        Ok(self.rest.send(self.all(Request::post()).object(Self::object(name, value))).await?)
    }

    pub(super) async fn update(&self, name: &str, value: &str) -> Result<ConfigMap> {
        let request = self.all(Request::put()).name(name).object(Self::object(name, value));
        Ok(self.rest.send(request).await?)
    }

    pub(super) async fn delete(&self, name: &str) -> Result<()> {
        self.rest.send_raw(self.all(Request::delete()).name(name)).await?;
        Ok(())
    }

    /// Returns the server's versions by name.
    pub(super) async fn versions(&self) -> Result<BTreeMap<String, String>> {
        let request = self.all(Request::get()).param("labelSelector", Self::selector().to_string());
        let listed = self.rest.send_list::<ConfigMap>(request).await?;
        Ok(versions(listed.items.iter()))
    }

    /// Where an informer's objects come from, over this or another client.
    pub(super) fn source(&self, rest: &RestClient) -> RestListWatch<ConfigMap> {
        RestListWatch::new(rest.clone()).namespace(self.namespace.as_str()).labels(&Self::selector())
    }

    pub(super) fn informer(&self, options: InformerOptions<ConfigMap>) -> SharedInformer<ConfigMap> {
        SharedInformer::with_options(self.source(&self.rest), options)
    }

    /// Waits until the informer has what the server has.
    pub(super) async fn equal(&self, informer: &SharedInformer<ConfigMap>) -> Result<()> {
        eventually("the cache is the server's", || async {
            let (server, cache) = (self.versions().await?, cached(informer));
            ensure!(server == cache, "server {server:?}, cache {cache:?}, {:?}", informer.state());
            Ok(())
        })
        .await
    }
}

pub(super) fn cached<K: Object>(informer: &SharedInformer<K>) -> BTreeMap<String, String> {
    versions(informer.indexer().list().iter().map(|object| &**object))
}

fn versions<'a, K: Object>(objects: impl Iterator<Item = &'a K>) -> BTreeMap<String, String> {
    objects.map(|object| (object.name().to_owned(), object.resource_version().to_owned())).collect()
}
