//! Access: permissions, and impersonation.

use anyhow::{Result, ensure};

use super::{Check, Kubectl, has};

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("auth can-i", can_i),
    ("auth can-i --list", can_i_list),
    ("auth whoami", whoami),
    ("create token", create_token),
];

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

fn create_token(kubectl: &Kubectl) -> Result<()> {
    let token = kubectl.run(&["create", "token", "runner"])?;
    ensure!(token.trim().split('.').count() == 3, "this is no JWT");
    let mut command = kubectl.command(&["auth", "whoami", "-o", "json"]);
    command.args(["--token", token.trim()]);
    let ended = kubectl.end(command, "")?;
    // The kubeconfig's own certificate, if it has one, takes precedence over the token.
    let known = ended.out.contains("system:serviceaccount:third-party:runner")
        || ended.out.contains("system:masters");
    ensure!(ended.ok && known, "{}{}", ended.out, ended.err);
    Ok(())
}
