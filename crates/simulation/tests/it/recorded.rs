//! A recording of a small operator, and its replay.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use client_rs_api::core::v1::{ConfigMap, Namespace, Secret};
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_client::{Api, RestClient};
use client_rs_controller::recording::{Recording, RecordingOptions, RecordingSummary};
use client_rs_controller::{
    Action, AddedWatch, CancellationToken, Conditions as _, Context, Controller, KeyedController, Manager,
    ReconcileError,
};
use client_rs_informers::SharedInformerFactory;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::{Condition, ObjectMeta};
use client_rs_machinery::{List, ObjectKey, Time, json};
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

/// A server and a user of it, with a name of its own.
struct World {
    user: RestClient,
    config: Config,
    _parts: (Server, InProcess),
}

impl World {
    async fn new(file: &Path) -> Self {
        let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
        let user = server.rest_client().unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let uri = format!("http://{name}").parse::<http::Uri>().unwrap();
        let way = InProcess::register(&uri, user.transport().clone());
        Self { user, config: Config::new(uri), _parts: (server, way) }
    }

    async fn create_password(&self) {
        let mut password = Secret { metadata: named("password"), ..Secret::EMPTY };
        password.string_data.insert("password", PASSWORD.into());
        Api::<Secret>::namespaced(&self.user, "default").create(password).await.unwrap();
    }

    /// Creates maps with these numbers, changes each, and waits until all of them have their copies.
    async fn create_maps(&self, numbers: std::ops::Range<u32>) {
        let api = Api::<ConfigMap>::namespaced(&self.user, "default");
        let most = usize::try_from(numbers.end).unwrap();
        for number in numbers {
            let mut map = ConfigMap { metadata: named(&format!("map-{number}")), ..ConfigMap::EMPTY };
            map.data.insert("value", number.to_string().into());
            map.data.insert("host", format!("{}.example", number % 3).into());
            let mut map = api.create(map).await.unwrap();
            tokio::time::sleep(Duration::from_millis(u64::from(number % 7))).await;
            map.data.insert("value", "changed".into());
            api.update(map).await.unwrap();
        }
        let secrets = Api::<Secret>::namespaced(&self.user, "default");
        let changed = |secret: &Secret| {
            secret.metadata.annotations.get("greeting").is_some_and(|text| *text == "hello changed")
        };
        // On a paused clock.
        while secrets.list().await.unwrap().items.iter().filter(|secret| changed(secret)).count() < most {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}

fn named(name: &str) -> ObjectMeta {
    ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY }
}

async fn record(file: &Path, maps: u32, options: RecordingOptions) -> RecordingSummary {
    let world = World::new(file).await;
    let recording = Recording::start(&world.config, file, options).unwrap();
    let stop = CancellationToken::new();
    let manager = manager(RestClient::from_config(recording.config()).unwrap(), "hello");
    let running = tokio::spawn(manager.run(stop.clone()));
    world.create_password().await;
    world.create_maps(0..maps).await;
    stop.cancel();
    running.await.unwrap().unwrap();
    recording.finish().unwrap()
}

/// Asks for the next lines of a recording on request.
async fn read(recording: &Recording, text: &mut String, values: bool) -> Result<(), String> {
    let uri = format!("/debug/record?session=test&at={}&values={values}", text.len());
    let response = recording.handler()(http::Request::get(uri).body(()).unwrap()).await;
    let body = String::from_utf8(response.body().to_vec()).unwrap();
    if !response.status().is_success() {
        return Err(format!("{} {body}", response.status().as_u16()));
    }
    text.push_str(&body);
    Ok(())
}

/// Begins to read when there are maps already, and reads, or does not, while there are more.
async fn record_on_request(file: &Path, options: RecordingOptions, values: bool, reads: bool) -> String {
    let world = World::new(file).await;
    let recording = Recording::on_request(&world.config, options).unwrap();
    let stop = CancellationToken::new();
    let manager = manager(RestClient::from_config(recording.config()).unwrap(), "hello");
    let running = tokio::spawn(manager.run(stop.clone()));
    world.create_password().await;
    world.create_maps(0..10).await;
    let mut text = String::new();
    read(&recording, &mut text, values).await.unwrap();
    world.create_maps(10..20).await;
    if reads {
        read(&recording, &mut text, values).await.unwrap();
        // A response that was lost is sent again.
        let before = text.clone();
        let half = text.len();
        read(&recording, &mut text, values).await.unwrap();
        assert_eq!((&before[..half], text.len()), (&text[..half], half), "nothing has happened since");
        world.create_maps(20..25).await;
        read(&recording, &mut text, values).await.unwrap();
    } else {
        while read(&recording, &mut text, values).await.is_ok() {}
    }
    stop.cancel();
    running.await.unwrap().unwrap();
    std::fs::write(file, &text).unwrap();
    text
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap()
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.jsonl"))
}

/// Makes a recording, unless this is the process of its replay.
fn recorded(name: &str, maps: u32, options: RecordingOptions) -> (PathBuf, Option<RecordingSummary>) {
    let file = file(name);
    if Replay::is_worker() {
        return (file, None);
    }
    let summary = runtime().block_on(record(&file, maps, options));
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

#[test]
fn a_recording_that_begins_in_the_middle_is_replayed() {
    let file = file("in-the-middle");
    if !Replay::is_worker() {
        let options = RecordingOptions::default().with_values_on_request(true);
        let text = runtime().block_on(record_on_request(&file, options, true, true));
        assert!(!text.contains(PASSWORD) && !text.contains("Y29ycmVjdCBob3Jz"), "{text}");
        let is_old = |line: &&str| line.contains("\"run\":{") && line.contains("\"map-3\"");
        assert!(text.contains("\"map-3\"") && !text.lines().any(|line| is_old(&line)), "{text}");
    }
    let replay = replay(&file, "hello").differences(usize::MAX);
    let report = report("recorded::a_recording_that_begins_in_the_middle_is_replayed", &replay);
    assert!(report.differences.is_empty() && report.unknown.is_empty(), "{report}");
    assert!(report.runs >= 15 && report.writes >= 15 && report.ends_early.is_none(), "{report}");
}

#[test]
fn a_reader_that_is_too_slow_gets_a_recording_that_says_so() {
    let file = file("slow-reader");
    if !Replay::is_worker() {
        let options = RecordingOptions::default().with_values_on_request(true).with_buffered_bytes(20_000);
        let text = runtime().block_on(record_on_request(&file, options, true, false));
        assert!(text.lines().last().unwrap().contains("\"cut\":{\"why\":\"the reader was slower"), "{text}");
    }
    let report =
        report("recorded::a_reader_that_is_too_slow_gets_a_recording_that_says_so", &replay(&file, "hello"));
    assert!(report.differences.is_empty() && report.runs > 0, "{report}");
    let text = report.to_string();
    assert!(text.contains("The recording ends early: the reader was slower"), "{text}");
}

#[test]
fn a_recording_without_values_is_not_replayed() {
    let file = file("without-values");
    if !Replay::is_worker() {
        let text = runtime().block_on(record_on_request(&file, RecordingOptions::default(), false, true));
        assert!(
            text.contains("\"map-3\"") && text.contains("\"end\"") && !text.contains("changed"),
            "{text}"
        );
    }
    let arguments = ["recorded::a_recording_without_values_is_not_replayed", "--exact", "--nocapture"];
    let error = replay(&file, "hello").run(&arguments.map(str::to_owned)).unwrap_err().to_string();
    assert!(error.contains("krs record --values"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn one_reader_at_a_time_and_no_browser() {
    if Replay::is_worker() {
        return;
    }
    let world = World::new(&file("one-reader")).await;
    let recording = Recording::on_request(&world.config, RecordingOptions::default()).unwrap();
    let ask = |query: &str, header: &str| {
        let mut request = http::Request::get(format!("/debug/record?{query}"));
        if !header.is_empty() {
            request = request.header(header, "http://evil.example");
        }
        let response = recording.handler()(request.body(()).unwrap());
        async move { response.await.status().as_u16() }
    };
    assert_eq!(ask("session=a&at=0", "origin").await, 403);
    assert_eq!(ask("session=a&at=0", "sec-fetch-site").await, 403);
    assert_eq!(ask("session=a", "").await, 400);
    assert_eq!(ask("session=a&at=7", "").await, 410);
    assert_eq!(ask("session=a&at=0&values=true", "").await, 403);
    assert_eq!(ask("session=a&at=0", "").await, 200);
    assert_eq!(ask("session=b&at=0", "").await, 409);
    assert_eq!(ask("session=a&at=3", "").await, 409);
    assert_eq!(ask("session=a&at=0&end=true", "").await, 200);
    assert_eq!(ask("session=b&at=0", "").await, 200);
    assert_eq!(ask("session=a&at=9", "").await, 410);
    let to_file = Recording::start(&world.config, file("to-file"), RecordingOptions::default()).unwrap();
    let request = http::Request::get("/debug/record?session=a&at=0").body(()).unwrap();
    assert_eq!(to_file.handler()(request).await.status(), 409);
}

/// Writes one map for each host, with the number of the maps that name it: a controller whose keys are texts.
fn hosts(rest: RestClient) -> (Manager, AddedWatch) {
    let factory = SharedInformerFactory::new(rest.clone());
    let maps = factory.of::<ConfigMap>();
    let lister = maps.lister();
    let hosts = KeyedController::new("hosts", move |host: String, _: Context| {
        let (lister, rest) = (lister.clone(), rest.clone());
        async move {
            let maps = lister.list(&Selector::everything());
            let of_host = maps.iter().filter(|map| host_of(map).as_deref() == Some(&*host)).count();
            let text = json!({"metadata": {"name": host}, "data": {"maps": of_host.to_string()}});
            Api::<ConfigMap>::namespaced(&rest, "hosts").apply(text, "hosts").await?;
            Ok::<_, ReconcileError>(Action::done())
        }
    });
    let watch = hosts.watch(&maps.informer(), |map: &Arc<ConfigMap>| host_of(map)).unwrap();
    (Manager::new(&factory).controller(hosts), watch)
}

fn host_of(map: &ConfigMap) -> Option<String> {
    map.data.get("host").map(ToString::to_string)
}

async fn record_hosts(file: &Path) -> RecordingSummary {
    let world = World::new(file).await;
    let recording = Recording::start(&world.config, file, RecordingOptions::default()).unwrap();
    let stop = CancellationToken::new();
    let (manager, _watch) = hosts(RestClient::from_config(recording.config()).unwrap());
    let running = tokio::spawn(manager.run(stop.clone()));
    let namespace = json!({"metadata": {"name": "hosts"}});
    Api::<Namespace>::cluster(&world.user).apply(namespace, "user").await.unwrap();
    let api = Api::<ConfigMap>::namespaced(&world.user, "default");
    for number in 0..30 {
        let mut map = ConfigMap { metadata: named(&format!("map-{number}")), ..ConfigMap::EMPTY };
        map.data.insert("host", format!("{}.example", number % 3).into());
        api.create(map).await.unwrap();
        tokio::time::sleep(Duration::from_millis(number % 7)).await;
    }
    let written = Api::<ConfigMap>::namespaced(&world.user, "hosts");
    let is_done = |map: &ConfigMap| map.data.get("maps").is_some_and(|maps| *maps == "10");
    while written.list().await.unwrap().items.iter().filter(|map| is_done(map)).count() < 3 {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    stop.cancel();
    running.await.unwrap().unwrap();
    recording.finish().unwrap()
}

#[test]
fn runs_of_a_keyed_controller_are_replayed() {
    let file = file("keyed");
    let summary = (!Replay::is_worker()).then(|| runtime().block_on(record_hosts(&file)));
    let replay = Replay::new(&file, |replica| async move {
        let (manager, watch) = hosts(replica.client);
        watch.keep();
        Ok::<_, String>(manager)
    });
    let report = report("recorded::runs_of_a_keyed_controller_are_replayed", &replay.differences(usize::MAX));
    assert!(report.differences.is_empty() && report.unknown.is_empty(), "{report}");
    assert_eq!(report.runs + report.interrupted, summary.unwrap().runs, "{report}");
    assert!(report.runs >= 6 && report.writes >= 6, "{report}");
}
