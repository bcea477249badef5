//! Several servers over one storage.

use client_rs_apiserver::{Access, Server, ServerOptions, Storage, StorageOptions};
use client_rs_machinery::{Json, json};
use http_body_util::BodyExt;

use crate::common::Client;

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

fn options() -> ServerOptions {
    ServerOptions::default().with_listen(None)
}

fn over(storage: &Storage) -> ServerOptions {
    options().with_storage(storage.into())
}

async fn next_event(body: &mut hyper::body::Incoming) -> Json {
    let frame = body.frame().await.unwrap().unwrap();
    Json::parse(&frame.into_data().unwrap()).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_write_through_one_server_is_seen_by_a_watch_through_another() {
    let storage = Storage::new(StorageOptions::default()).unwrap();
    let one = Server::start_with(over(&storage)).await.unwrap();
    let other = Server::start_with(over(&storage)).await.unwrap();
    let mut watcher = Client::new(&one).await;
    let mut writer = Client::new(&other).await;
    let mut watch = watcher.open("GET", &format!("{MAPS}?watch=true"), &[], b"").await.into_body();

    let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "v"}});
    let created = writer.post(MAPS, &map).await;
    assert_eq!(created.code, 201);
    let event = next_event(&mut watch).await;
    assert_eq!((&event["type"], &event["object"]), (&json!("ADDED"), &created.json()));

    // An update through one server needs the version that the other has written.
    let mut changed = created.json();
    changed.set(&["data", "k"], "w").unwrap();
    let at = format!("{MAPS}/a");
    assert_eq!(Client::new(&one).await.put(&at, &changed).await.code, 200);
    assert_eq!(writer.put(&at, &changed).await.code, 409);
    assert_eq!(next_event(&mut watch).await["type"], json!("MODIFIED"));

    // Stopping one server stops neither the other nor the objects.
    one.shutdown().await;
    assert_eq!(writer.get(&at).await.json()["data"]["k"], json!("w"));
    other.shutdown().await;
    let third = Server::start_with(over(&storage)).await.unwrap();
    assert_eq!(Client::new(&third).await.get(&at).await.code, 200);
}

#[tokio::test(start_paused = true)]
async fn servers_of_one_storage_share_controllers_and_credentials() {
    let one = Server::start_with(options()).await.unwrap();
    let guarded = over(one.storage()).with_access(Access::Rbac);
    let other = Server::start_with(guarded).await.unwrap();
    let bearer = format!("Bearer {}", one.admin_token());
    let mut client = Client::new(&other).await;
    let credentials = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "gone"}});
    let created = client.send("POST", "/api/v1/namespaces", &credentials, &namespace.to_vec()).await;
    assert_eq!(created.code, 201, "{}", created.message());
    // The server that runs the controllers may stop first.
    one.shutdown().await;
    let answer = client.send("GET", "/api/v1/namespaces/gone", &credentials, b"").await;
    assert_eq!(answer.code, 401, "the token ends with its server");
    let bearer = format!("Bearer {}", other.admin_token());
    let credentials = [("authorization", bearer.as_str())];
    assert_eq!(client.send("DELETE", "/api/v1/namespaces/gone", &credentials, b"").await.code, 200);
    for _ in 0..1000 {
        if client.send("GET", "/api/v1/namespaces/gone", &credentials, b"").await.code == 404 {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("the namespace is never removed");
}
