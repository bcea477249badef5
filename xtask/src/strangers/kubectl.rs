//! What kubectl is asked to do, and what must come of it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use client_rs_testkit::{Binaries, Folders, Progress};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::report::Report;

/// Each check, in order: later ones build on what earlier ones made.
const CHECKS: &[(&str, Check)] = &[
    ("version", version),
    ("api-versions", api_versions),
    ("api-resources", api_resources),
    ("api-resources by scope and verb", api_resources_by_scope),
    ("create a namespace", create_namespace),
    ("create with a generator", create_generators),
    ("create -f of several documents", create_file),
    ("create what exists is refused", create_again),
    ("create what is invalid is refused", create_invalid),
    ("create with an unknown field is refused", create_unknown_field),
    ("create --dry-run=server keeps nothing", create_dry_run),
    ("apply, client side", apply_client_side),
    ("apply prunes a field that was taken out", apply_removes_field),
    ("apply --server-side", apply_server_side),
    ("apply --server-side meets a conflict, and forces it", apply_conflict),
    ("apply of what client-side apply made, server side", apply_migrates),
    ("diff", diff),
    ("replace", replace),
    ("get as a table", get_table),
    ("get -o wide", get_wide),
    ("get -o yaml", get_yaml),
    ("get -o json", get_json),
    ("get -o custom-columns", get_custom_columns),
    ("get -o jsonpath", get_jsonpath),
    ("get by selectors", get_selectors),
    ("get of several kinds", get_several),
    ("get in chunks", get_chunks),
    ("get what is missing", get_missing),
    ("get -w", get_watch),
    ("describe", describe),
    ("label", label),
    ("annotate", annotate),
    ("patch --type=strategic", patch_strategic),
    ("patch --type=merge", patch_merge),
    ("patch --type=json", patch_json),
    ("patch --subresource=status", patch_status),
    ("edit", edit),
    ("set image", set_image),
    ("scale", scale),
    ("scale with a precondition", scale_precondition),
    ("wait for a condition", wait_condition),
    ("wait for a field", wait_jsonpath),
    ("cordon and taint a node", nodes),
    ("delete --cascade=background", delete_background),
    ("delete --cascade=foreground", delete_foreground),
    ("delete --cascade=orphan", delete_orphan),
    ("delete by label", delete_selected),
    ("delete what is missing", delete_missing),
    ("explain", explain),
    ("explain --recursive", explain_recursive),
    ("auth can-i", can_i),
    ("auth can-i --list", can_i_list),
    ("auth whoami", whoami),
    ("events", events),
    ("create token", create_token),
    ("custom resources", custom_resources),
    ("delete the namespace", delete_namespace),
];

const NAMESPACE: &str = "strangers";
/// The longest that anything may take that is to happen.
const PATIENCE: Duration = Duration::from_mins(1);

type Check = fn(&Kubectl) -> Result<()>;

/// kubectl of one server.
struct Kubectl {
    program: PathBuf,
    kubeconfig: PathBuf,
    /// Its caches, so that nothing of another server is remembered, and files for it to read.
    folder: TempDir,
}

/// What a call came to.
struct Ended {
    ok: bool,
    out: String,
    err: String,
}

pub(super) fn run(kubeconfig: &Path, report: &mut Report) -> Result<()> {
    let binaries = Binaries::ready(&Folders::of_user(), &Progress::stderr())?;
    let kubectl = Kubectl {
        program: binaries.path("kubectl"),
        kubeconfig: kubeconfig.to_owned(),
        folder: tempfile::tempdir()?,
    };
    for (name, check) in CHECKS {
        report.record(&format!("kubectl {name}"), check(&kubectl));
    }
    Ok(())
}

impl Kubectl {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.env("HOME", self.folder.path()).env_remove("KUBECONFIG");
        command.arg("--kubeconfig").arg(&self.kubeconfig);
        command.arg("--cache-dir").arg(self.folder.path().join("cache"));
        command.args(["--namespace", NAMESPACE]).args(arguments);
        command
    }

    fn end(&self, mut command: Command, input: &str) -> Result<Ended> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {}", self.program.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            // One that does not read its input says why it ended.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = child.wait_with_output()?;
        Ok(Ended {
            ok: output.status.success(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// What it prints; an error if it failed.
    fn run(&self, arguments: &[&str]) -> Result<String> {
        self.feed(arguments, "")
    }

    /// As [`run`](Self::run), with this on standard input.
    fn feed(&self, arguments: &[&str], input: &str) -> Result<String> {
        let ended = self.end(self.command(arguments), input)?;
        ensure!(ended.ok, "`{}` failed: {}", arguments.join(" "), ended.err.trim());
        Ok(ended.out)
    }

    /// As [`run`](Self::run), tried until it succeeds: for what a server does in its own time.
    fn soon(&self, arguments: &[&str]) -> Result<String> {
        let give_up = Instant::now() + PATIENCE;
        loop {
            match self.run(arguments) {
                Err(_) if Instant::now() < give_up => thread::sleep(Duration::from_millis(200)),
                outcome => return outcome,
            }
        }
    }

    /// What it complains of; an error if it succeeded.
    fn refused(&self, arguments: &[&str], input: &str) -> Result<String> {
        let ended = self.end(self.command(arguments), input)?;
        ensure!(!ended.ok, "`{}` succeeded: {}", arguments.join(" "), ended.out.trim());
        Ok(ended.err)
    }

    /// An object as JSON, managed fields included.
    fn object(&self, name: &str) -> Result<Value> {
        let text = self.run(&["get", name, "-o", "json", "--show-managed-fields"])?;
        Ok(serde_json::from_str(&text)?)
    }

    /// What is at this place of an object.
    fn at(&self, name: &str, pointer: &str) -> Result<Value> {
        Ok(self.object(name)?.pointer(pointer).cloned().unwrap_or(Value::Null))
    }

    fn apply(&self, flags: &[&str], object: &Value) -> Result<String> {
        self.feed(&[&["apply", "-f", "-"], flags].concat(), &object.to_string())
    }

    fn create(&self, object: &Value) -> Result<Value> {
        Ok(serde_json::from_str(&self.feed(&["create", "-f", "-", "-o", "json"], &object.to_string())?)?)
    }
}

/// Ends a process that would go on for ever.
struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn has(text: &str, parts: &[&str]) -> Result<()> {
    for part in parts {
        ensure!(text.contains(part), "`{part}` is missing in: {}", text.trim());
    }
    Ok(())
}

fn same(found: &Value, expected: &Value) -> Result<()> {
    ensure!(found == expected, "{found} where {expected} was expected");
    Ok(())
}

fn config_map(name: &str, data: &Value) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data})
}

fn pod(name: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"app": name}},
        "spec": {"containers": [{"name": "main", "image": "registry.example/app:1"}], "serviceAccountName": "runner"},
    })
}

fn deployment(name: &str, replicas: u32) -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": name}},
            "template": {
                "metadata": {"labels": {"app": name}},
                "spec": {"containers": [{"name": "main", "image": "registry.example/app:1"}]},
            },
        },
    })
}

fn version(kubectl: &Kubectl) -> Result<()> {
    let found: Value = serde_json::from_str(&kubectl.run(&["version", "-o", "json"])?)?;
    ensure!(
        found.pointer("/serverVersion/gitVersion") == found.pointer("/clientVersion/gitVersion"),
        "{found}"
    );
    Ok(())
}

fn api_versions(kubectl: &Kubectl) -> Result<()> {
    has(&kubectl.run(&["api-versions"])?, &["apps/v1\n", "batch/v1\n", "coordination.k8s.io/v1\n", "v1\n"])
}

fn api_resources(kubectl: &Kubectl) -> Result<()> {
    let found = kubectl.run(&["api-resources", "-o", "wide"])?;
    has(&found, &["deployments", "deploy", "apps/v1", "Deployment", "cm", "create,delete,deletecollection"])
}

fn api_resources_by_scope(kubectl: &Kubectl) -> Result<()> {
    let arguments = ["api-resources", "--namespaced=false", "--verbs=list,watch", "-o", "name"];
    let found = kubectl.run(&arguments)?;
    has(&found, &["namespaces\n", "nodes\n", "clusterroles.rbac.authorization.k8s.io\n"])?;
    ensure!(!found.contains("pods"), "pods are namespaced");
    Ok(())
}

fn create_namespace(kubectl: &Kubectl) -> Result<()> {
    has(&kubectl.run(&["create", "namespace", NAMESPACE])?, &["namespace/strangers created"])?;
    same(&kubectl.at("namespace/strangers", "/status/phase")?, &json!("Active"))
}

fn create_generators(kubectl: &Kubectl) -> Result<()> {
    kubectl.run(&["create", "configmap", "made", "--from-literal=a=1"])?;
    kubectl.run(&["create", "secret", "generic", "hidden", "--from-literal=key=value"])?;
    kubectl.run(&["create", "serviceaccount", "runner"])?;
    kubectl.run(&["create", "role", "reader", "--verb=get,list", "--resource=pods"])?;
    kubectl.run(&["create", "rolebinding", "readers", "--role=reader", "--user=jane"])?;
    kubectl.run(&["create", "quota", "limits", "--hard=pods=100"])?;
    kubectl.run(&["create", "service", "clusterip", "front", "--tcp=80:8080"])?;
    kubectl.run(&[
        "create",
        "cronjob",
        "nightly",
        "--image=registry.example/app:1",
        "--schedule=0 3 * * *",
    ])?;
    same(&kubectl.at("secret/hidden", "/data/key")?, &json!("dmFsdWU="))
}

fn create_file(kubectl: &Kubectl) -> Result<()> {
    let path = kubectl.folder.path().join("several.yaml");
    let text = format!("{}\n---\n{}\n", pod("one"), deployment("web", 1));
    std::fs::write(&path, text)?;
    let created = kubectl.run(&["create", "-f", &path.to_string_lossy()])?;
    has(&created, &["pod/one created", "deployment.apps/web created"])
}

fn create_again(kubectl: &Kubectl) -> Result<()> {
    let error = kubectl.refused(&["create", "configmap", "made"], "")?;
    has(&error, &["configmaps \"made\" already exists"])
}

fn create_invalid(kubectl: &Kubectl) -> Result<()> {
    let mut invalid = pod("invalid");
    invalid["spec"]["containers"] = json!([]);
    let error = kubectl.refused(&["create", "-f", "-"], &invalid.to_string())?;
    has(&error, &["The Pod \"invalid\" is invalid", "spec.containers: Required value"])
}

fn create_unknown_field(kubectl: &Kubectl) -> Result<()> {
    let mut unknown = pod("unknown");
    unknown["spec"]["colour"] = json!("red");
    let error = kubectl.refused(&["create", "-f", "-"], &unknown.to_string())?;
    has(&error, &["unknown field \"spec.colour\""])
}

fn create_dry_run(kubectl: &Kubectl) -> Result<()> {
    has(&kubectl.run(&["create", "configmap", "dry", "--dry-run=server"])?, &["created (server dry run)"])?;
    has(&kubectl.refused(&["get", "configmap", "dry"], "")?, &["(NotFound)"])
}

fn apply_client_side(kubectl: &Kubectl) -> Result<()> {
    let object = config_map("applied", &json!({"a": "1", "b": "2"}));
    has(&kubectl.apply(&[], &object)?, &["configmap/applied created"])?;
    has(&kubectl.apply(&[], &object)?, &["configmap/applied unchanged"])?;
    has(
        &kubectl.object("configmap/applied")?.to_string(),
        &["kubectl.kubernetes.io/last-applied-configuration"],
    )
}

fn apply_removes_field(kubectl: &Kubectl) -> Result<()> {
    // Someone else's field must stay.
    kubectl.run(&["patch", "configmap", "applied", "-p", r#"{"data":{"c":"3"}}"#])?;
    has(&kubectl.apply(&[], &config_map("applied", &json!({"a": "9"})))?, &["configmap/applied configured"])?;
    same(&kubectl.at("configmap/applied", "/data")?, &json!({"a": "9", "c": "3"}))
}

fn apply_server_side(kubectl: &Kubectl) -> Result<()> {
    let made = kubectl.apply(&["--server-side"], &config_map("owned", &json!({"a": "1", "b": "2"})))?;
    has(&made, &["configmap/owned serverside-applied"])?;
    let fields = kubectl.at("configmap/owned", "/metadata/managedFields/0")?;
    same(&fields["manager"], &json!("kubectl"))?;
    same(&fields["operation"], &json!("Apply"))?;
    same(&fields["fieldsV1"], &json!({"f:data": {"f:a": {}, "f:b": {}}}))?;
    kubectl.apply(&["--server-side"], &config_map("owned", &json!({"a": "1"})))?;
    same(&kubectl.at("configmap/owned", "/data")?, &json!({"a": "1"}))
}

fn apply_conflict(kubectl: &Kubectl) -> Result<()> {
    let other = config_map("owned", &json!({"a": "2"}));
    let arguments = ["apply", "-f", "-", "--server-side", "--field-manager=other"];
    let error = kubectl.refused(&arguments, &other.to_string())?;
    has(&error, &["conflict with \"kubectl\"", ".data.a"])?;
    kubectl.apply(&["--server-side", "--field-manager=other", "--force-conflicts"], &other)?;
    same(&kubectl.at("configmap/owned", "/data/a")?, &json!("2"))
}

fn apply_migrates(kubectl: &Kubectl) -> Result<()> {
    kubectl.apply(&[], &config_map("moved", &json!({"a": "1", "b": "2"})))?;
    kubectl.apply(&["--server-side"], &config_map("moved", &json!({"a": "1"})))?;
    same(&kubectl.at("configmap/moved", "/data")?, &json!({"a": "1"}))
}

fn diff(kubectl: &Kubectl) -> Result<()> {
    let changed = config_map("applied", &json!({"a": "10"}));
    let ended = kubectl.end(kubectl.command(&["diff", "-f", "-"]), &changed.to_string())?;
    has(&ended.out, &["-  a: \"9\"", "+  a: \"10\""])?;
    let same = config_map("applied", &json!({"a": "9"}));
    kubectl.feed(&["diff", "-f", "-"], &same.to_string()).map(|_| ())
}

fn replace(kubectl: &Kubectl) -> Result<()> {
    kubectl.feed(&["replace", "-f", "-"], &config_map("made", &json!({"z": "26"})).to_string())?;
    same(&kubectl.at("configmap/made", "/data")?, &json!({"z": "26"}))?;
    let mut stale = config_map("made", &json!({}));
    stale["metadata"]["resourceVersion"] = json!("1");
    has(&kubectl.refused(&["replace", "-f", "-"], &stale.to_string())?, &["(Conflict)"])
}

fn get_table(kubectl: &Kubectl) -> Result<()> {
    has(
        &kubectl.run(&["get", "pods"])?,
        &["NAME", "READY", "STATUS", "RESTARTS", "AGE", "one", "0/1", "Pending"],
    )?;
    has(&kubectl.run(&["get", "deployments"])?, &["UP-TO-DATE", "AVAILABLE", "web"])?;
    has(&kubectl.run(&["get", "services"])?, &["CLUSTER-IP", "EXTERNAL-IP", "front", "80/TCP"])?;
    has(&kubectl.run(&["get", "configmaps", "-A"])?, &["NAMESPACE", "DATA", NAMESPACE])
}

fn get_wide(kubectl: &Kubectl) -> Result<()> {
    has(
        &kubectl.run(&["get", "pods", "-o", "wide"])?,
        &["NODE", "NOMINATED NODE", "READINESS GATES", "<none>"],
    )?;
    let deployments = kubectl.run(&["get", "deployments", "-o", "wide"])?;
    has(&deployments, &["CONTAINERS", "IMAGES", "SELECTOR", "registry.example/app:1", "app=web"])
}

fn get_yaml(kubectl: &Kubectl) -> Result<()> {
    let text = kubectl.run(&["get", "pod", "one", "-o", "yaml"])?;
    has(&text, &["apiVersion: v1\n", "kind: Pod\n", "  name: one\n", "  uid: ", "restartPolicy: Always\n"])?;
    ensure!(!text.contains("managedFields"), "they are shown when asked for");
    Ok(())
}

fn get_json(kubectl: &Kubectl) -> Result<()> {
    let list: Value = serde_json::from_str(&kubectl.run(&["get", "pods", "-o", "json"])?)?;
    same(&list["kind"], &json!("List"))?;
    same(&list["items"][0]["kind"], &json!("Pod"))?;
    same(&list["items"][0]["metadata"]["name"], &json!("one"))
}

fn get_custom_columns(kubectl: &Kubectl) -> Result<()> {
    let columns = "custom-columns=WHO:.metadata.name,WHAT:.spec.containers[*].image";
    let found = kubectl.run(&["get", "pods", "one", "-o", columns])?;
    let cells: Vec<&str> = found.split_whitespace().collect();
    ensure!(cells == ["WHO", "WHAT", "one", "registry.example/app:1"], "{found}");
    Ok(())
}

fn get_jsonpath(kubectl: &Kubectl) -> Result<()> {
    let found = kubectl.run(&["get", "pods", "-o", "jsonpath={.items[*].metadata.name}"])?;
    ensure!(found.split_whitespace().any(|name| name == "one"), "{found}");
    Ok(())
}

fn get_selectors(kubectl: &Kubectl) -> Result<()> {
    let by_label = kubectl.run(&["get", "pods", "-l", "app in (one,two)", "-o", "name"])?;
    ensure!(by_label == "pod/one\n", "{by_label}");
    let by_field =
        kubectl.run(&["get", "configmaps", "--field-selector=metadata.name=made", "-o", "name"])?;
    ensure!(by_field == "configmap/made\n", "{by_field}");
    Ok(())
}

fn get_several(kubectl: &Kubectl) -> Result<()> {
    has(&kubectl.run(&["get", "po,deploy,cm"])?, &["pod/one", "deployment.apps/web", "configmap/made"])?;
    has(
        &kubectl.run(&["get", "all"])?,
        &["pod/one", "service/front", "deployment.apps/web", "cronjob.batch/nightly"],
    )
}

fn get_chunks(kubectl: &Kubectl) -> Result<()> {
    let whole = kubectl.run(&["get", "configmaps", "-o", "name", "--chunk-size=0"])?;
    let chunks = kubectl.run(&["get", "configmaps", "-o", "name", "--chunk-size=1"])?;
    ensure!(whole == chunks && whole.lines().count() > 2, "{whole} and {chunks}");
    Ok(())
}

fn get_missing(kubectl: &Kubectl) -> Result<()> {
    let error = kubectl.refused(&["get", "pod", "nobody"], "")?;
    has(&error, &["Error from server (NotFound): pods \"nobody\" not found"])?;
    has(
        &kubectl.refused(&["get", "nonsense"], "")?,
        &["the server doesn't have a resource type \"nonsense\""],
    )
}

fn get_watch(kubectl: &Kubectl) -> Result<()> {
    let mut command =
        kubectl.command(&["get", "configmaps", "-l", "watched=yes", "-w", "--output-watch-events"]);
    let mut watching = Ending(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?);
    let printed = watching.0.stdout.take().context("kubectl has no output")?;
    let (lines, received) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(printed).lines().map_while(Result::ok) {
            if lines.send(line).is_err() {
                break;
            }
        }
    });
    let mut object = config_map("watched", &json!({"a": "1"}));
    object["metadata"]["labels"] = json!({"watched": "yes"});
    kubectl.create(&object)?;
    kubectl.run(&["patch", "configmap", "watched", "-p", r#"{"data":{"a":"2"}}"#])?;
    kubectl.run(&["delete", "configmap", "watched"])?;
    let mut seen = Vec::new();
    while !seen.iter().any(|line: &String| line.starts_with("DELETED")) {
        seen.push(received.recv_timeout(PATIENCE).with_context(|| format!("only {seen:?}"))?);
    }
    // Changes from before the watch began are one ADDED.
    let rows: Vec<Vec<&str>> = seen.iter().map(|line| line.split_whitespace().take(2).collect()).collect();
    let added = rows.iter().any(|row| row == &["ADDED", "watched"]);
    ensure!(added, "{seen:?}");
    Ok(())
}

fn describe(kubectl: &Kubectl) -> Result<()> {
    let found = kubectl.run(&["describe", "pod", "one"])?;
    has(
        &found,
        &[
            "Name:             one",
            "Service Account:  runner",
            "Image:        registry.example/app:1",
            "Events:",
        ],
    )?;
    has(&kubectl.run(&["describe", "deployment", "web"])?, &["StrategyType:", "RollingUpdate", "Selector:"])?;
    has(&kubectl.run(&["describe", "namespace", NAMESPACE])?, &["Status:       Active", "limits"])?;
    has(&kubectl.run(&["describe", "service", "front"])?, &["TargetPort:", "8080/TCP"])?;
    has(&kubectl.run(&["describe", "role", "reader"])?, &["pods", "[get list]"])?;
    let cron = kubectl.run(&["describe", "cronjob", "nightly"])?;
    has(&cron, &["Schedule:", "0 3 * * *", "Concurrency Policy:", "Allow"])
}

fn label(kubectl: &Kubectl) -> Result<()> {
    kubectl.run(&["label", "pod", "one", "tier=front"])?;
    has(&kubectl.refused(&["label", "pod", "one", "tier=back"], "")?, &["--overwrite is false"])?;
    kubectl.run(&["label", "pod", "one", "tier=back", "--overwrite"])?;
    same(&kubectl.at("pod/one", "/metadata/labels/tier")?, &json!("back"))?;
    kubectl.run(&["label", "pod", "one", "tier-"])?;
    same(&kubectl.at("pod/one", "/metadata/labels")?, &json!({"app": "one"}))
}

fn annotate(kubectl: &Kubectl) -> Result<()> {
    kubectl.run(&["annotate", "deployments", "--all", "example.org/note=said"])?;
    same(&kubectl.at("deployment/web", "/metadata/annotations/example.org~1note")?, &json!("said"))?;
    kubectl.run(&["annotate", "deployment", "web", "example.org/note-"])?;
    same(&kubectl.at("deployment/web", "/metadata/annotations/example.org~1note")?, &Value::Null)
}

fn patch_strategic(kubectl: &Kubectl) -> Result<()> {
    // A container is merged by its name, not appended.
    let patch =
        r#"{"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"A","value":"1"}]}]}}}}"#;
    kubectl.run(&["patch", "deployment", "web", "--type=strategic", "-p", patch])?;
    let containers = kubectl.at("deployment/web", "/spec/template/spec/containers")?;
    same(&containers[0]["image"], &json!("registry.example/app:1"))?;
    same(&containers[0]["env"], &json!([{"name": "A", "value": "1"}]))
}

fn patch_merge(kubectl: &Kubectl) -> Result<()> {
    let patch = r#"{"data":{"z":null,"y":"25"}}"#;
    kubectl.run(&["patch", "configmap", "made", "--type=merge", "-p", patch])?;
    same(&kubectl.at("configmap/made", "/data")?, &json!({"y": "25"}))
}

fn patch_json(kubectl: &Kubectl) -> Result<()> {
    let patch =
        r#"[{"op":"test","path":"/data/y","value":"25"},{"op":"replace","path":"/data/y","value":"five"}]"#;
    kubectl.run(&["patch", "configmap", "made", "--type=json", "-p", patch])?;
    same(&kubectl.at("configmap/made", "/data/y")?, &json!("five"))?;
    // The test no longer holds.
    kubectl.refused(&["patch", "configmap", "made", "--type=json", "-p", patch], "").map(|_| ())
}

fn patch_status(kubectl: &Kubectl) -> Result<()> {
    let patch = r#"{"status":{"phase":"Running"},"spec":{"activeDeadlineSeconds":9}}"#;
    kubectl.run(&["patch", "pod", "one", "--subresource=status", "--type=merge", "-p", patch])?;
    same(&kubectl.at("pod/one", "/status/phase")?, &json!("Running"))?;
    same(&kubectl.at("pod/one", "/spec/activeDeadlineSeconds")?, &Value::Null)
}

fn edit(kubectl: &Kubectl) -> Result<()> {
    let mut command = kubectl.command(&["edit", "configmap", "made"]);
    command.env("KUBE_EDITOR", "sed -i s/five/six/");
    let ended = kubectl.end(command, "")?;
    ensure!(ended.ok && ended.out.contains("configmap/made edited"), "{}{}", ended.out, ended.err);
    same(&kubectl.at("configmap/made", "/data/y")?, &json!("six"))
}

fn set_image(kubectl: &Kubectl) -> Result<()> {
    let before = kubectl.at("deployment/web", "/metadata/generation")?;
    kubectl.run(&["set", "image", "deployment/web", "main=registry.example/app:2"])?;
    let image = kubectl.at("deployment/web", "/spec/template/spec/containers/0/image")?;
    same(&image, &json!("registry.example/app:2"))?;
    let after = kubectl.at("deployment/web", "/metadata/generation")?;
    ensure!(after.as_i64() > before.as_i64(), "the generation went from {before} to {after}");
    Ok(())
}

fn scale(kubectl: &Kubectl) -> Result<()> {
    has(&kubectl.run(&["scale", "deployment", "web", "--replicas=3"])?, &["deployment.apps/web scaled"])?;
    same(&kubectl.at("deployment/web", "/spec/replicas")?, &json!(3))
}

fn scale_precondition(kubectl: &Kubectl) -> Result<()> {
    let arguments = ["scale", "deployment", "web", "--current-replicas=1", "--replicas=5"];
    has(&kubectl.refused(&arguments, "")?, &["Expected replicas to be 1, was 3"])?;
    kubectl.run(&["scale", "deployment", "web", "--current-replicas=3", "--replicas=0"])?;
    same(&kubectl.at("deployment/web", "/spec/replicas")?, &json!(0))
}

fn wait_condition(kubectl: &Kubectl) -> Result<()> {
    let mut command = kubectl.command(&["wait", "pod/one", "--for=condition=Ready", "--timeout=60s"]);
    let waiting = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let patch = r#"{"status":{"conditions":[{"type":"Ready","status":"True"}]}}"#;
    let patched = kubectl.run(&["patch", "pod", "one", "--subresource=status", "-p", patch]);
    let output = waiting.wait_with_output()?;
    patched?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    has(&String::from_utf8_lossy(&output.stdout), &["pod/one condition met"])
}

fn wait_jsonpath(kubectl: &Kubectl) -> Result<()> {
    kubectl.run(&["wait", "pod/one", "--for=jsonpath={.status.phase}=Running", "--timeout=60s"])?;
    let arguments = ["wait", "pod/one", "--for=condition=Never", "--timeout=1s"];
    has(&kubectl.refused(&arguments, "")?, &["timed out waiting for the condition"])
}

fn nodes(kubectl: &Kubectl) -> Result<()> {
    kubectl.create(&json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "stranger"}}))?;
    kubectl.run(&["cordon", "stranger"])?;
    kubectl.run(&["taint", "node", "stranger", "kind=test:NoSchedule"])?;
    same(&kubectl.at("node/stranger", "/spec/unschedulable")?, &json!(true))?;
    has(&kubectl.run(&["get", "nodes"])?, &["ROLES", "VERSION", "stranger", "SchedulingDisabled"])?;
    has(
        &kubectl.run(&["describe", "node", "stranger"])?,
        &["kind=test:NoSchedule", "Unschedulable:      true"],
    )?;
    kubectl.run(&["uncordon", "stranger"])?;
    kubectl.run(&["delete", "node", "stranger"]).map(|_| ())
}

/// An owner and what it owns, by which the propagations differ.
fn family(kubectl: &Kubectl, owner: &str, dependent: &str) -> Result<()> {
    let made = kubectl.create(&config_map(owner, &json!({})))?;
    let mut object = config_map(dependent, &json!({}));
    object["metadata"]["ownerReferences"] = json!([{
        "apiVersion": "v1", "kind": "ConfigMap", "name": owner, "uid": made["metadata"]["uid"],
        "blockOwnerDeletion": true,
    }]);
    kubectl.create(&object).map(|_| ())
}

fn delete_background(kubectl: &Kubectl) -> Result<()> {
    family(kubectl, "parent-b", "child-b")?;
    has(&kubectl.run(&["delete", "configmap", "parent-b", "--cascade=background"])?, &["deleted"])?;
    kubectl.run(&["wait", "configmap/child-b", "--for=delete", "--timeout=60s"]).map(|_| ())
}

fn delete_foreground(kubectl: &Kubectl) -> Result<()> {
    family(kubectl, "parent-f", "child-f")?;
    kubectl.run(&["delete", "configmap", "parent-f", "--cascade=foreground", "--timeout=60s"])?;
    // kubectl has waited for the owner, which goes last.
    has(&kubectl.refused(&["get", "configmap", "child-f"], "")?, &["(NotFound)"])
}

fn delete_orphan(kubectl: &Kubectl) -> Result<()> {
    family(kubectl, "parent-o", "child-o")?;
    kubectl.run(&["delete", "configmap", "parent-o", "--cascade=orphan", "--timeout=60s"])?;
    same(&kubectl.at("configmap/child-o", "/metadata/ownerReferences")?, &Value::Null)
}

fn delete_selected(kubectl: &Kubectl) -> Result<()> {
    for name in ["gone-1", "gone-2"] {
        let mut object = config_map(name, &json!({}));
        object["metadata"]["labels"] = json!({"gone": "yes"});
        kubectl.create(&object)?;
    }
    let found = kubectl.run(&["delete", "configmaps", "-l", "gone=yes"])?;
    has(&found, &["\"gone-1\"", "\"gone-2\""])?;
    has(&kubectl.refused(&["get", "configmap", "gone-1"], "")?, &["(NotFound)"])
}

fn delete_missing(kubectl: &Kubectl) -> Result<()> {
    has(&kubectl.refused(&["delete", "pod", "nobody"], "")?, &["(NotFound)"])?;
    kubectl.run(&["delete", "pod", "nobody", "--ignore-not-found"]).map(|_| ())
}

fn explain(kubectl: &Kubectl) -> Result<()> {
    let pod = kubectl.run(&["explain", "pods"])?;
    has(&pod, &["KIND:       Pod", "VERSION:    v1", "spec\t<PodSpec>", "metadata\t<ObjectMeta>"])?;
    let containers = kubectl.run(&["explain", "deployment.spec.template.spec.containers"])?;
    has(
        &containers,
        &[
            "GROUP:      apps",
            "FIELD: containers <[]Container>",
            "image\t<string>",
            "name\t<string> -required-",
        ],
    )?;
    has(&kubectl.refused(&["explain", "pods.spec.colour"], "")?, &["field \"colour\" does not exist"])
}

fn explain_recursive(kubectl: &Kubectl) -> Result<()> {
    let found = kubectl.run(&["explain", "cronjob", "--recursive"])?;
    has(
        &found,
        &["schedule\t<string> -required-", "jobTemplate\t<JobTemplateSpec> -required-", "restartPolicy"],
    )
}

fn can_i(kubectl: &Kubectl) -> Result<()> {
    for question in [["create", "pods"], ["delete", "deployments.apps"], ["*", "*"], ["get", "pods/log"]] {
        let answer = kubectl.run(&[&["auth", "can-i"], &question[..]].concat())?;
        ensure!(answer.trim() == "yes", "{question:?}: {answer}");
    }
    Ok(())
}

fn can_i_list(kubectl: &Kubectl) -> Result<()> {
    has(
        &kubectl.run(&["auth", "can-i", "--list"])?,
        &["Resources", "Non-Resource URLs", "Verbs", "*.*", "[*]"],
    )
}

fn whoami(kubectl: &Kubectl) -> Result<()> {
    has(&kubectl.run(&["auth", "whoami"])?, &["ATTRIBUTE", "Username", "Groups", "system:masters"])
}

fn events(kubectl: &Kubectl) -> Result<()> {
    let uid = kubectl.at("pod/one", "/metadata/uid")?;
    kubectl.create(&json!({
        "apiVersion": "v1", "kind": "Event", "metadata": {"name": "one.happened", "namespace": NAMESPACE},
        "involvedObject": {"apiVersion": "v1", "kind": "Pod", "name": "one", "namespace": NAMESPACE, "uid": uid},
        "type": "Normal", "reason": "Happened", "message": "something did", "count": 1,
    }))?;
    has(&kubectl.run(&["events", "--for", "pod/one"])?, &["Normal", "Happened", "Pod/one", "something did"])?;
    has(&kubectl.run(&["get", "events"])?, &["LAST SEEN", "pod/one", "something did"])?;
    has(&kubectl.run(&["describe", "pod", "one"])?, &["something did"])
}

fn create_token(kubectl: &Kubectl) -> Result<()> {
    let token = kubectl.run(&["create", "token", "runner"])?;
    ensure!(token.trim().split('.').count() == 3, "this is no JWT");
    let mut command = kubectl.command(&["auth", "whoami", "-o", "json"]);
    command.args(["--token", token.trim()]);
    let ended = kubectl.end(command, "")?;
    // The kubeconfig's own certificate, where it has one, goes before the token.
    let known =
        ended.out.contains("system:serviceaccount:strangers:runner") || ended.out.contains("system:masters");
    ensure!(ended.ok && known, "{}{}", ended.out, ended.err);
    Ok(())
}

fn custom_resources(kubectl: &Kubectl) -> Result<()> {
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "gadgets.strangers.example"},
        "spec": {
            "group": "strangers.example", "scope": "Namespaced",
            "names": {"plural": "gadgets", "singular": "gadget", "kind": "Gadget", "shortNames": ["gd"]},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "additionalPrinterColumns": [{"name": "Size", "type": "integer", "jsonPath": ".spec.size"}],
                "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                    "spec": {"type": "object", "required": ["size"], "properties": {
                        "size": {"type": "integer", "minimum": 1}, "colour": {"type": "string", "default": "red"},
                    }},
                    "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
                }}},
            }],
        },
    });
    kubectl.apply(&[], &definition)?;
    let crd = "crd/gadgets.strangers.example";
    kubectl.run(&["wait", "--for=condition=Established", crd, "--timeout=60s"])?;
    let mut gadget = json!({
        "apiVersion": "strangers.example/v1", "kind": "Gadget", "metadata": {"name": "first"}, "spec": {"size": 3},
    });
    kubectl.apply(&["--server-side"], &gadget)?;
    same(&kubectl.at("gadget/first", "/spec")?, &json!({"size": 3, "colour": "red"}))?;
    has(&kubectl.run(&["get", "gd"])?, &["NAME", "SIZE", "first", "3"])?;
    // A real server publishes the schema some seconds after it serves the kind.
    let explained = kubectl.soon(&["explain", "gadget.spec"])?;
    has(&explained, &["size\t<integer> -required-", "colour\t<string>"])?;
    gadget["spec"]["size"] = json!(0);
    let error = kubectl.refused(&["apply", "--server-side", "-f", "-"], &gadget.to_string())?;
    has(&error, &["spec.size in body should be greater than or equal to 1"])?;
    kubectl.run(&["delete", crd, "--timeout=60s"])?;
    // What it says depends on whether it still remembers the resource.
    kubectl.refused(&["get", "gadgets"], "").map(|_| ())
}

fn delete_namespace(kubectl: &Kubectl) -> Result<()> {
    kubectl.run(&["delete", "namespace", NAMESPACE, "--timeout=60s"])?;
    let left = kubectl.run(&["get", "configmaps,pods,deployments", "-o", "name"])?;
    if !left.is_empty() {
        bail!("left behind: {left}");
    }
    Ok(())
}
