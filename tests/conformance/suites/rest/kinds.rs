//! Every kind that a server lets one create, in both formats.

use std::collections::BTreeSet;

use anyhow::{Context, Result, anyhow, bail, ensure};
use client_rs_client::{Request, RestClient};
use client_rs_machinery::wire::Format;
use client_rs_machinery::{AnyKind, ResourceInfo, Scheme};
use client_rs_tests::{Backend, Cluster, Stage};
use futures_util::{StreamExt as _, stream};
use http::header::{ACCEPT, CONTENT_TYPE};
use serde_json::{Value, json};

use super::manifests::manifest;

/// Kinds that can't be created from a manifest, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    ("v1 Binding", "it is an order to the server, which keeps no object of it"),
    ("v1 ComponentStatus", "it can't be created"),
];

/// How often an object is read again because a controller has written it meanwhile.
const TRIES: usize = 20;

pub(super) async fn round_trips(stage: &Stage) -> Result<()> {
    // The control plane that has every API.
    let cluster = Cluster::harsh(stage.backend()).await?;
    let stage = Stage::new(cluster);
    let (client, namespace, scheme) = (stage.client()?, stage.namespace().await?, client_rs_api::scheme());
    let there = discovered(&client).await?;
    let known = client_rs_api::served().iter().copied();
    let outcomes: Vec<(String, Result<()>)> = stream::iter(known.filter(|info| there.contains(&at(info))))
        .map(|info| {
            let (client, namespace, scheme) = (&client, &namespace, &scheme);
            async move {
                let name = format!("{} {}", api_version(info), info.kind);
                let left_out = LEFT_OUT.iter().any(|(left_out, _)| *left_out == name);
                let outcome =
                    if left_out { Ok(()) } else { round_trip(client, scheme, namespace, info).await };
                (name, outcome)
            }
        })
        .buffered(8)
        .collect()
        .await;
    stage.strike().await;
    let failed: Vec<String> = outcomes
        .iter()
        .filter_map(|(name, outcome)| Some(format!("{name}: {:#}", outcome.as_ref().err()?)))
        .collect();
    println!("        {} kinds served, {} left out:", outcomes.len(), LEFT_OUT.len());
    for (name, reason) in LEFT_OUT {
        println!("        - {name}: {reason}");
    }
    // The embedded server has the stable versions.
    let least = if stage.backend() == Backend::Real { 90 } else { 60 };
    ensure!(outcomes.len() > least, "only {} kinds are served", outcomes.len());
    ensure!(failed.is_empty(), "{} of {} kinds:\n  {}", failed.len(), outcomes.len(), failed.join("\n  "));
    Ok(())
}

/// A resource's version and plural name.
fn at(info: &ResourceInfo) -> (String, String) {
    (api_version(info), info.plural.to_owned())
}

/// Returns the discovered resources whose kind is known here.
async fn discovered(client: &RestClient) -> Result<BTreeSet<(String, String)>> {
    let versions: BTreeSet<String> = client_rs_api::served().iter().map(|info| api_version(info)).collect();
    let mut found = BTreeSet::new();
    for version in versions {
        let path = if version == "v1" { "/api/v1".to_owned() } else { format!("/apis/{version}") };
        let told: Value = match client.send_raw(Request::get().abs_path([path.as_str()])).await {
            Ok(answer) => serde_json::from_slice(&answer.body)?,
            Err(error) if error.is_not_found() => continue,
            Err(error) => return Err(error.into()),
        };
        let resources = told["resources"].as_array().into_iter().flatten();
        let names = resources.filter_map(|resource| resource["name"].as_str());
        found.extend(names.map(|name| (version.clone(), name.to_owned())));
    }
    Ok(found)
}

/// Creates an object from JSON, reads it in both formats, and writes what was read back in both: nothing changes.
async fn round_trip(
    client: &RestClient,
    scheme: &Scheme,
    namespace: &str,
    info: &ResourceInfo,
) -> Result<()> {
    let mut manifest = manifest(info, namespace).context("there is no manifest of it")?;
    manifest["apiVersion"] = json!(api_version(info));
    manifest["kind"] = json!(info.kind);
    if !info.verbs.contains(&"get") {
        return review(client, scheme, namespace, info, &manifest).await;
    }
    // A group's versions share their objects.
    if manifest["metadata"]["name"].is_null() {
        manifest["metadata"]["name"] = json!(format!("round-trip-{}", info.version));
    }
    let name = manifest["metadata"]["name"].as_str().unwrap_or_default().to_owned();
    let created =
        write(client, scheme, Request::post(), namespace, info, Format::Json, manifest.to_string().into());
    created.await.context("create")?;
    for _ in 0..TRIES {
        let get = |format| read(client, scheme, namespace, info, &name, format);
        let (from_json, from_protobuf) = (get(Format::Json).await?, get(Format::Protobuf).await?);
        let (theirs, ours) = (version(&*from_json)?, version(&*from_protobuf)?);
        if theirs != ours {
            continue;
        }
        same(&*from_json, &*from_protobuf).context("read in JSON and in protobuf")?;
        if !info.verbs.contains(&"update") {
            return Ok(());
        }
        let put = |format, body: Vec<u8>| {
            let request = Request::put().name(&name);
            write(client, scheme, request, namespace, info, format, body)
        };
        let json = put(Format::Json, from_protobuf.to_json()).await;
        let protobuf = put(Format::Protobuf, from_json.to_envelope()).await;
        let (json, protobuf) = match (json, protobuf) {
            (Ok(json), Ok(protobuf)) => (json, protobuf),
            (Err(error), _) | (_, Err(error)) if is_conflict(&error) => continue,
            (Err(error), _) => return Err(error.context("written back in JSON")),
            (_, Err(error)) => return Err(error.context("written back in protobuf")),
        };
        if version(&*json)? != ours || version(&*protobuf)? != ours {
            // A controller, or a change of ours? It shows the next time.
            if get(Format::Json).await.and_then(|now| Ok(version(&*now)? == version(&*protobuf)?))? {
                same(&*from_json, &*protobuf).context("read, and written back")?;
            }
            continue;
        }
        same(&*from_json, &*json).context("read, and written back in JSON")?;
        return same(&*from_json, &*protobuf).context("read, and written back in protobuf");
    }
    bail!("it does not come to rest")
}

/// Sends a review, which the server does not store: in both formats, with responses in both.
async fn review(
    client: &RestClient,
    scheme: &Scheme,
    namespace: &str,
    info: &ResourceInfo,
    manifest: &Value,
) -> Result<()> {
    let asked = scheme.decode_json(manifest.to_string().as_bytes())?;
    let mut answers = Vec::new();
    for (format, body) in [(Format::Json, asked.to_json()), (Format::Protobuf, asked.to_envelope())] {
        let answer = write(client, scheme, Request::post(), namespace, info, format, body).await?;
        answers.push(settled(serde_json::from_slice(&answer.to_json())?));
    }
    ensure!(answers[0] == answers[1], "they differ: {} and {}", answers[0], answers[1]);
    Ok(())
}

/// Without what is of the moment: the order of rules is chance, and managed fields and reviews have a time.
fn settled(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let moment = ["managedFields", "creationTimestamp"];
            let fields = fields.into_iter().filter(|(name, _)| !moment.contains(&name.as_str()));
            fields.map(|(name, value)| (name, settled(value))).collect()
        }
        Value::Array(values) => {
            let mut values: Vec<Value> = values.into_iter().map(settled).collect();
            values.sort_by_key(Value::to_string);
            values.into()
        }
        other => other,
    }
}

fn api_version(info: &ResourceInfo) -> String {
    if info.group.is_empty() { info.version.to_owned() } else { format!("{}/{}", info.group, info.version) }
}

fn is_conflict(error: &anyhow::Error) -> bool {
    error.downcast_ref::<client_rs_client::Error>().is_some_and(client_rs_client::Error::is_conflict)
}

fn of(request: Request, info: &ResourceInfo, namespace: &str) -> Request {
    let request = request.api(info.group, info.version).resource(info.plural);
    if info.namespaced { request.namespace(namespace) } else { request }
}

async fn read(
    client: &RestClient,
    scheme: &Scheme,
    namespace: &str,
    info: &ResourceInfo,
    name: &str,
    format: Format,
) -> Result<Box<dyn AnyKind>> {
    let request = of(Request::get(), info, namespace).name(name).header(ACCEPT, format.media_type());
    let answer = client.send_raw(request).await?;
    decode(scheme, format, &answer.body, answer.content_type())
}

/// Sends an object in a format, and reads the answer in the same.
async fn write(
    client: &RestClient,
    scheme: &Scheme,
    request: Request,
    namespace: &str,
    info: &ResourceInfo,
    format: Format,
    body: Vec<u8>,
) -> Result<Box<dyn AnyKind>> {
    let request = of(request, info, namespace)
        .header(ACCEPT, format.media_type())
        .header(CONTENT_TYPE, format.media_type())
        .body(body);
    let answer = client.send_raw(request).await?;
    decode(scheme, format, &answer.body, answer.content_type())
}

fn decode(scheme: &Scheme, format: Format, body: &[u8], content_type: &str) -> Result<Box<dyn AnyKind>> {
    ensure!(Format::from_media_type(content_type) == Some(format), "{content_type} instead of {format:?}");
    let object = match format {
        Format::Json => scheme.decode_json(body)?,
        Format::Protobuf => {
            let object = scheme.decode_envelope(body)?;
            // Byte for byte what the server wrote.
            ensure!(object.to_envelope() == body, "the server's protobuf is written differently");
            object
        }
    };
    Ok(object)
}

fn version(object: &dyn AnyKind) -> Result<String> {
    let value: Value = serde_json::from_slice(&object.to_json())?;
    let version = value["metadata"]["resourceVersion"].as_str().filter(|version| !version.is_empty());
    version.map(str::to_owned).context("an object without a version")
}

fn same(a: &dyn AnyKind, b: &dyn AnyKind) -> Result<()> {
    if a.equals(b) {
        return Ok(());
    }
    let shown = |object: &dyn AnyKind| String::from_utf8_lossy(&object.to_json()).into_owned();
    Err(anyhow!("they differ: {} and {}", shown(a), shown(b)))
}
