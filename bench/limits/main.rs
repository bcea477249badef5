//! `limits WORKLOAD COUNT`: one small workload, which `cargo xtask limits` runs under valgrind.
//!
//! Each run prepares everything for the largest count, and frees nothing at the end. So the difference between a run
//! with some count and a run with 0 is the workload's own: instructions, and live bytes.

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;

use client_rs_api::core::v1::{ConfigMap, Pod};
use client_rs_cache::{CancellationToken, MemoryListWatch, SharedInformer};
use client_rs_client::Api;
use client_rs_client::testing::Canned;
use client_rs_controller::{Action, Context, Controller, ControllerOptions, Recorder};
use client_rs_machinery::pool::Pool;
use client_rs_machinery::wire::{Decoding, Message};
use client_rs_machinery::{GroupResource, ObjectKey};
use client_rs_workqueue::WorkQueue;
use tokio::sync::watch;

/// The largest counts, of pods, of keys, and of objects that a controller reconciles.
const PODS: usize = 40;
const KEYS: usize = 4_000;
const MAPS: usize = 200;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (workload, count) = match &arguments[..] {
        [workload, count] => (workload.as_str(), count.parse::<usize>()),
        _ => ("", Ok(0)),
    };
    let most = match workload.split('-').next() {
        Some("queue") => KEYS,
        Some("controller") => MAPS,
        _ => PODS,
    };
    let Some(count) = count.ok().filter(|count| *count <= most) else {
        eprintln!("usage: limits WORKLOAD COUNT, with a count of at most {most}");
        return ExitCode::from(2);
    };
    match workload {
        "objects-json" | "objects-protobuf" | "objects-pooled" => objects(workload, count),
        "objects-lines" => lines(count),
        "queue-through" => queue(count, true),
        "queue-waiting" => queue(count, false),
        "controller-plain" => controller(count, Recorder::off()),
        "controller-recorded" => controller(count, Recorder::new()),
        other => {
            eprintln!("there is no workload {other:?}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Decodes pods and keeps them.
fn objects(workload: &str, count: usize) {
    let texts: Vec<Vec<u8>> = (0..PODS).map(|number| pod(number).into_bytes()).collect();
    let parsed = texts.iter().map(|text| Pod::from_json(text).expect("the pod is one"));
    let messages: Vec<Vec<u8>> = parsed.map(|pod| pod.to_protobuf()).collect();
    let pool = Pool::new();
    let mut pods: Vec<Arc<Pod>> = Vec::with_capacity(PODS);
    for number in 0..count {
        let pod = match workload {
            "objects-json" => Pod::from_json_with(&texts[number], &mut Decoding::new()),
            "objects-protobuf" => Pod::from_protobuf_with(&messages[number], &mut Decoding::new()),
            _ => Pod::from_protobuf_with(&messages[number], &mut Decoding::with_pool(&pool).stripped()),
        };
        pods.push(Arc::new(pod.expect("the pod is one")));
    }
    black_box(&pods);
    std::mem::forget((texts, messages, pool, pods));
}

/// Encodes config maps with a text of many lines, such as certificates: its cost must be that of its bytes.
fn lines(count: usize) {
    let maps: Vec<ConfigMap> = (0..PODS)
        .map(|number| {
            let line = format!("{number:063}\n");
            let data = [("ca.crt", line.repeat(512).into())].into_iter().collect();
            ConfigMap { data, ..ConfigMap::EMPTY }
        })
        .collect();
    let texts: Vec<Vec<u8>> = maps[..count].iter().map(Message::to_json).collect();
    black_box(&texts);
    std::mem::forget((maps, texts));
}

/// Adds keys, and takes them out again or lets them wait.
fn queue(count: usize, through: bool) {
    let keys: Vec<Arc<str>> =
        (0..KEYS).map(|number| format!("namespace-{:03}/object-{number:05}", number % 50).into()).collect();
    let queue = WorkQueue::<Arc<str>>::default();
    for key in &keys[..count] {
        queue.add(Arc::clone(key));
    }
    if through {
        for _ in 0..count {
            drop(black_box(queue.get_blocking()));
        }
    }
    std::mem::forget((keys, queue));
}

/// Reconciles objects twice: after the first list, and after a change of each. A run reads the cache and writes one object. The
/// server is a canned response, so the costs of a connection are not in it.
fn controller(count: usize, recorder: Recorder) {
    let maps: Vec<ConfigMap> = (0..MAPS).map(|number| map(number, 1)).collect();
    let changed: Vec<ConfigMap> = (0..MAPS).map(|number| map(number, 2)).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let server = Canned::new().echo("POST /api/v1/namespaces/shop/configmaps");
    let source: MemoryListWatch<ConfigMap> = maps.into_iter().take(count).collect();
    let informer = SharedInformer::new(source.clone());
    let lister = informer.lister(GroupResource::new("", "configmaps"));
    let api = Api::<ConfigMap>::namespaced(&server.client(), "shop");
    let runs = Arc::new(watch::Sender::new(0));
    let (counted, mut seen) = (Arc::clone(&runs), runs.subscribe());
    let options = ControllerOptions::default().with_recorder(recorder);
    let controller = Controller::with_options("maps", informer.clone(), options).reconcile(
        move |key: ObjectKey, _: Context| {
            let (lister, api, counted) = (lister.clone(), api.clone(), Arc::clone(&counted));
            async move {
                let map = lister.get(&key)?;
                api.create((*map).clone()).await?;
                counted.send_modify(|runs| *runs += 1);
                Ok(Action::done())
            }
        },
    );
    runtime.block_on(async {
        let (running, stop) = (informer.spawn(), CancellationToken::new());
        let work = controller.run(stop.clone());
        let writes = async {
            let all = |runs: usize| move |seen: &usize| *seen >= runs;
            seen.wait_for(all(count)).await.expect("the controller counts");
            for map in changed.into_iter().take(count) {
                source.put(map);
            }
            seen.wait_for(all(2 * count)).await.expect("the controller counts");
            stop.cancel();
        };
        let (ended, ()) = tokio::join!(work, writes);
        ended.expect("the informer runs");
        std::mem::forget(running);
    });
    std::mem::forget((runtime, server, source, controller));
}

/// A config map of an application, in one of its states.
fn map(number: usize, state: usize) -> ConfigMap {
    let text = format!(
        r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"settings-{number:05}","namespace":"shop",
        "uid":"5f1c1f4e-55f8-4a4b-9c0e-1d2c3b4{number:05}","labels":{{"app":"web","app.kubernetes.io/part-of":"shop"}},
        "annotations":{{"checksum/config":"e3b0c44298fc1c149afbf4c8996fb924{state:05}"}},
        "ownerReferences":[{{"apiVersion":"example.com/v1","kind":"App","name":"app-{number:05}","uid":"0c1d2e3f-0000-4a4b","controller":true}}]}},
        "data":{{"host":"db.shop.svc","port":"5432","pool":"{state}","level":"info","shard":"{number}"}}}}"#
    );
    ConfigMap::from_json(text.as_bytes()).expect("the config map is one")
}

/// A pod as a controller makes them, with what two managers have set.
fn pod(number: usize) -> String {
    POD.replace("NUMBER", &format!("{number:03}")).replace("DIGIT", &(number % 10).to_string())
}

const POD: &str = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-7c9d8f6b5-NUMBER","generateName":"web-7c9d8f6b5-",
"namespace":"shop-DIGIT","uid":"5f1c1f4e-55f8-4a4b-9c0e-1d2c3b4a5NUMBER","resourceVersion":"12NUMBER","creationTimestamp":"2026-03-01T12:00:0DIGITZ",
"labels":{"app":"web","app.kubernetes.io/name":"web","app.kubernetes.io/part-of":"shop","pod-template-hash":"7c9d8f6b5"},
"annotations":{"prometheus.io/scrape":"true","prometheus.io/port":"9090","checksum/config":"NUMBERe3b0c44298fc1c149afbf4c8996fb924"},
"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7c9d8f6b5","uid":"0c1d2e3f-0000-4a4b-9c0e-1d2c3b4a5f60","controller":true,"blockOwnerDeletion":true}],
"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-03-01T12:00:00Z","fieldsType":"FieldsV1",
"fieldsV1":{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"0c1d2e3f-0000-4a4b-9c0e-1d2c3b4a5f60\"}":{}}},
"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:env":{".":{},"k:{\"name\":\"PORT\"}":{".":{},"f:name":{},"f:value":{}}},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:ports":{},"f:resources":{}}},"f:restartPolicy":{}}}},
{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-03-01T12:00:05Z","fieldsType":"FieldsV1","subresource":"status",
"fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{".":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:phase":{},"f:podIP":{},"f:startTime":{}}}}]},
"spec":{"volumes":[{"name":"config","configMap":{"name":"web","defaultMode":420}},{"name":"cache","emptyDir":{}}],
"containers":[{"name":"web","image":"registry.example.com/shop/web:1.2.DIGIT","args":["--port=8080","--log-level=info"],
"ports":[{"name":"http","containerPort":8080,"protocol":"TCP"},{"name":"metrics","containerPort":9090,"protocol":"TCP"}],
"env":[{"name":"PORT","value":"8080"},{"name":"POD_NAME","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}},{"name":"SHARD","value":"NUMBER"}],
"resources":{"limits":{"cpu":"500m","memory":"256Mi"},"requests":{"cpu":"100m","memory":"128Mi"}},
"volumeMounts":[{"name":"config","mountPath":"/etc/web","readOnly":true},{"name":"cache","mountPath":"/var/cache"}],
"livenessProbe":{"httpGet":{"path":"/healthz","port":"http","scheme":"HTTP"},"initialDelaySeconds":5,"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3},
"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"}],
"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"web","serviceAccount":"web","nodeName":"node-DIGIT",
"securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},
"status":{"phase":"Running","conditions":[{"type":"Initialized","status":"True","lastTransitionTime":"2026-03-01T12:00:01Z"},{"type":"Ready","status":"True","lastTransitionTime":"2026-03-01T12:00:05Z"},{"type":"PodScheduled","status":"True","lastTransitionTime":"2026-03-01T12:00:00Z"}],
"hostIP":"10.0.0.DIGIT","podIP":"10.1.2.NUMBER","podIPs":[{"ip":"10.1.2.NUMBER"}],"startTime":"2026-03-01T12:00:00Z",
"containerStatuses":[{"name":"web","state":{"running":{"startedAt":"2026-03-01T12:00:03Z"}},"lastState":{},"ready":true,"restartCount":DIGIT,"image":"registry.example.com/shop/web:1.2.DIGIT","imageID":"registry.example.com/shop/web@sha256:NUMBERe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852","containerID":"containerd://NUMBER9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","started":true}],"qosClass":"Burstable"}}"#;
