//! Helpers that the scenarios share.

use anyhow::Result;
use client_rs_api::core::v1::ConfigMap;
use client_rs_client::{Error, Request, RestClient};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::Format;
use client_rs_transport::Config;
use futures_util::{StreamExt as _, TryStreamExt as _};
use http::header::CONTENT_TYPE;
use serde_json::Value;

/// A config map of this name, with one entry.
pub(super) fn config_map(name: &str) -> ConfigMap {
    let mut map =
        ConfigMap { metadata: ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY }, ..ConfigMap::EMPTY };
    map.data.insert("key", "value".into());
    map
}

/// A request for the config maps of a namespace.
pub(super) fn maps(namespace: &str) -> Request {
    Request::get().of::<ConfigMap>().namespace(namespace)
}

/// A watch of the config maps of a namespace, from a version on.
pub(super) fn watched(namespace: &str, version: &str) -> Request {
    maps(namespace).param("watch", "true").param("resourceVersion", version)
}

pub(super) fn create_request(namespace: &str, name: &str) -> Request {
    Request::post().of::<ConfigMap>().namespace(namespace).object(config_map(name))
}

pub(super) async fn create(client: &RestClient, namespace: &str, name: &str) -> Result<ConfigMap, Error> {
    client.send(create_request(namespace, name)).await
}

/// Creates `count` config maps, several at a time, and returns the version of a list after them.
pub(super) async fn create_many(client: &RestClient, namespace: &str, count: usize) -> Result<String> {
    futures_util::stream::iter(0..count)
        .map(|number| async move { create(client, namespace, &format!("map-{number:04}")).await })
        .buffer_unordered(16)
        .try_collect::<Vec<_>>()
        .await?;
    let list = client.send_list::<ConfigMap>(maps(namespace).param("limit", "1")).await?;
    Ok(list.metadata.resource_version.to_string())
}

/// Returns the config of a client that requests only this format.
pub(super) fn speaking(config: &Config, format: Format) -> Config {
    config.clone().with_accept(format.media_type().to_owned())
}

/// Posts JSON to a path and returns the response.
pub(super) async fn post_json(client: &RestClient, path: &str, body: &Value) -> Result<Value> {
    let request =
        Request::post().request_uri(path).header(CONTENT_TYPE, "application/json").body(body.to_string());
    Ok(serde_json::from_slice(&client.send_raw(request).await?.body)?)
}

/// Whom the server takes a client for: the user's name and groups.
pub(super) async fn whoami(client: &RestClient) -> Result<(String, Vec<String>)> {
    let review = serde_json::json!({"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"});
    let told = post_json(client, "/apis/authentication.k8s.io/v1/selfsubjectreviews", &review).await?;
    let user = &told["status"]["userInfo"];
    let groups = user["groups"].as_array().into_iter().flatten().filter_map(Value::as_str);
    Ok((user["username"].as_str().unwrap_or_default().to_owned(), groups.map(str::to_owned).collect()))
}

/// The names of config maps, without what a real server's controllers put into every namespace.
pub(super) fn names<'a>(maps: impl IntoIterator<Item = &'a ConfigMap>) -> Vec<String> {
    let names = maps.into_iter().map(|map| map.metadata.name.to_string());
    names.filter(|name| name != "kube-root-ca.crt").collect()
}
