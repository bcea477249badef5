//! The worked operators: their roles are exactly what their tests use, and they run on a real control plane with these roles.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use client_rs_client::manifest;
use client_rs_machinery::{Json, json};
use client_rs_testkit::{Cluster, Namespace};
use client_rs_tests_tools::workspace::{self, cargo};

use crate::running::Running;
use crate::scaffold::eventually;

/// A package in `operators`.
pub(crate) struct Worked {
    name: &'static str,
}

pub(crate) const DATABASE: Worked = Worked { name: "database" };
pub(crate) const GATEWAY: Worked = Worked { name: "gateway" };

impl Worked {
    fn folder(&self) -> PathBuf {
        workspace::root().join("operators").join(self.name)
    }

    fn package(&self) -> String {
        format!("{}-operator", self.name)
    }

    fn config(&self, folder: &str) -> String {
        self.folder().join("config").join(folder).display().to_string()
    }

    /// Runs its tests; `config/rbac` must grant exactly the rights that they use.
    pub(crate) fn test(&self) -> Result<()> {
        let package = self.package();
        let mut command = Command::new(workspace::target().join("debug/krs"));
        command.args(["rbac", "--account", &format!("{package}-system/{package}")]);
        command.args(["--check", &self.config("rbac"), "--", "cargo", "test", "--quiet", "--locked"]);
        workspace::run(command.args(["--package", &package]).current_dir(workspace::root()))
    }

    /// Starts its program with the rights of its account, and no others.
    fn start(&self, stage: &Stage, more: &[String]) -> Result<Running> {
        let package = self.package();
        workspace::run(cargo().args(["build", "--quiet", "--locked", "--package", &package]))?;
        let mut program = Command::new(workspace::target().join("debug").join(&package));
        program.arg("--kubeconfig").arg(stage.cluster.kubeconfig());
        program.args(["--watch-namespace", stage.namespace.name(), "--leader-elect"]);
        program.arg(format!("--leader-elect-resource-namespace={package}-system"));
        program.arg(format!("--metrics-listen={}", stage.metrics));
        program.arg(format!("--as=system:serviceaccount:{package}-system:{package}"));
        Running::start("the operator", program.args(more).stdin(Stdio::null()))
    }
}

/// The control plane, a namespace for the objects of the user, and the address of the operator's metrics.
struct Stage {
    cluster: Arc<Cluster>,
    namespace: Namespace,
    metrics: SocketAddr,
}

impl Stage {
    fn new(worked: &Worked) -> Result<Self> {
        let cluster = Cluster::real()?;
        let namespace = cluster.namespace(worked.name)?;
        Ok(Self { cluster, namespace, metrics: free_address()? })
    }

    fn kubectl(&self, words: &[&str]) -> Result<String> {
        Ok(self.namespace.run_kubectl(words)?)
    }

    /// Applies objects, in the cluster or in the namespace.
    fn apply(&self, objects: &[Json], within: &Path) -> Result<()> {
        let file = within.join("objects.json");
        let list =
            json!({"apiVersion": "v1", "kind": "List", "items": objects.iter().cloned().collect::<Json>()});
        std::fs::write(&file, list.to_vec())?;
        self.kubectl(&["apply", "-f", &file.display().to_string()])?;
        Ok(())
    }

    fn wait(&self, what: &str, condition: &str) -> Result<()> {
        self.kubectl(&["wait", "--timeout=60s", condition, what])?;
        Ok(())
    }

    /// No request of the operator was forbidden.
    fn check_forbidden(&self) -> Result<()> {
        let mut stream = TcpStream::connect(self.metrics).context("the operator serves no metrics")?;
        stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: operator\r\nConnection: close\r\n\r\n")?;
        let mut metrics = String::new();
        stream.read_to_string(&mut metrics)?;
        ensure!(metrics.contains("rest_client_requests_total"), "these are no metrics: {metrics}");
        let forbidden: Vec<&str> = metrics.lines().filter(|line| line.contains("code=\"403\"")).collect();
        ensure!(forbidden.is_empty(), "rights are missing: {forbidden:?}");
        Ok(())
    }
}

/// An address that was free a moment ago.
fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

fn objects(path: &str) -> Result<Vec<Json>> {
    let manifests = manifest::read_path(Path::new(path))?;
    Ok(manifests.into_iter().map(|manifest| manifest.object.into()).collect())
}

/// Databases: children, readiness, a default and a refusal of the webhooks, the old version, and the backup before the deletion.
pub(crate) fn operate_databases() -> Result<()> {
    let (stage, folder) = (Stage::new(&DATABASE)?, tempfile::tempdir()?);
    let listen = free_address()?;
    let certificate = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()])?;
    std::fs::write(folder.path().join("tls.crt"), certificate.cert.pem())?;
    std::fs::write(folder.path().join("tls.key"), certificate.signing_key.serialize_pem())?;
    let (manager, rbac) = (DATABASE.config("manager"), DATABASE.config("rbac"));
    stage.cluster.run_kubectl(&["apply", "-f", &manager, "-f", &rbac])?;
    // There is no network of services here, and no cert-manager: only the addresses of the webhooks are others.
    let manifests = [objects(&DATABASE.config("crd"))?, objects(&DATABASE.config("webhook"))?].concat();
    let moved = manifests.iter().filter_map(|object| at_address(object, listen, &certificate.cert.pem()));
    stage.apply(&moved.collect::<Vec<_>>(), folder.path())?;
    let more =
        [format!("--webhook-listen={listen}"), format!("--webhook-cert-path={}", folder.path().display())];
    let mut operator = DATABASE.start(&stage, &more)?;
    eventually(&mut operator, || {
        stage.kubectl(&["wait", "--for=condition=Established", "--timeout=10s", "crd/databases.example.com"])
    })?;
    eventually(&mut operator, || stage.kubectl(&["apply", "-f", &DATABASE.config("samples")]))?;

    // The controllers of the cluster make the first pod; nobody runs it, so its status is written here.
    let ready = r#"{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}"#;
    stage.wait("pod/shop-0", "--for=create")?;
    stage.kubectl(&["patch", "pod", "shop-0", "--subresource=status", "-p", ready])?;
    // A client of the old version.
    let one = r#"{"spec":{"replicas":1}}"#;
    stage.kubectl(&["patch", "databases.v1beta1.example.com", "shop", "--type=merge", "-p", one])?;
    stage.wait("database/shop", "--for=condition=Ready")?;
    let spec = stage.kubectl(&["get", "database", "shop", "-o", "jsonpath={.spec}"])?;
    let destination = format!("s3://backups/{}/shop", stage.namespace.name());
    ensure!(spec.contains(&destination) && spec.contains("10Gi"), "the spec is {spec}");

    let refused = stage.kubectl(&["delete", "database", "shop", "--cascade=foreground"]);
    let refused = refused.err().context("a foreground deletion is not refused")?.to_string();
    ensure!(refused.contains("--cascade=background"), "{refused}");
    stage.kubectl(&["delete", "database", "shop", "--wait=false"])?;
    stage.wait("job/shop-last-backup", "--for=create")?;
    stage.kubectl(&["get", "statefulset,database", "shop"])?;
    let selector = ["get", "pods", "-l", "job-name=shop-last-backup", "-o", "name"];
    let pod = eventually(&mut operator, || {
        let pod = stage.kubectl(&selector)?;
        ensure!(!pod.trim().is_empty(), "the job has no pod");
        Ok(pod.trim().to_owned())
    })?;
    stage.kubectl(&["patch", &pod, "--subresource=status", "-p", r#"{"status":{"phase":"Succeeded"}}"#])?;
    stage.wait("database/shop", "--for=delete")?;
    stage.wait("statefulset/shop", "--for=delete")?;
    eventually(&mut operator, || {
        let events = stage.kubectl(&["get", "events", "-o", "jsonpath={.items[*].reason}"])?;
        ensure!(events.contains("BackupRunning") && events.contains("BackedUp"), "events: {events:?}");
        Ok(events)
    })?;
    stage.check_forbidden()?;
    operator.end()?;
    let (crd, webhooks) = ("crd/databases.example.com", "database-operator");
    stage.cluster.run_kubectl(&["delete", "validatingwebhookconfiguration", webhooks])?;
    stage.cluster.run_kubectl(&["delete", "mutatingwebhookconfiguration", webhooks])?;
    stage.cluster.run_kubectl(&["delete", crd, "--timeout=60s"])?;
    stage.cluster.run_kubectl(&["delete", "-f", &rbac, "-f", &manager, "--timeout=60s"])?;
    Ok(())
}

/// The object with its webhooks at this address; `None` for objects that only a cluster with cert-manager has.
fn at_address(object: &Json, address: SocketAddr, bundle: &str) -> Option<Json> {
    let mut moved = object.clone();
    let client = |old: &Json| {
        let path = old["service"]["path"].as_str().unwrap_or_default();
        json!({"url": format!("https://{address}{path}"), "caBundle": base64(bundle)})
    };
    match object["kind"].as_str()? {
        "CustomResourceDefinition" => {
            let path = ["spec", "conversion", "webhook", "clientConfig"];
            moved.set(&path, client(object.path(&path)?)).ok()?;
        }
        kind if kind.ends_with("WebhookConfiguration") => {
            let hooks = object["webhooks"].as_list()?.iter().map(|hook| {
                let mut hook = hook.clone();
                let new = client(&hook["clientConfig"]);
                hook.set(&["clientConfig"], new).map(|_| hook)
            });
            moved
                .set(&["webhooks"], hooks.collect::<Result<Vec<_>, _>>().ok()?.into_iter().collect::<Json>())
                .ok()?;
        }
        _ => return None,
    }
    Some(moved)
}

fn base64(text: &str) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(text)
}

/// Gateways: the config map and the status follow the objects, and the config map goes with the last route.
pub(crate) fn operate_gateways() -> Result<()> {
    let stage = Stage::new(&GATEWAY)?;
    let config = ["crd", "manager", "rbac"].map(|folder| GATEWAY.config(folder));
    let [crd, manager, rbac] = &config;
    stage.cluster.run_kubectl(&["apply", "-f", crd, "-f", manager, "-f", rbac])?;
    let mut operator = GATEWAY.start(&stage, &[])?;
    eventually(&mut operator, || stage.kubectl(&["apply", "-f", &GATEWAY.config("samples")]))?;
    stage.wait("route/shop", "--for=jsonpath={.status.accepted}=true")?;
    let file = |backends: &str| {
        let (wanted, stage) = (format!(r#""backends":[{backends}]"#), &stage);
        move || {
            let file =
                stage.kubectl(&["get", "configmap", "edge", "-o", r"jsonpath={.data.gateway\.json}"])?;
            ensure!(file.contains(&wanted), "{file} instead of {wanted}");
            Ok(file)
        }
    };
    eventually(&mut operator, file(r#""10.0.0.1:8080""#))?;
    let ready = r#"[{"op":"replace","path":"/endpoints/1/conditions/ready","value":true}]"#;
    stage.kubectl(&["patch", "endpointslice", "web-1", "--type=json", "-p", ready])?;
    eventually(&mut operator, file(r#""10.0.0.1:8080","10.0.0.2:8080""#))?;
    // A change by another client is reverted.
    let empty = r#"{"data":{"gateway.json":"{}"}}"#;
    stage.kubectl(&["patch", "configmap", "edge", "--type=merge", "-p", empty])?;
    eventually(&mut operator, file(r#""10.0.0.1:8080","10.0.0.2:8080""#))?;
    stage.kubectl(&["delete", "route", "shop"])?;
    stage.wait("configmap/edge", "--for=delete")?;
    stage.check_forbidden()?;
    operator.end()?;
    stage.cluster.run_kubectl(&["delete", "-f", crd, "-f", rbac, "-f", manager, "--timeout=60s"])?;
    Ok(())
}
