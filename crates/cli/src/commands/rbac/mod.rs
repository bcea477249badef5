//! `krs rbac`

mod grant;
mod granted;
mod record;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use client_rs_apiserver::RECORD_PERMISSIONS;
use client_rs_client::manifest;
use client_rs_machinery::{Json, json};

use self::grant::{Grant, Reach};
use self::granted::{Account, Kept};
use self::record::Permission;

/// The tests must run the operator as its service account, on the embedded server. A namespace of a test stands for any
/// namespace, so rights in it become rights in the cluster; rights in the namespace of the account stay there.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The service account of the operator
    #[arg(long, value_name = "NAMESPACE/NAME", value_parser = account)]
    account: Account,
    /// Compare with the manifests of this file or folder, and fail if they grant more or less
    #[arg(long, value_name = "PATH", conflicts_with = "output")]
    check: Option<PathBuf>,
    /// Accept a right in the manifests that no test uses, such as `create:tokenreviews.authentication.k8s.io`; can be
    /// repeated
    #[arg(long, value_name = "VERB:RESOURCE.GROUP", value_parser = kept, requires = "check")]
    keep: Vec<Kept>,
    /// Keep rights in this namespace as a Role of it, in addition to the namespace of the account; can be repeated
    #[arg(long = "in-namespace", value_name = "NAME")]
    in_namespace: Vec<String>,
    /// Read the permissions that an earlier run recorded in this folder, instead of running a command
    #[arg(long, value_name = "FOLDER", conflicts_with = "command", required_unless_present = "command")]
    record: Option<PathBuf>,
    /// The output file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The command that runs the tests, such as `cargo test`
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

fn account(text: &str) -> Result<Account, String> {
    match text.split_once('/') {
        Some((namespace, name)) if !namespace.is_empty() && !name.is_empty() && !name.contains('/') => {
            Ok(Account { namespace: namespace.to_owned(), name: name.to_owned() })
        }
        _ => Err("expected NAMESPACE/NAME".to_owned()),
    }
}

fn kept(text: &str) -> Result<Kept, String> {
    match text.split_once(':') {
        Some((verb, resource)) if !verb.is_empty() && !resource.is_empty() => {
            Ok(Kept { verb: verb.to_owned(), resource: resource.to_owned() })
        }
        _ => Err("expected VERB:RESOURCE or VERB:RESOURCE.GROUP".to_owned()),
    }
}

/// Blocks while the command runs.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let permissions = match &args.record {
        Some(folder) => record::read(folder)?,
        None => recorded(&args.command)?,
    };
    let used = of_account(&permissions, &args.account)?;
    let fixed = args.in_namespace.iter().chain([&args.account.namespace]).cloned().collect();
    let needed = grant::needed(&used, &fixed);
    if let Some(path) = &args.check {
        let manifests = manifest::read_path(path)?;
        let manifests: Vec<Json> = manifests.into_iter().map(|found| found.object.into()).collect();
        let differences = granted::differences(&manifests, &args.account, &needed, &args.keep);
        ensure!(differences.is_empty(), unfit(path, &args.account, &differences));
        writeln!(out, "{} grants exactly the {} rights that were used", path.display(), needed.len())?;
        return Ok(());
    }
    let text = manifests(&args.account, &needed);
    match &args.output {
        Some(path) => {
            std::fs::write(path, text).with_context(|| format!("can't write {}", path.display()))?;
        }
        None => out.write_all(text.as_bytes())?,
    }
    Ok(())
}

/// The message about manifests that do not fit.
fn unfit(path: &Path, account: &Account, differences: &[String]) -> String {
    let (path, user, differences) = (path.display(), account.user(), differences.join("\n  "));
    format!("{path} does not grant exactly the rights that {user} used:\n  {differences}")
}

/// Runs a command whose embedded servers record the permissions that their clients use. Its standard output becomes our
/// standard error, because ours has the roles.
fn recorded(command: &[OsString]) -> Result<BTreeSet<Permission>> {
    let folder = tempfile::tempdir().context("can't create a folder for the recorded permissions")?;
    let (program, arguments) = command.split_first().context("a command is required")?;
    let shown = program.display();
    let status = Command::new(program)
        .args(arguments)
        .env(RECORD_PERMISSIONS, folder.path())
        .stdout(Stdio::from(std::io::stderr()))
        .status()
        .with_context(|| format!("can't run {shown}"))?;
    ensure!(status.success(), "{shown} failed ({status}), so its permissions may be incomplete");
    record::read(folder.path())
}

/// The permissions that the account used; an error if there are none.
fn of_account(permissions: &BTreeSet<Permission>, account: &Account) -> Result<Vec<Permission>> {
    let user = account.user();
    let own: Vec<Permission> = permissions.iter().filter(|one| one.user == user).cloned().collect();
    if !own.is_empty() {
        return Ok(own);
    }
    let users: BTreeSet<&str> = permissions.iter().map(|one| one.user.as_str()).collect();
    if users.is_empty() {
        bail!("no request was recorded: the command must run tests on the embedded server of client-rs");
    }
    let users: Vec<&str> = users.into_iter().collect();
    bail!(
        "no request of {user} was recorded, only of {}: run the operator as its account in the tests \
         (Server::add_token or Server::rest_client_as, with User::service_account)",
        users.join(", ")
    )
}

/// The roles and bindings with exactly these grants, as YAML.
fn manifests(account: &Account, grants: &BTreeSet<Grant>) -> String {
    const API: &str = "rbac.authorization.k8s.io";
    let reaches: BTreeSet<&Reach> = grants.iter().map(|grant| &grant.reach).collect();
    let mut documents = Vec::new();
    for reach in reaches {
        let (kind, mut metadata) = match reach {
            Reach::Cluster => ("ClusterRole", json!({"name": account.name.as_str()})),
            Reach::Namespace(namespace) => {
                ("Role", json!({"name": account.name.as_str(), "namespace": namespace.as_str()}))
            }
        };
        let rules = grant::rules(grants.iter().filter(|grant| grant.reach == *reach));
        documents.push(json!({
            "apiVersion": format!("{API}/v1"), "kind": kind, "metadata": metadata.clone(),
            "rules": Json::from_iter(rules),
        }));
        documents.push(json!({
            "apiVersion": format!("{API}/v1"), "kind": format!("{kind}Binding"), "metadata": metadata.take(),
            "roleRef": {"apiGroup": API, "kind": kind, "name": account.name.as_str()},
            "subjects": [{
                "kind": "ServiceAccount", "name": account.name.as_str(), "namespace": account.namespace.as_str(),
            }],
        }));
    }
    documents.iter().map(manifest::to_yaml).collect::<Vec<_>>().join("---\n")
}
