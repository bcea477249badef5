//! Faults of networks and of busy servers.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_apiserver::{Effect, Fault};
use client_rs_client::{Error, Request, RestClient, RestClientOptions, WatchEnd};
use client_rs_machinery::wire::{Format, WatchEvent};
use client_rs_tests::{Faults, Proxy, Stage, Weather, eventually};
use client_rs_transport::Config;
use client_rs_transport::auth::Impersonate;
use client_rs_transport::http::{HttpOptions, Transport, TransportOptions};
use futures_util::future::join_all;
use serde_json::json;

use super::common::{create, create_many, create_request, maps, names, post_json, speaking, watched};

pub(super) async fn cut_watch(stage: &Stage) -> Result<()> {
    let (admin, namespace) = (stage.client()?, stage.namespace().await?);
    let proxy = Proxy::start(stage.config()).await?;
    let client = RestClient::from_config(&proxy.config(stage.config())?)?;
    let mut version = client.send_list::<ConfigMap>(maps(&namespace)).await?.metadata.resource_version;
    let expected: BTreeSet<String> = (0..12).map(|number| format!("map-{number}")).collect();
    let mut seen = Vec::new();
    for name in &expected {
        let mut watch = client.watch::<ConfigMap>(watched(&namespace, &version)).await?;
        create(&admin, &namespace, name).await?;
        while !seen.contains(name) {
            match watch.next().await {
                Some(Ok(WatchEvent::Added(map))) => {
                    version = map.metadata.resource_version.clone();
                    seen.extend(names([&map]));
                }
                Some(Ok(WatchEvent::Modified(map))) => version = map.metadata.resource_version.clone(),
                other => bail!("{other:?}, end: {:?}", watch.end()),
            }
        }
        proxy.cut();
        ensure!(watch.next().await.is_none(), "an event after the cut");
        ensure!(matches!(watch.end(), Some(WatchEnd::Lost(_))), "{:?}", watch.end());
    }
    ensure!(seen.iter().cloned().collect::<BTreeSet<_>>() == expected && seen.len() == 12, "{seen:?}");
    Ok(())
}

pub(super) async fn truncated_list(stage: &Stage) -> Result<()> {
    let (admin, namespace) = (stage.client()?, stage.namespace().await?);
    create_many(&admin, &namespace, 200).await?;
    for format in [Format::Json, Format::Protobuf] {
        let whole = RestClient::from_config(&speaking(stage.config(), format))?;
        let whole = whole.send_list::<ConfigMap>(maps(&namespace)).await?.items.len();
        for bytes in [500, 5_000, 20_000] {
            let proxy = Proxy::start(stage.config()).await?;
            // Compressed, 200 config maps are a few kilobytes.
            let config = proxy.config(stage.config())?.with_disable_compression(true);
            let client = RestClient::from_config(&speaking(&config, format))?;
            // The handshake is over before it begins.
            client.send_list::<ConfigMap>(maps(&namespace).param("limit", "1")).await?;
            proxy.set(Weather { truncate: Some(bytes), ..Weather::default() });
            let list = client.send_list::<ConfigMap>(maps(&namespace).max_retries(0)).await;
            let error = list.map(|list| list.items.len()).err();
            let error = error.with_context(|| format!("a whole list of {whole} after {bytes} bytes"))?;
            ensure!(matches!(error, Error::Transport { .. }), "{format:?}, {bytes} bytes: {error}");
            proxy.set(Weather::default());
            let again = client.send_list::<ConfigMap>(maps(&namespace)).await?.items.len();
            ensure!(again == whole, "{again} of {whole} items afterwards");
        }
    }
    Ok(())
}

pub(super) async fn cut_read(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let proxy = Proxy::start(stage.config()).await?;
    let client = RestClient::from_config(&proxy.config(stage.config())?)?;
    create(&client, &namespace, "here").await?;
    proxy.set(Weather { answers_held: true, ..Weather::default() });
    let sent = proxy.next_bytes_sent();
    let reading = {
        let (client, request) = (client.clone(), maps(&namespace).name("here"));
        tokio::spawn(async move { client.send::<ConfigMap>(request).await })
    };
    // If that was not the request, the cut costs it nothing and it must succeed all the same.
    sent.await;
    ensure!(!reading.is_finished(), "an answer came through");
    proxy.cut();
    // Otherwise the answer could pass before the cut.
    eventually("another connection", || async {
        ensure!(proxy.connections() == 2, "{} connections", proxy.connections());
        Ok(())
    })
    .await?;
    proxy.set(Weather::default());
    let read = reading.await??;
    ensure!(read.metadata.name == "here", "{read:?}");
    ensure!(proxy.connections() == 2, "{} connections", proxy.connections());
    Ok(())
}

pub(super) async fn silence(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let proxy = Proxy::start(stage.config()).await?;
    let config = proxy.config(stage.config())?;
    let http = HttpOptions::default()
        .with_read_idle_timeout(Duration::from_secs(1))
        .with_ping_timeout(Duration::from_secs(1));
    let options = TransportOptions::default().with_http(http);
    let transport = Transport::from_config_with(&config, options)?;
    let client =
        RestClient::with_options(&config.server, transport, RestClientOptions::from_config(&config))?;
    let version = client.send_list::<ConfigMap>(maps(&namespace)).await?.metadata.resource_version;
    let mut watch = client.watch::<ConfigMap>(watched(&namespace, &version)).await?;
    proxy.set(Weather { stalled: true, ..Weather::default() });
    let ended =
        tokio::time::timeout(Duration::from_secs(20), async { while watch.next().await.is_some() {} }).await;
    ended.context("the watch stays open on a dead connection")?;
    ensure!(matches!(watch.end(), Some(WatchEnd::Lost(_))), "{:?}", watch.end());
    proxy.set(Weather::default());
    create(&client, &namespace, "after").await?;
    Ok(())
}

pub(super) async fn stalled_request(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let proxy = Proxy::start(stage.config()).await?;
    let client = RestClient::from_config(&proxy.config(stage.config())?)?;
    client.send_list::<ConfigMap>(maps(&namespace)).await?;
    proxy.set(Weather { stalled: true, ..Weather::default() });
    let start = Instant::now();
    let limit = Duration::from_secs(1);
    let error =
        client.send_list::<ConfigMap>(maps(&namespace).timeout(limit)).await.err().context("answered")?;
    ensure!(error.is_timeout() && matches!(error, Error::Timeout { .. }), "{error}");
    ensure!(start.elapsed() < limit * 10, "{:?}", start.elapsed());
    proxy.set(Weather::default());
    client.send_list::<ConfigMap>(maps(&namespace)).await?;
    Ok(())
}

pub(super) async fn slow_network(stage: &Stage) -> Result<()> {
    let (admin, namespace) = (stage.client()?, stage.namespace().await?);
    create_many(&admin, &namespace, 100).await?;
    let fast = admin.send_list::<ConfigMap>(maps(&namespace)).await?;
    let proxy = Proxy::start(stage.config()).await?;
    proxy.set(Weather { delay: Some(Duration::from_millis(20)), ..Weather::default() });
    let client = RestClient::from_config(&proxy.config(stage.config())?)?;
    let slow = client.send_list::<ConfigMap>(maps(&namespace)).await?;
    ensure!(fast.items == slow.items, "{} and {} items", fast.items.len(), slow.items.len());
    create(&client, &namespace, "slowly").await?;
    Ok(())
}

pub(super) async fn lost_answer(stage: &Stage) -> Result<()> {
    let (admin, namespace) = (stage.client()?, stage.namespace().await?);
    let before = admin.send_list::<ConfigMap>(maps(&namespace)).await?;
    let proxy = Proxy::start(stage.config()).await?;
    let client = RestClient::from_config(&proxy.config(stage.config())?)?;
    client.send_list::<ConfigMap>(maps(&namespace)).await?;
    proxy.set(Weather { answers_held: true, ..Weather::default() });
    let mut create = create_request(&namespace, "once");
    // A name of the server's: a second create would be a second object.
    let mut map = super::common::config_map("");
    map.metadata.generate_name = "once-".into();
    create = create.object(map);
    let creating = {
        let client = client.clone();
        tokio::spawn(async move { client.send::<ConfigMap>(create).await })
    };
    let made = || async {
        let list = admin.send_list::<ConfigMap>(maps(&namespace)).await?;
        Ok::<_, anyhow::Error>(names(&list.items))
    };
    eventually("the server has made it", || async {
        ensure!(made().await?.len() == 1, "{:?}", made().await?);
        Ok(())
    })
    .await?;
    proxy.cut();
    proxy.set(Weather::default());
    let error = creating.await?.err().context("the answer was lost, and yet there is one")?;
    ensure!(matches!(error, Error::Transport { .. }), "{error}");
    // The call has ended, so all of its retries are over.
    ensure!(made().await?.len() == 1, "{:?}", made().await?);
    let request = watched(&namespace, &before.metadata.resource_version).param("timeoutSeconds", "1");
    let mut watch = admin.watch::<ConfigMap>(request).await?;
    let mut creates = 0;
    while let Some(event) = watch.next().await {
        if let WatchEvent::Added(map) = event? {
            creates += names([&map]).len();
        }
    }
    ensure!(creates == 1, "created {creates} times");
    Ok(())
}

pub(super) async fn unreachable(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let proxy = Proxy::start(stage.config()).await?;
    let config = proxy.config(stage.config())?;
    let client = RestClient::from_config(&config)?;
    client.send_list::<ConfigMap>(maps(&namespace)).await?;
    proxy.set(Weather { refused: true, ..Weather::default() });
    proxy.cut();
    let request = create_request(&namespace, "never");
    let error = client.send::<ConfigMap>(request).await.err().context("created")?;
    ensure!(
        error.to_string().contains(config.server.authority().map_or("", |host| host.as_str())),
        "{error}"
    );
    proxy.set(Weather::default());
    create(&client, &namespace, "now").await?;
    let nowhere = Config::new("https://127.0.0.1:1".parse()?);
    let error = RestClient::from_config(&nowhere)?.send_raw(Request::get().abs_path(["/version"])).await;
    let error = error.err().context("somebody answers at port 1")?;
    ensure!(error.to_string().contains("can't connect to 127.0.0.1:1"), "{error}");
    Ok(())
}

fn refuse(
    method: &str,
    code: u16,
    reason: &str,
    retry_after_seconds: Option<u32>,
    times: Option<usize>,
) -> Fault {
    let effect = Effect::Status {
        code,
        reason: reason.to_owned(),
        message: "not now".to_owned(),
        retry_after_seconds,
    };
    let fault = Fault::new(effect).method(method).path_contains("configmaps");
    match times {
        Some(times) => fault.times(times),
        None => fault,
    }
}

pub(super) async fn too_many_requests(stage: &Stage) -> Result<()> {
    let (namespace, faults) = (stage.namespace().await?, Faults::of(stage));
    let client = faults.client(stage.config())?;
    for method in ["POST", "GET", "DELETE"] {
        faults.inject(refuse(method, 429, "TooManyRequests", Some(0), Some(3)));
    }
    faults.clear_requests();
    create(&client, &namespace, "one").await?;
    client.send::<ConfigMap>(maps(&namespace).name("one")).await?;
    client.send_raw(Request::delete().of::<ConfigMap>().namespace(&namespace).name("one")).await?;
    ensure!(faults.requests().len() == 12, "{} requests", faults.requests().len());
    // Without a word on when, there is no second try.
    faults.inject(refuse("GET", 429, "TooManyRequests", None, Some(1)));
    let error = client.send_list::<ConfigMap>(maps(&namespace)).await.err().context("answered")?;
    ensure!(error.api().is_some_and(client_rs_machinery::ApiError::is_too_many_requests), "{error}");
    Ok(())
}

pub(super) async fn priority_and_fairness(stage: &Stage) -> Result<()> {
    let (admin, namespace) = (stage.client()?, stage.namespace().await?);
    let (name, user) = (namespace.clone(), format!("flood-{namespace}"));
    let flow = "/apis/flowcontrol.apiserver.k8s.io/v1";
    // Without a share of its own, a level serves one request at a time and refuses the others.
    let level = json!({
        "apiVersion": "flowcontrol.apiserver.k8s.io/v1", "kind": "PriorityLevelConfiguration",
        "metadata": {"name": name},
        "spec": {"type": "Limited", "limited": {
            "nominalConcurrencyShares": 0, "lendablePercent": 0, "borrowingLimitPercent": 0,
            "limitResponse": {"type": "Reject"},
        }},
    });
    let schema = json!({
        "apiVersion": "flowcontrol.apiserver.k8s.io/v1", "kind": "FlowSchema", "metadata": {"name": name},
        "spec": {
            "priorityLevelConfiguration": {"name": name},
            "matchingPrecedence": 2,
            "rules": [{
                "subjects": [{"kind": "User", "user": {"name": user}}],
                "resourceRules": [
                    {"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"], "namespaces": ["*"]},
                ],
            }],
        },
    });
    // Administrators are exempt from flow control: an ordinary user it must be.
    let binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": "edit"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "edit"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": user}],
    });
    let bindings = format!("/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/rolebindings");
    post_json(&admin, &bindings, &binding).await?;
    post_json(&admin, &format!("{flow}/prioritylevelconfigurations"), &level).await?;
    post_json(&admin, &format!("{flow}/flowschemas"), &schema).await?;
    let impersonate = Impersonate::new(user);
    let flooding = stage.config().clone().with_impersonate(impersonate);
    let outcome = flood(&RestClient::from_config(&flooding)?, &namespace).await;
    for path in ["flowschemas", "prioritylevelconfigurations"] {
        admin.send_raw(Request::delete().request_uri(&format!("{flow}/{path}/{name}"))).await?;
    }
    outcome?;
    let list = admin.send_list::<ConfigMap>(maps(&namespace)).await?;
    ensure!(names(&list.items).len() == FLOOD, "{:?}", names(&list.items));
    Ok(())
}

/// Requests at once, where the server takes one.
const FLOOD: usize = 8;

/// Some of many requests at once get 429; creates that wait for their turn are all made in the end.
async fn flood(client: &RestClient, namespace: &str) -> Result<()> {
    let error = eventually("the server says 429", || async {
        let lists = (0..FLOOD).map(|_| client.send_list::<ConfigMap>(maps(namespace).max_retries(0)));
        let refused = join_all(lists)
            .await
            .into_iter()
            .filter_map(Result::err)
            .find(|error| error.api().is_some_and(client_rs_machinery::ApiError::is_too_many_requests));
        refused.context("all were served")
    })
    .await?;
    ensure!(error.retry_after().is_some_and(|wait| wait > Duration::ZERO), "no wait: {error}");
    let creates = (0..FLOOD).map(|number| {
        client.send::<ConfigMap>(create_request(namespace, &format!("map-{number}")).max_retries(90))
    });
    for created in join_all(creates).await {
        created?;
    }
    Ok(())
}

pub(super) async fn storm(stage: &Stage) -> Result<()> {
    let (namespace, faults) = (stage.namespace().await?, Faults::of(stage));
    let client = faults.client(stage.config())?;
    for code in [500, 502, 503, 504] {
        // A read gets through when the storm is over.
        faults.inject(refuse("GET", code, "", Some(0), Some(4)));
        faults.clear_requests();
        client.send_list::<ConfigMap>(maps(&namespace)).await?;
        ensure!(faults.requests().len() == 5, "{} requests", faults.requests().len());
        // One that does not end is given up.
        faults.inject(refuse("GET", code, "", Some(0), None));
        faults.clear_requests();
        let error = client.send_list::<ConfigMap>(maps(&namespace)).await.err().context("answered")?;
        ensure!(error.api().is_some_and(|api| api.code() == i32::from(code)), "{error}");
        ensure!(faults.requests().len() == 11, "{} requests", faults.requests().len());
        faults.clear();
        // A create is not repeated: it may have been carried out.
        faults.inject(refuse("POST", code, "", Some(0), Some(1)));
        faults.clear_requests();
        let error = create(&client, &namespace, "never").await.err().context("created")?;
        ensure!(error.api().is_some_and(|api| api.code() == i32::from(code)), "{error}");
        ensure!(faults.requests().len() == 1, "{} requests", faults.requests().len());
    }
    let list = client.send_list::<ConfigMap>(maps(&namespace)).await?;
    ensure!(names(&list.items).is_empty(), "{:?}", names(&list.items));
    Ok(())
}
