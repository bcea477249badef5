//! Forks and snapshots of a storage.

use client_rs_apiserver::{RestoreError, Server, ServerOptions, Storage, StorageOptions};
use client_rs_machinery::{Json, json};
use http_body_util::BodyExt;

use crate::common::{Client, server};

const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const THINGS: &str = "/apis/test.example.com/v1/namespaces/default/things";

async fn over(storage: Storage) -> Server {
    Server::start_with(ServerOptions::default().with_listen(None).with_storage(storage.into())).await.unwrap()
}

fn map(name: &str) -> Json {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"k": "v"}})
}

fn thing(name: &str) -> Json {
    json!({"apiVersion": "test.example.com/v1", "kind": "Thing", "metadata": {"name": name}, "spec": {"a": "x"}})
}

/// A definition, an object of it, a config map, and one that owns another.
async fn prepare(client: &mut Client) {
    let schema = json!({
        "type": "object",
        "properties": {"spec": {"type": "object", "properties": {"a": {"type": "string"}}}},
    });
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.test.example.com"},
        "spec": {
            "group": "test.example.com", "scope": "Namespaced", "names": {"plural": "things", "kind": "Thing"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    });
    assert_eq!(client.post(DEFINITIONS, &definition).await.code, 201);
    assert_eq!(client.post(THINGS, &thing("one")).await.code, 201);
    let owner = client.post(MAPS, &map("owner")).await.json();
    let mut dependent = map("owned");
    let uid = owner["metadata"]["uid"].clone();
    let reference = json!([{"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": uid}]);
    dependent.set(&["metadata", "ownerReferences"], reference).unwrap();
    assert_eq!(client.post(MAPS, &dependent).await.code, 201);
}

async fn names(client: &mut Client, path: &str) -> Vec<String> {
    let list = client.get(path).await.json();
    let items = list["items"].as_list().unwrap().iter();
    items.map(|item| item["metadata"]["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_fork_has_the_same_objects_and_separate_changes() {
    let original = server().await;
    let mut first = Client::new(&original).await;
    prepare(&mut first).await;
    let before = first.get(&format!("{MAPS}/owner")).await.json();

    let fork = over(original.storage().fork()).await;
    let mut second = Client::new(&fork).await;
    assert_eq!(second.get(&format!("{MAPS}/owner")).await.json(), before);
    assert_eq!(names(&mut second, THINGS).await, ["one"]);

    assert_eq!(second.post(MAPS, &map("of-the-fork")).await.code, 201);
    assert_eq!(first.post(MAPS, &map("of-the-original")).await.code, 201);
    assert_eq!(first.post(THINGS, &thing("two")).await.code, 201);
    assert_eq!(names(&mut second, MAPS).await, ["of-the-fork", "owned", "owner"]);
    assert_eq!(names(&mut first, MAPS).await, ["of-the-original", "owned", "owner"]);
    assert_eq!(names(&mut second, THINGS).await, ["one"]);

    // The graph of owners is copied, and its own controllers follow it.
    assert_eq!(second.delete(&format!("{MAPS}/owner")).await.code, 200);
    while names(&mut second, MAPS).await != ["of-the-fork"] {
        tokio::task::yield_now().await;
    }
    assert_eq!(first.get(&format!("{MAPS}/owned")).await.code, 200);
}

#[tokio::test(start_paused = true)]
async fn a_watch_continues_in_a_fork_and_ends_with_its_own_definition_only() {
    let original = server().await;
    let mut first = Client::new(&original).await;
    prepare(&mut first).await;
    let version = first.get(THINGS).await.json()["metadata"]["resourceVersion"].as_str().unwrap().to_owned();
    let fork = over(original.storage().fork()).await;
    let mut second = Client::new(&fork).await;
    let watch = format!("{THINGS}?watch=true&resourceVersion={version}");
    let mut events = Client::new(&fork).await.open("GET", &watch, &[], b"").await.into_body();

    // The original loses the definition, the fork does not.
    let at = format!("{DEFINITIONS}/things.test.example.com");
    assert_eq!(first.delete(&at).await.code, 200);
    assert_eq!(first.get(THINGS).await.code, 404);
    assert_eq!(second.post(THINGS, &thing("two")).await.code, 201);
    let event = events.frame().await.unwrap().unwrap().into_data().unwrap();
    assert_eq!(Json::parse(&event).unwrap()["object"]["metadata"]["name"], json!("two"));
}

#[tokio::test(start_paused = true)]
async fn a_snapshot_restores_objects_versions_and_custom_resources() {
    let original = server().await;
    let mut first = Client::new(&original).await;
    prepare(&mut first).await;
    let before = first.get(MAPS).await.json();
    let data = original.storage().snapshot();

    let restored = over(Storage::restore(StorageOptions::default(), &data).unwrap()).await;
    let mut second = Client::new(&restored).await;
    assert_eq!(second.get(MAPS).await.json(), before);
    assert_eq!(names(&mut second, THINGS).await, ["one"]);
    assert_eq!(restored.controls().revision(), original.controls().revision());
    // A list at an old version is gone, the next write has the next version.
    let old = format!("{MAPS}?resourceVersion=2&resourceVersionMatch=Exact");
    assert_eq!(second.get(&old).await.code, 410);
    let next = second.post(MAPS, &map("new")).await.json();
    let revision = original.controls().revision() + 1;
    assert_eq!(next["metadata"]["resourceVersion"], json!(revision.to_string()));
    // The garbage collector knows the restored owners.
    assert_eq!(second.delete(&format!("{MAPS}/owner")).await.code, 200);
    while names(&mut second, MAPS).await != ["new"] {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_snapshot_of_a_restored_storage_is_the_same() {
    let original = server().await;
    prepare(&mut Client::new(&original).await).await;
    let data = original.storage().snapshot();
    let restored = Storage::restore(StorageOptions::default(), &data).unwrap();
    assert_eq!(restored.snapshot(), data);
}

#[tokio::test]
async fn clients_fork_a_server_and_end_the_fork() {
    let server = Server::start_with(ServerOptions::default().with_forks(true)).await.unwrap();
    let mut first = Client::new(&server).await;
    prepare(&mut first).await;
    let forked = first.post("/krs/forks", &json!({})).await;
    assert_eq!(forked.code, 201, "{}", forked.message());
    let url = forked.json()["url"].as_str().unwrap().to_owned();
    assert_eq!(first.get("/krs/forks").await.json(), json!({"urls": [url.as_str()]}));
    let address = url.strip_prefix("http://").unwrap();
    let port = address.rsplit(':').next().unwrap();
    let connect = async || tokio::net::TcpStream::connect(address).await;

    let mut second = Client::over(connect().await.unwrap()).await;
    assert_eq!(second.delete(&format!("{THINGS}/one")).await.code, 200);
    assert_eq!(names(&mut first, THINGS).await, ["one"]);
    assert_eq!(first.delete(&format!("/krs/forks/{port}")).await.code, 200);
    assert_eq!(first.delete(&format!("/krs/forks/{port}")).await.code, 404);
    assert!(connect().await.is_err());

    // Forks stop with their server.
    let url = first.post("/krs/forks", &json!({})).await.json()["url"].as_str().unwrap().to_owned();
    server.shutdown().await;
    drop(first);
    assert!(tokio::net::TcpStream::connect(url.strip_prefix("http://").unwrap()).await.is_err());
    // Without the option, there is no such path.
    let server = crate::common::server().await;
    assert_eq!(Client::new(&server).await.get("/krs/forks").await.code, 404);
}

#[test]
fn malformed_snapshots_are_errors_that_name_the_line() {
    let restore = |text: &str| Storage::restore(StorageOptions::default(), text.as_bytes()).unwrap_err();
    let head = "{\"kind\": \"krs-snapshot\", \"version\": 1, \"revision\": 7}\n";
    for (text, line) in [
        ("", 1),
        ("{}\n", 1),
        ("{\"kind\": \"krs-snapshot\", \"version\": 99, \"revision\": 7}", 1),
        (&format!("{head}{{"), 2),
        (&format!("{head}\n{{\"group\": \"\", \"plural\": \"pods\"}}"), 3),
        (
            &format!(
                "{head}{{\"group\": \"\", \"plural\": \"pods\", \"object\": {{\"kind\": \"Pod\", \"apiVersion\": \"v1\"}}}}"
            ),
            2,
        ),
    ] {
        let RestoreError::Malformed { line: found, .. } = restore(text) else { panic!("{text}") };
        assert_eq!(found, line, "{text}");
    }
    let unknown = format!("{head}{{\"group\": \"x.example\", \"plural\": \"xs\", \"object\": {{}}}}");
    let error = restore(&unknown);
    assert!(matches!(&error, RestoreError::NotServed { line: 2, .. }), "{error}");
    assert!(error.to_string().contains("xs.x.example"), "{error}");
}
