//! A recording of a small operator, and its replay.

use std::path::{Path, PathBuf};
use std::time::Duration;

use client_rs_api::core::v1::{ConfigMap, Secret};
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_client::{Api, RestClient};
use client_rs_controller::recording::{Recording, RecordingOptions, RecordingSummary};
use client_rs_controller::{
    Action, CancellationToken, Conditions as _, Context, Controller, Manager, ReconcileError,
};
use client_rs_informers::SharedInformerFactory;
use client_rs_machinery::meta::v1::{Condition, ObjectMeta};
use client_rs_machinery::{List, ObjectKey, Time};
use client_rs_simulation::{Replay, ReplayReport};
use client_rs_transport::Config;
use client_rs_transport::http::InProcess;

const PASSWORD: &str = "correct horse battery";

/// Keeps a secret for each config map: its value, the time, and a copy of a password.
fn manager(rest: RestClient, greeting: &'static str) -> Manager {
    let factory = SharedInformerFactory::new(rest.clone());
    let (maps, secrets) = (factory.of::<ConfigMap>(), factory.of::<Secret>());
    let (map_lister, secret_lister) = (maps.lister(), secrets.lister());
    let controller = Controller::new("copies", maps.informer()).reads(&secrets.informer());
    let controller = controller.reconcile(move |key: ObjectKey, _: Context| {
        let (maps, secrets, rest) = (map_lister.clone(), secret_lister.clone(), rest.clone());
        async move {
            let Ok(map) = maps.get(&key) else { return Ok(Action::done()) };
            let password = secrets.get(&ObjectKey::new("default", "password"));
            let password = password.ok().and_then(|secret| secret.data.get("password").cloned());
            let Some(password) = password else {
                return Err(ReconcileError::message("there is no password"));
            };
            let api = Api::<Secret>::namespaced(&rest, key.namespace.clone());
            // A read from the server, so that the run waits in the middle.
            let name = format!("copy-{}", key.name);
            let found = api.get_opt(&name).await?;
            let mut copy =
                Secret { metadata: ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY }, ..Secret::EMPTY };
            copy.data.insert("password", password);
            let mut conditions = List::<Condition>::default();
            conditions.set(Condition { type_: "Copied".into(), status: "True".into(), ..Condition::EMPTY });
            let at = conditions.first().and_then(|condition| condition.last_transition_time);
            copy.metadata.annotations.insert("at", at.unwrap_or(Time::now()).to_string().into());
            let value = map.data.get("value").map(ToString::to_string).unwrap_or_default();
            copy.metadata.annotations.insert("greeting", format!("{greeting} {value}").into());
            match found {
                None => drop(api.create(copy).await?),
                Some(old) => {
                    copy.metadata.resource_version = old.metadata.resource_version;
                    api.update(copy).await?;
                }
            }
            Ok::<_, ReconcileError>(Action::done())
        }
    });
    Manager::new(&factory).controller(controller)
}

async fn record(file: &Path, maps: u32, options: RecordingOptions) -> RecordingSummary {
    let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
    let user = server.rest_client().unwrap();
    let uri = format!("http://{}", file.file_stem().unwrap().to_str().unwrap()).parse::<http::Uri>().unwrap();
    let way = InProcess::register(&uri, user.transport().clone());
    let recording = Recording::start(&Config::new(uri), file, options).unwrap();
    let stop = CancellationToken::new();
    let manager = manager(RestClient::from_config(recording.config()).unwrap(), "hello");
    let running = tokio::spawn(manager.run(stop.clone()));
    let named = |name: &str| ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY };
    let mut password = Secret { metadata: named("password"), ..Secret::EMPTY };
    password.string_data.insert("password", PASSWORD.into());
    Api::<Secret>::namespaced(&user, "default").create(password).await.unwrap();
    let api = Api::<ConfigMap>::namespaced(&user, "default");
    for number in 0..maps {
        let mut map = ConfigMap { metadata: named(&format!("map-{number}")), ..ConfigMap::EMPTY };
        map.data.insert("value", number.to_string().into());
        let mut map = api.create(map).await.unwrap();
        tokio::time::sleep(Duration::from_millis(u64::from(number % 7))).await;
        map.data.insert("value", "changed".into());
        api.update(map).await.unwrap();
    }
    let secrets = Api::<Secret>::namespaced(&user, "default");
    let changed = |secret: &Secret| {
        secret.metadata.annotations.get("greeting").is_some_and(|text| *text == "hello changed")
    };
    let maps = usize::try_from(maps).unwrap();
    // On a paused clock.
    while secrets.list().await.unwrap().items.iter().filter(|secret| changed(secret)).count() < maps {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    stop.cancel();
    running.await.unwrap().unwrap();
    drop(way);
    recording.finish().unwrap()
}

/// Makes a recording, unless this is the process of its replay.
fn recorded(name: &str, maps: u32, options: RecordingOptions) -> (PathBuf, Option<RecordingSummary>) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.jsonl"));
    if Replay::is_worker() {
        return (file, None);
    }
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    let summary = runtime.block_on(record(&file, maps, options));
    (file, Some(summary))
}

fn replay(file: &Path, greeting: &'static str) -> Replay {
    Replay::new(file, move |replica| async move { Ok::<_, String>(manager(replica.client, greeting)) })
}

fn report(name: &str, replay: &Replay) -> ReplayReport {
    let arguments = [name, "--exact", "--nocapture", "--test-threads=1"].map(str::to_owned);
    replay.run(&arguments).unwrap()
}

#[test]
fn the_same_operator_writes_the_same_bytes() {
    let (file, summary) = recorded("same-bytes", 20, RecordingOptions::default());
    let replay = replay(&file, "hello").differences(usize::MAX);
    let report = report("recorded::the_same_operator_writes_the_same_bytes", &replay);
    assert!(report.differences.is_empty() && report.unknown.is_empty(), "{report}");
    assert_eq!((report.runs + report.interrupted, report.equal), (summary.unwrap().runs, report.runs));
    assert!(report.runs > 20 && report.writes >= 20, "{report}");
}

#[test]
fn another_operator_differs_in_its_first_write() {
    let (file, _) = recorded("other-bytes", 2, RecordingOptions::default());
    let name = "recorded::another_operator_differs_in_its_first_write";
    let found = report(name, &replay(&file, "good morning"));
    assert!(found.is_stopped);
    let [difference] = &*found.differences else { panic!("{found}") };
    assert_eq!((&*difference.controller, &*difference.key), ("copies", "default/map-0"));
    assert_eq!(difference.request, "POST /api/v1/namespaces/default/secrets");
    let [line] = &*difference.lines else { panic!("{found}") };
    let values = line.strip_prefix("metadata.annotations.greeting ").unwrap().split_once(" → ").unwrap();
    assert!(values.0.starts_with("\"hello ") && values.1.starts_with("\"good morning "), "{line}");
}

#[test]
fn a_field_that_is_ignored_does_not_differ() {
    let (file, _) = recorded("ignored", 2, RecordingOptions::default());
    let replay = replay(&file, "good morning").ignore("metadata.annotations.greeting");
    let found = report("recorded::a_field_that_is_ignored_does_not_differ", &replay);
    assert!(found.differences.is_empty() && found.writes >= 2, "{found}");
}

#[test]
fn a_recording_has_no_password_and_is_as_small_as_asked() {
    if Replay::is_worker() {
        return;
    }
    let (file, summary) = recorded("password", 3, RecordingOptions::default());
    assert!(!summary.unwrap().is_full);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("copy-map-0") && text.contains("aGlkZGVuO"), "{text}");
    // The password, and the beginning of its base64.
    assert!(!text.contains(PASSWORD) && !text.contains("Y29ycmVjdCBob3Jz"), "{text}");

    let (file, summary) = recorded("small", 3, RecordingOptions::default().with_max_bytes(4_096));
    assert!(summary.unwrap().is_full);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.len() < 5_000 && text.lines().last().unwrap().contains("full"), "{text}");
}
