//! Metadata of kinds that have a Rust type.

use client_rs_machinery::meta::v1::{GetOptions, ListOptions, PatchOptions};
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Resource, verbs};
use http::header::ACCEPT;

use super::PartialObjectMeta;
use super::metadata::{MANY, ONE, many, one};
use crate::api::{Api, ApiRequest, ByName, Reach, Reply, options, request};
use crate::{DecodeOptions, Listed, Request, RestClient, Verb, Watch};

/// Metadata only: names, labels, owners, versions. The server sends nothing else, so the content of a secret never leaves it.
impl<K: Resource, S: Reach> Api<K, S> {
    /// Reads the metadata of the object with this name.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Secret;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/namespaces/a/secrets/token",
    /// #     r#"{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": {"name": "token", "uid": "7"}}"#);
    /// use client_rs_machinery::Object;
    ///
    /// let token = Api::<Secret>::namespaced(&server.client(), "a").get_metadata("token").await?;
    /// assert_eq!((token.kind(), token.uid()), ("Secret", "7"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn get_metadata(&self, name: &str) -> ApiRequest<PartialObjectMeta<K>, GetOptions>
    where
        K: verbs::Get,
        S: ByName,
    {
        let request = self.request(Verb::Get).name(name).header(ACCEPT, ONE);
        self.ask(request, request::params, typed_one)
    }

    /// Lists the metadata of the objects, all at once.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/pods", r#"{"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1",
    /// #     "items": [{"metadata": {"name": "web", "namespace": "shop"}}]}"#);
    /// use client_rs_machinery::Object;
    ///
    /// let pods = Api::<Pod, _>::all(&server.client()).list_metadata().await?;
    /// assert_eq!(pods.items[0].key().to_string(), "shop/web");
    /// assert!(server.received()[0].headers()["accept"].to_str()?.contains("as=PartialObjectMetadataList"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn list_metadata(&self) -> ApiRequest<Listed<PartialObjectMeta<K>>, ListOptions>
    where
        K: verbs::List,
    {
        self.ask(self.request(Verb::Get).header(ACCEPT, MANY), options::list, typed_many)
    }

    /// Watches the metadata of the objects for changes after a `resourceVersion`.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/pods?watch=true", r#"{"type": "DELETED", "object":
    /// #     {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": {"name": "web", "resourceVersion": "8"}}}"#);
    /// use client_rs_machinery::{Object, wire::WatchEvent};
    ///
    /// let mut watch = Api::<Pod, _>::all(&server.client()).watch_metadata().resource_version("7").await?;
    /// let Some(Ok(WatchEvent::Deleted(pod))) = watch.next().await else { panic!("expected a deletion") };
    /// assert_eq!((pod.kind(), pod.name()), ("Pod", "web"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn watch_metadata(&self) -> ApiRequest<Watch<PartialObjectMeta<K>>, ListOptions>
    where
        K: verbs::Watch,
    {
        self.ask(self.request(Verb::Get).header(ACCEPT, ONE), options::watch, request::watch)
    }

    /// Changes parts of an object, and returns its metadata: for labels, annotations and finalizers.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Node;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # use client_rs_machinery::{json, patch::Patch};
    /// # let server = Canned::new().on("PATCH /api/v1/nodes/n1", r#"{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1",
    /// #     "metadata": {"name": "n1", "labels": {"zone": "a"}}}"#);
    /// let zone = Patch::Merge(json!({"metadata": {"labels": {"zone": "a"}}}));
    /// let node = Api::<Node>::cluster(&server.client()).patch_metadata("n1", &zone).await?;
    /// assert_eq!(node.metadata.labels.get("zone").unwrap(), "a");
    /// # Ok(())
    /// # }
    /// ```
    pub fn patch_metadata(&self, name: &str, patch: &Patch) -> ApiRequest<PartialObjectMeta<K>, PatchOptions>
    where
        K: verbs::Patch,
        S: ByName,
    {
        let request = self.place(Request::patch(patch)).name(name).header(ACCEPT, ONE);
        self.ask(request, request::params, typed_one)
    }
}

fn typed_one<K: Resource>(
    rest: RestClient,
    request: Request,
    decode: DecodeOptions,
) -> Reply<PartialObjectMeta<K>> {
    Box::pin(async move { one(rest, request, decode).await.map(Into::into) })
}

fn typed_many<K: Resource>(
    rest: RestClient,
    request: Request,
    decode: DecodeOptions,
) -> Reply<Listed<PartialObjectMeta<K>>> {
    Box::pin(async move {
        let Listed { items, metadata } = many(rest, request, decode).await?;
        Ok(Listed { items: items.into_iter().map(Into::into).collect(), metadata })
    })
}

#[cfg(test)]
mod tests {
    use client_rs_api::apps::v1::Deployment;
    use client_rs_machinery::wire::WatchEvent;
    use client_rs_machinery::{Object, json};

    use super::*;
    use crate::testing::Canned;

    #[tokio::test]
    async fn metadata_of_a_typed_kind_knows_its_kind() {
        let one = r#"{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": {"name": "web", "namespace": "a"}}"#;
        let list = format!(
            r#"{{"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "items": [{one}]}}"#
        );
        let path = "/apis/apps/v1/namespaces/a/deployments";
        let server = Canned::new()
            .on(&format!("GET {path}/web"), one)
            .on(&format!("PATCH {path}/web"), one)
            .on(&format!("GET {path}"), &list)
            .on(&format!("GET {path}?watch=true"), format!(r#"{{"type": "ADDED", "object": {one}}}"#));
        let deployments = Api::<Deployment>::namespaced(&server.client(), "a");
        let change = Patch::Merge(json!({}));
        let mut watch = deployments.watch_metadata().await.unwrap();
        let Some(Ok(WatchEvent::Added(watched))) = watch.next().await else { panic!("expected an object") };
        let objects = [
            deployments.get_metadata("web").await.unwrap(),
            deployments.patch_metadata("web", &change).await.unwrap(),
            deployments.list_metadata().await.unwrap().items.remove(0),
            watched,
        ];
        for object in objects {
            assert_eq!((object.api_version(), object.kind()), ("apps/v1", "Deployment"));
            assert_eq!(
                (object.key().to_string().as_str(), PartialObjectMeta::<Deployment>::gvk()),
                ("a/web", Deployment::gvk())
            );
        }
        for request in server.received() {
            let accept = request.headers()["accept"].to_str().unwrap();
            assert!(accept.contains(";as=PartialObjectMetadata"), "{accept}");
        }
        // Nothing is sent without a namespace, as by every other method.
        let nowhere = Api::<Deployment>::namespaced(&server.client(), "");
        assert!(matches!(nowhere.get_metadata("web").await, Err(crate::Error::Request(_))));
    }
}
