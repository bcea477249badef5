//! The life of a control plane: it starts, works as documented, and ends without a trace.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use client_rs_testkit::{
    Access, Binaries, Cluster, Folders, Kubeconfig, Options, Probe, ProcessIdentity, Progress,
};
use serde::Deserialize;

use crate::mishaps;
use crate::stage::{Running, Stage, eventually, listens};
use client_rs_tests_tools::Report;

/// The name of the cluster that most scenarios share.
pub(crate) const SHARED: &str = "life";

/// The time that controllers may take on a busy machine.
const SOON: Duration = Duration::from_mins(1);

/// A scenario's name and what must hold.
pub(crate) type Scenario = (&'static str, fn(&Stage) -> Result<()>);

/// One after the other on one stage, most of them with one cluster.
const SHARED_SCENARIOS: &[Scenario] = &[
    ("up prints a kubeconfig that only its owner can read", up),
    ("up of a running name reports that and prints the same kubeconfig", up_again),
    ("status, kubeconfig and logs know the cluster", status),
    ("/version answers over TLS with the generated authority", version_over_tls),
    ("another authority is refused, and so is none", other_authorities),
    ("client certificate and token are the administrator's; others are kept out", credentials),
    ("tokens of service accounts are signed and verified", service_account_token),
    ("a Deployment of 3 replicas gets 3 pods", deployment),
    ("certificate requests are signed", certificate_request),
    ("a test's namespace is its own and is removed on drop", namespace),
    ("a second cluster with every API runs next to the first", second_cluster),
    ("after down nothing listens and no process or file is left", down),
    ("the next start takes under 30 s", next_start),
];

/// Each on a stage of its own.
const SCENARIOS: &[Scenario] = &[
    ("a test's cluster ends with the test", ends_with_the_test),
    ("a test's cluster ends when the test is killed", ends_with_a_killed_test),
];

pub(crate) fn run(report: &mut Report, xtask: &Path) -> Result<()> {
    // Built here, so that no scenario's time includes it.
    Binaries::ready(&Folders::of_user(), &Progress::stderr())?;
    let stage = Stage::new(xtask)?;
    for scenario in SHARED_SCENARIOS {
        play(report, scenario, &stage);
    }
    drop(stage);
    for scenario in SCENARIOS.iter().chain(mishaps::SCENARIOS) {
        play(report, scenario, &Stage::new(xtask)?);
    }
    Ok(())
}

fn play(report: &mut Report, (name, scenario): &Scenario, stage: &Stage) {
    let start = Instant::now();
    let outcome = scenario(stage);
    report.record(&format!("{name} ({:.1} s)", start.elapsed().as_secs_f64()), outcome);
}

fn up(stage: &Stage) -> Result<()> {
    let outcome = stage.cluster(&["up", "--name", SHARED])?.success()?;
    ensure!(outcome.stdout.starts_with("cluster life: up in "), "{}", outcome.stdout);
    let kubeconfig = Path::new(outcome.last_line()?);
    let mode = kubeconfig.metadata().with_context(|| format!("no file {}", kubeconfig.display()))?.mode();
    ensure!(mode & 0o777 == 0o600, "mode {:o}", mode & 0o777);
    Ok(())
}

fn up_again(stage: &Stage) -> Result<()> {
    let before = stage.record(SHARED)?;
    let outcome = stage.cluster(&["up", "--name", SHARED])?.success()?;
    ensure!(outcome.stdout.starts_with("cluster life: already up"), "{}", outcome.stdout);
    ensure!(Path::new(outcome.last_line()?) == before.kubeconfig, "another kubeconfig: {}", outcome.stdout);
    ensure!(stage.record(SHARED)?.processes == before.processes, "other processes");
    let other = stage.cluster(&["up", "--name", SHARED, "--all-apis"])?;
    other.fails_with("already runs with other options")
}

fn status(stage: &Stage) -> Result<()> {
    let record = stage.record(SHARED)?;
    let all = stage.cluster(&["status"])?.success()?.stdout;
    ensure!(all.contains("life: up") && all.contains(&record.server), "{all}");
    ensure!(all.ends_with("clusters: 1 up, 0 broken\n"), "{all}");
    stage.cluster(&["status", "--name", SHARED])?.success()?;
    ensure!(
        stage.cluster(&["status", "--name", "nobody"])?.code() == Some(1),
        "status of a name that is not up"
    );
    let path = stage.cluster(&["kubeconfig", "--name", SHARED])?.success()?.stdout;
    ensure!(Path::new(path.trim_end()) == record.kubeconfig, "{path}");
    stage.cluster(&["kubeconfig", "--name", "nobody"])?.fails_with("cluster nobody is not up")?;
    let logs = stage.cluster(&["logs", "--name", SHARED])?.success()?.stdout;
    for component in ["etcd", "kube-apiserver", "kube-controller-manager"] {
        ensure!(logs.contains(&format!("== {component} (")), "no log of {component}");
    }
    let tail = stage.cluster(&["logs", "--name", SHARED, "kube-apiserver", "--tail", "3"])?.success()?.stdout;
    ensure!(tail.lines().count() == 4, "{tail}");
    stage.cluster(&["logs", "--name", SHARED, "kubelet"])?.fails_with("there is no `kubelet`")
}

fn version_over_tls(stage: &Stage) -> Result<()> {
    let record = stage.record(SHARED)?;
    let access = anonymous(&admin(stage)?);
    let answer = Probe::new(&access)?.get("/version")?;
    ensure!(answer.status == 200, "{answer:?}");
    let version: serde_json::Value = serde_json::from_str(&answer.body)?;
    ensure!(version["gitVersion"] == record.kubernetes.as_str(), "{}", answer.body);
    Ok(())
}

fn other_authorities(stage: &Stage) -> Result<()> {
    let other = std::fs::read(stage.record(SHARED)?.folder.join("front-proxy-ca.crt"))?;
    for authority in [Some(other), None] {
        let access = Access { certificate_authority: authority, ..anonymous(&admin(stage)?) };
        let answer = Probe::new(&access)?.get("/version");
        let error = answer.err().context("answered")?.to_string();
        ensure!(error.contains("certificate"), "refused for another reason: {error}");
    }
    Ok(())
}

fn credentials(stage: &Stage) -> Result<()> {
    let by_certificate = admin(stage)?;
    let by_token = Kubeconfig::read(&stage.record(SHARED)?.kubeconfig)?.access(Some("admin-token"))?;
    let nobody = anonymous(&by_certificate);
    let stranger = Access { token: Some("no-such-token".into()), ..nobody.clone() };
    for (who, access, expected) in [
        ("the client certificate", by_certificate, 200),
        ("the token", by_token, 200),
        ("no credentials", nobody, 403),
        ("a wrong token", stranger, 401),
    ] {
        let answer = Probe::new(&access)?.get("/api/v1/pods")?;
        ensure!(answer.status == expected, "{who}: {} instead of {expected}: {}", answer.status, answer.body);
    }
    Ok(())
}

fn service_account_token(stage: &Stage) -> Result<()> {
    let cluster = shared(stage)?;
    let token = cluster.run_kubectl(&["create", "token", "default"])?.trim().to_owned();
    let access = Access { token: Some(token), ..anonymous(&admin(stage)?) };
    let answer = Probe::new(&access)?.get("/api/v1/pods")?;
    // Known by name, and without rights: RBAC is on.
    ensure!(
        answer.status == 403 && answer.body.contains("system:serviceaccount:default:default"),
        "{answer:?}"
    );
    Ok(())
}

fn deployment(stage: &Stage) -> Result<()> {
    let namespace = shared(stage)?.namespace("deployment")?;
    namespace.run_kubectl(&[
        "create",
        "deployment",
        "web",
        "--image=registry.k8s.io/pause:3.10",
        "--replicas=3",
    ])?;
    let owners = "jsonpath={range .items[*]}{.metadata.ownerReferences[0].kind}{\"\\n\"}{end}";
    eventually(SOON, || {
        let pods = namespace.run_kubectl(&["get", "pods", "--selector=app=web", "--output", owners])?;
        ensure!(pods.lines().eq(["ReplicaSet"; 3]), "pods by owner: {pods:?}");
        Ok(())
    })
}

fn certificate_request(stage: &Stage) -> Result<()> {
    let cluster = shared(stage)?;
    let mut params = rcgen::CertificateParams::default();
    params.distinguished_name.push(rcgen::DnType::CommonName, "somebody");
    let request = params.serialize_request(&rcgen::KeyPair::generate()?)?.pem()?;
    let manifest = serde_json::json!({
        "apiVersion": "certificates.k8s.io/v1",
        "kind": "CertificateSigningRequest",
        "metadata": {"name": "somebody"},
        "spec": {
            "request": base64(&request),
            "signerName": "kubernetes.io/kube-apiserver-client",
            "usages": ["client auth"],
        },
    });
    let file = stage.file("request.json");
    std::fs::write(&file, manifest.to_string())?;
    cluster.run_kubectl(&["create", "--filename", &file.display().to_string()])?;
    cluster.run_kubectl(&["certificate", "approve", "somebody"])?;
    eventually(SOON, || {
        let issued =
            cluster.run_kubectl(&["get", "csr", "somebody", "--output", "jsonpath={.status.certificate}"])?;
        ensure!(!issued.is_empty(), "no certificate yet");
        Ok(())
    })
}

fn namespace(stage: &Stage) -> Result<()> {
    let cluster = shared(stage)?;
    let (first, second) = (cluster.namespace("mine")?, cluster.namespace("mine")?);
    let (kept, dropped) = (first.name().to_owned(), second.name().to_owned());
    ensure!(kept != dropped, "one name twice");
    drop(second);
    eventually(SOON, || {
        let left = cluster.run_kubectl(&["get", "namespaces", "--output=name"])?;
        let left: BTreeSet<&str> = left.lines().filter_map(|line| line.strip_prefix("namespace/")).collect();
        ensure!(left.contains(kept.as_str()) && !left.contains(dropped.as_str()), "{left:?}");
        Ok(())
    })
}

fn second_cluster(stage: &Stage) -> Result<()> {
    stage.cluster(&["up", "--name", "second", "--all-apis", "--feature-gates", "AllBeta=true"])?.success()?;
    let (first, second) = (stage.record(SHARED)?, stage.record("second")?);
    ensure!(first.is_running() && second.is_running() && first.server != second.server, "not both");
    let versions =
        |kubeconfig: &Path| Ok::<_, anyhow::Error>(existing(kubeconfig)?.run_kubectl(&["api-versions"])?);
    ensure!(!versions(&first.kubeconfig)?.contains("alpha"), "the first serves alpha versions");
    ensure!(versions(&second.kubeconfig)?.contains("alpha"), "the second serves no alpha version");
    stage.cluster(&["down", "--name", "second"])?.success()?;
    ensure!(stage.record(SHARED)?.is_running(), "the first has ended, too");
    Ok(())
}

fn down(stage: &Stage) -> Result<()> {
    let record = stage.record(SHARED)?;
    ensure!(listens(&record.server)?, "nothing listened before");
    stage.cluster(&["down", "--name", SHARED])?.success()?;
    ensure!(!listens(&record.server)?, "something listens at {}", record.server);
    for (name, process) in &record.processes {
        ensure!(!process.is_alive(), "{name} lives");
    }
    stage.is_clean()?;
    let again = stage.cluster(&["down", "--name", SHARED])?.success()?;
    ensure!(again.stdout == "cluster life: was not up\n", "{}", again.stdout);
    stage.is_clean()
}

fn next_start(stage: &Stage) -> Result<()> {
    let start = Instant::now();
    stage.cluster(&["up", "--name", SHARED])?.success()?;
    let took = start.elapsed();
    stage.cluster(&["down", "--name", SHARED])?.success()?;
    stage.is_clean()?;
    ensure!(took < Duration::from_secs(30), "{:.1} s", took.as_secs_f64());
    Ok(())
}

fn ends_with_the_test(stage: &Stage) -> Result<()> {
    let (mut test, held) = hold(stage)?;
    test.close_stdin();
    test.finish(SOON)?.success()?;
    held.vanishes(stage)
}

fn ends_with_a_killed_test(stage: &Stage) -> Result<()> {
    let (mut test, held) = hold(stage)?;
    test.kill()?;
    held.vanishes(stage)
}

/// The output of a process that holds a cluster like a test.
#[derive(Deserialize)]
pub(crate) struct Held {
    pub(crate) server: String,
    pub(crate) folder: Option<PathBuf>,
    pub(crate) processes: Vec<(String, ProcessIdentity)>,
}

impl Held {
    fn vanishes(&self, stage: &Stage) -> Result<()> {
        eventually(Duration::from_secs(30), || {
            for (name, process) in &self.processes {
                ensure!(!process.is_alive(), "{name} lives");
            }
            stage.is_clean()
        })?;
        ensure!(!listens(&self.server)?, "something listens at {}", self.server);
        Ok(())
    }
}

fn hold(stage: &Stage) -> Result<(Running, Held)> {
    let mut command = stage.xtask(&["cluster", "hold"]);
    command.stdin(Stdio::piped());
    let mut test = stage.start(command)?;
    let mut held = None;
    eventually(Duration::from_mins(2), || {
        let said = test.stdout()?;
        if said.ends_with('\n') {
            held = Some(serde_json::from_str::<Held>(&said)?);
            return Ok(());
        }
        ensure!(test.is_running()?, "it ended");
        anyhow::bail!("no cluster yet")
    })?;
    let held = held.context("no cluster")?;
    ensure!(
        held.processes.len() == 3 && held.processes.iter().all(|(_, process)| process.is_alive()),
        "not all run"
    );
    ensure!(held.folder.as_ref().is_some_and(|folder| folder.exists()), "no folder");
    Ok((test, held))
}

/// The shared cluster, as a test sees it.
fn shared(stage: &Stage) -> Result<Arc<Cluster>> {
    existing(&stage.record(SHARED)?.kubeconfig)
}

fn existing(kubeconfig: &Path) -> Result<Arc<Cluster>> {
    let options = Options::default().with_progress(Progress::silent());
    Ok(Arc::new(Cluster::existing(kubeconfig, options)?))
}

fn admin(stage: &Stage) -> Result<Access> {
    Ok(Kubeconfig::read(&stage.record(SHARED)?.kubeconfig)?.access(None)?)
}

fn anonymous(access: &Access) -> Access {
    Access { client_certificate: None, token: None, ..access.clone() }
}

fn base64(text: &str) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(text)
}
