//! Responses of servers, and responses that only look like them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_client::warning::WarningHandler;
use client_rs_client::{Error, Request, RestClient};
use client_rs_machinery::Unstructured;
use client_rs_machinery::wire::{DecodeError, Decoding, Format, Message, Payload, WatchEvent};
use client_rs_test_inputs::kubeconfigs;
use client_rs_tests::{Backend, Canned, Stage, eventually};
use http::header::CONTENT_TYPE;
use serde_json::json;

use super::common::{config_map, maps, post_json};

pub(super) async fn life_of_an_object(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let before = client.send_list::<ConfigMap>(maps(&namespace)).await?;
    let watched = super::common::watched(&namespace, &before.metadata.resource_version);
    let mut watch = client.watch::<ConfigMap>(watched).await?;

    let create = Request::post().of::<ConfigMap>().namespace(&namespace).object(config_map("one"));
    let answer = client.send_raw(create).await?;
    let created = ConfigMap::from_json(&answer.body)?;
    ensure!(answer.status.as_u16() == 201 && !created.metadata.uid.is_empty(), "{created:?}");
    let read: ConfigMap = client.send(maps(&namespace).name("one")).await?;
    ensure!(read == created, "{read:?} instead of {created:?}");
    let mut changed = read.clone();
    changed.data.insert("more", "of it".into());
    let update = Request::put().of::<ConfigMap>().namespace(&namespace).name("one");
    let updated: ConfigMap = client.send(update.clone().object(changed.clone())).await?;
    ensure!(updated.data == changed.data && updated.metadata.uid == created.metadata.uid, "{updated:?}");
    let conflict = client.send::<ConfigMap>(update.object(changed)).await.err().context("written twice")?;
    ensure!(conflict.is_conflict(), "{conflict}");
    let listed = client.send_list::<ConfigMap>(maps(&namespace)).await?;
    ensure!(listed.items.contains(&updated), "{listed:?}");
    let twice = Request::post().of::<ConfigMap>().namespace(&namespace).object(config_map("one"));
    let twice = client.send::<ConfigMap>(twice).await.err().context("created twice")?;
    ensure!(twice.is_already_exists(), "{twice}");
    client.send_raw(Request::delete().of::<ConfigMap>().namespace(&namespace).name("one")).await?;
    let gone = client.send::<ConfigMap>(maps(&namespace).name("one")).await.err().context("still there")?;
    ensure!(gone.is_not_found(), "{gone}");

    let mut seen = Vec::new();
    while seen.len() < 3 {
        match watch.next().await.context("the watch has ended")?? {
            WatchEvent::Added(map) if map.metadata.name == "one" => seen.push("added"),
            WatchEvent::Modified(map) if map.metadata.name == "one" => seen.push("modified"),
            WatchEvent::Deleted(map) if map.metadata.name == "one" => seen.push("deleted"),
            // The real server's controllers write here too.
            WatchEvent::Added(_) | WatchEvent::Modified(_) => {}
            other => bail!("{other:?}"),
        }
    }
    ensure!(seen == ["added", "modified", "deleted"], "{seen:?}");
    Ok(())
}

pub(super) async fn foreign_bodies(_: &Stage) -> Result<()> {
    const HTML: &[u8] = b"<html><body>Sign in to the hotel's network</body></html>";
    /// The status, the content type, the body, and the expected text of the error.
    type Case = (&'static str, &'static str, &'static [u8], &'static str);
    let cases: &[Case] = &[
        ("200 OK", "text/html", HTML, "text/html"),
        ("200 OK", "application/json", HTML, "can't be decoded"),
        ("200 OK", "application/json", b"", "empty"),
        ("200 OK", "application/json", b"[1, 2]", "can't be decoded"),
        ("200 OK", "application/json", b"\"Pod\"", "can't be decoded"),
        ("200 OK", "application/json", b"{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}", "Pod"),
        ("200 OK", "application/json", b"{\"kind\":\"ConfigMap\",\"metadata\":", "can't be decoded"),
        ("200 OK", "application/json", b"{\"kind\":\"ConfigMap\",\"metadata\":7}", "metadata"),
        ("200 OK", "application/vnd.kubernetes.protobuf", HTML, "can't be decoded"),
        ("200 OK", "application/vnd.kubernetes.protobuf", b"k8s\0\xff\xff\xff", "can't be decoded"),
        ("200 OK", "application/cbor", b"\xa0", "application/cbor"),
        ("404 Not Found", "text/html", HTML, "could not find the requested resource"),
        ("404 Not Found", "application/json", b"{}", "404|not find"),
        ("502 Bad Gateway", "text/html", HTML, "hotel"),
        ("500 Internal Server Error", "application/json", b"{\"kind\":\"Status\",\"status\":\"Fail", "error"),
        ("302 Found", "text/html", HTML, "302|hotel"),
    ];
    for (status, content_type, body, expected) in cases {
        let server = Canned::answer(status, content_type, body).await?;
        let client = RestClient::from_config(&server.config()?)?;
        let shown = format!("{status}, {content_type}, {}", String::from_utf8_lossy(body));
        let one = client.send::<ConfigMap>(maps("default").name("one")).await.err();
        let error = one.with_context(|| format!("an object from {shown}"))?.to_string();
        ensure!(expected.split('|').any(|text| error.contains(text)), "{shown}: {error}");
        ensure!(server.requests() == 1, "{shown}: {} requests", server.requests());
        let list = client.send_list::<ConfigMap>(maps("default")).await.err();
        let error = list.with_context(|| format!("a list from {shown}"))?.to_string();
        ensure!(error.contains("/api/v1/namespaces/default/configmaps"), "no URL: {error}");
        let request = super::common::watched("default", "1");
        let watched = async {
            let mut watch = client.watch::<ConfigMap>(request).await?;
            match watch.next().await {
                Some(Ok(WatchEvent::Added(_) | WatchEvent::Modified(_))) => bail!("an event"),
                Some(Ok(WatchEvent::Error(error))) => Err(error.into()),
                _ => bail!("it ended"),
            }
        };
        let outcome: Result<()> = tokio::time::timeout(Duration::from_secs(10), watched).await?;
        ensure!(outcome.is_err(), "a watch from {shown}");
    }
    for garbage in [
        &b"SSH-2.0-OpenSSH_9.6\r\n"[..],
        b"\x15\x03\x01\0\x02\x02\x46",
        b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nhalf",
    ] {
        let server = Canned::raw(garbage).await?;
        let client = RestClient::from_config(&server.config()?)?;
        let request = maps("default").name("one").max_retries(0);
        let error = client.send::<ConfigMap>(request).await.err().context("understood")?;
        ensure!(matches!(error, Error::Transport { .. }), "{error}");
    }
    Ok(())
}

#[derive(Debug, Default)]
struct Heard(Mutex<Vec<String>>);

impl WarningHandler for Heard {
    fn handle(&self, code: u16, _: &str, text: &str) {
        self.0.lock().unwrap().push(format!("{code} {text}"));
    }
}

pub(super) async fn warnings(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let heard = Arc::new(Heard::default());
    let map = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "odd"}, "dta": {"a": "b"}, "data": {"a": "b", "a": "c"},
    });
    let request = Request::post()
        .of::<ConfigMap>()
        .namespace(&namespace)
        .param("fieldValidation", "Warn")
        .header(CONTENT_TYPE, "application/json")
        .warnings(Arc::clone(&heard) as Arc<dyn WarningHandler>)
        .body(map.to_string());
    client.send::<ConfigMap>(request.clone()).await?;
    let said = heard.0.lock().unwrap().clone();
    ensure!(said.len() == 1 && said[0].starts_with("299 ") && said[0].contains("dta"), "{said:?}");
    // Strict: the same is an error.
    let strict = Request::post()
        .of::<ConfigMap>()
        .namespace(&namespace)
        .param("fieldValidation", "Strict")
        .header(CONTENT_TYPE, "application/json")
        .body(map.to_string());
    let error = client.send::<ConfigMap>(strict).await.err().context("taken")?;
    ensure!(error.api().is_some_and(client_rs_machinery::ApiError::is_bad_request), "{error}");
    Ok(())
}

/// A custom resource whose type has protobuf, which its server has not.
#[derive(Clone, Debug, PartialEq)]
struct Widget(Unstructured);

impl Payload for Widget {
    fn formats() -> &'static [Format] {
        &[Format::Protobuf, Format::Json]
    }

    fn wire_kind() -> Option<&'static str> {
        None
    }

    fn decode_item(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
        Unstructured::decode_item(format, bytes, cx).map(Self)
    }

    fn decode(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
        Self::decode_item(format, bytes, cx)
    }

    fn encode(&self, format: Format) -> Vec<u8> {
        match format {
            Format::Json => self.0.to_json(),
            Format::Protobuf => b"k8s\0".to_vec(),
        }
    }
}

pub(super) async fn custom_resource(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let group = format!("{namespace}.example.com");
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("widgets.{group}")},
        "spec": {
            "group": group, "scope": "Namespaced",
            "names": {"plural": "widgets", "kind": "Widget"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object", "x-kubernetes-preserve-unknown-fields": true,
            }}}],
        },
    });
    post_json(&client, definitions, &definition).await?;
    let widgets = || Request::get().api(&group, "v1").namespace(&namespace).resource("widgets");
    eventually("the custom resource is served", || async {
        Ok(client.send_list::<Widget>(widgets()).await?)
    })
    .await?;
    let post = || Request::post().api(&group, "v1").namespace(&namespace).resource("widgets");
    let object = |name: &str| Unstructured::new(format!("{group}/v1"), "Widget", name);
    // If protobuf is refused with 415, as it should be, JSON is sent instead. kube-apiserver 1.37 fails on it:
    // nothing is created, and nothing is repeated, because the client cannot know that.
    match client.send::<Widget>(post().object(Widget(object("odd")))).await {
        Ok(made) => {
            ensure!(made.0.name() == "odd", "{made:?}");
            client
                .send_raw(
                    Request::delete().api(&group, "v1").namespace(&namespace).resource("widgets").name("odd"),
                )
                .await?;
        }
        Err(broken) => {
            let broken = matches!(&broken, Error::Transport { error, .. } if error.is_stream_error());
            ensure!(broken && stage.backend() == Backend::Real, "a custom resource in protobuf");
        }
    }
    let version = client.send_list::<Widget>(widgets()).await?.metadata.resource_version;
    let watch = widgets().param("watch", "true").param("resourceVersion", version.as_str());
    let mut watch = client.watch::<Widget>(watch).await?;
    for name in ["first", "second"] {
        let answer = client.send_raw(post().object(object(name))).await?;
        let created = Unstructured::from_json(&answer.body)?;
        ensure!(answer.status.as_u16() == 201 && created.name() == name, "{created:?}");
        let read: Widget = client.send(widgets().name(name)).await?;
        ensure!(read.0 == created, "{read:?} instead of {created:?}");
        match watch.next().await {
            Some(Ok(WatchEvent::Added(seen))) => ensure!(seen.0 == created, "{seen:?}"),
            other => bail!("{other:?}, end: {:?}", watch.end()),
        }
    }
    let listed = client.send_list::<Widget>(widgets()).await?.items.len();
    ensure!(listed == 2, "{listed} of 2 widgets");
    client.send_raw(Request::delete().request_uri(&format!("{definitions}/widgets.{group}"))).await?;
    Ok(())
}

pub(super) async fn kubectl_view(stage: &Stage) -> Result<()> {
    let kubectl = stage.kubectl()?.into_os_string().into_string();
    let kubectl = kubectl.ok().context("kubectl's path is not UTF-8")?;
    let problems = tokio::task::spawn_blocking(move || kubeconfigs::compare(Some(&kubectl))).await?;
    ensure!(problems.is_empty(), "{}", problems.join("\n"));
    Ok(())
}
