//! Validation of a kubeconfig.

use std::fs::File;

use client_rs_machinery::validation::dns1123_label;

use super::{AuthInfo, KubeCluster, KubeContext, Kubeconfig, KubeconfigError, Problem};
use crate::{ConfigError, ProxyUrl, auth::exec::InteractiveMode};

impl Kubeconfig {
    /// Validates all entries, including those that no context uses, and reports all problems at once.
    ///
    /// ```
    /// use client_rs_transport::kubeconfig::Kubeconfig;
    ///
    /// let kubeconfig = Kubeconfig::parse(b"contexts: [{name: dev, context: {cluster: prod, user: jane}}]")?;
    /// let error = kubeconfig.validate().unwrap_err().to_string();
    /// assert!(error.contains(r#"user "jane" was not found"#), "{error}");
    /// assert!(error.contains(r#"cluster "prod" was not found"#), "{error}");
    /// # Ok::<(), client_rs_transport::kubeconfig::KubeconfigError>(())
    /// ```
    pub fn validate(&self) -> Result<(), KubeconfigError> {
        if self.is_empty() {
            return Err(KubeconfigError::Invalid(vec![Problem::EmptyConfig]));
        }
        let mut problems = Vec::new();
        if !self.current_context.is_empty() && !self.contexts.contains_key(&self.current_context) {
            problems.push(Problem::ContextNotFound(self.current_context.clone()));
        }
        problems.extend(self.contexts.iter().flat_map(|(name, entry)| context(name, entry, self)));
        problems.extend(self.users.iter().flat_map(|(name, entry)| user(name, entry)));
        problems.extend(self.clusters.iter().flat_map(|(name, entry)| cluster(name, entry)));
        KubeconfigError::unless_valid(problems)
    }

    /// Validates one context (the current one, if the name is empty) and the entries that it refers to.
    pub fn confirm_usable(&self, name: &str) -> Result<(), KubeconfigError> {
        if self.is_empty() {
            return Err(KubeconfigError::Invalid(vec![Problem::EmptyConfig]));
        }
        let name = if name.is_empty() { &self.current_context } else { name };
        if name.is_empty() {
            return Err(KubeconfigError::Invalid(vec![Problem::NoContext]));
        }
        let Some(entry) = self.contexts.get(name) else {
            return Err(KubeconfigError::Invalid(vec![Problem::ContextNotFound(name.to_owned())]));
        };
        let mut problems = context(name, entry, self);
        problems.extend(user(&entry.user, self.users.get(&entry.user).unwrap_or(&AuthInfo::default())));
        problems.extend(cluster(
            &entry.cluster,
            self.clusters.get(&entry.cluster).unwrap_or(&KubeCluster::default()),
        ));
        KubeconfigError::unless_valid(problems)
    }
}

/// The problems of a cluster. Opens its CA file to check that it is readable.
pub(super) fn cluster(name: &str, cluster: &KubeCluster) -> Vec<Problem> {
    if *cluster == KubeCluster::default() {
        return vec![Problem::EmptyCluster];
    }
    let mut problems = Vec::new();
    let mut report = |reason: String| problems.push(Problem::Cluster { cluster: name.to_owned(), reason });
    if cluster.server.is_empty() {
        report("no server found".to_owned());
    }
    if !cluster.proxy_url.is_empty()
        && let Err(ConfigError::Proxy { url, reason }) = cluster.proxy_url.parse::<ProxyUrl>()
    {
        report(format!("invalid proxy-url {url:?}: {reason}"));
    }
    if !cluster.certificate_authority.is_empty() {
        if !cluster.certificate_authority_data.is_empty() {
            report(
                "certificate-authority-data and certificate-authority are both specified: keep one"
                    .to_owned(),
            );
        }
        if let Some(reason) = cannot_open(&cluster.certificate_authority) {
            report(format!("unable to read certificate-authority {reason}"));
        }
    }
    problems
}

/// The problems of a user. Opens their certificate and key files to check that they are readable.
pub(super) fn user(name: &str, user: &AuthInfo) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut report =
        |reason: &str| problems.push(Problem::User { user: name.to_owned(), reason: reason.to_owned() });
    let has_certificate = !user.client_certificate.is_empty() || !user.client_certificate_data.is_empty();
    if has_certificate {
        if !user.client_certificate.is_empty() && !user.client_certificate_data.is_empty() {
            report("client-certificate-data and client-certificate are both specified: keep one");
        }
        if !user.client_key.is_empty() && !user.client_key_data.is_empty() {
            report("client-key-data and client-key are both specified: keep one");
        }
        if user.client_key.is_empty() && user.client_key_data.is_empty() {
            report("client-key-data or client-key must be specified to use the client certificate");
        }
        if let Some(reason) = cannot_open(&user.client_certificate) {
            report(&format!("unable to read client-certificate {reason}"));
        }
        if let Some(reason) = cannot_open(&user.client_key) {
            report(&format!("unable to read client-key {reason}"));
        }
    }
    if let Some(exec) = &user.exec {
        if user.auth_provider.is_some() {
            report("auth-provider cannot be provided in combination with an exec plugin");
        }
        if exec.command.is_empty() {
            report("exec: command must be specified");
        }
        if exec.api_version.is_empty() {
            report("exec: apiVersion must be specified");
        }
        if exec.env.iter().any(|variable| variable.name.is_empty()) {
            report("exec: every env variable must have a name");
        }
        match &exec.interactive_mode {
            InteractiveMode::Unset => {
                report("exec: interactiveMode must be specified: Never, IfAvailable or Always");
            }
            InteractiveMode::Other(mode) => {
                report(&format!("exec: invalid interactiveMode {mode:?}: use Never, IfAvailable or Always"));
            }
            InteractiveMode::Never | InteractiveMode::IfAvailable | InteractiveMode::Always => {}
        }
        if let Err(error) = exec.policy.validate() {
            report(&format!("exec: {error}"));
        }
    }
    if !user.token.is_empty() && (!user.username.is_empty() || !user.password.is_empty()) {
        report("more than one authentication method found: token and username/password; only one is allowed");
    }
    if user.impersonate.is_empty()
        && (!user.impersonate_uid.is_empty()
            || !user.impersonate_groups.is_empty()
            || !user.impersonate_user_extra.is_empty())
    {
        report("requesting uid, groups or user-extra without impersonating a user");
    }
    problems
}

fn context(name: &str, context: &KubeContext, config: &Kubeconfig) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut report = |reason: String| problems.push(Problem::Context { context: name.to_owned(), reason });
    if name.is_empty() {
        report("an empty name is not allowed".to_owned());
    }
    if context.user.is_empty() {
        report("user was not specified".to_owned());
    } else if !config.users.contains_key(&context.user) {
        report(format!("user {:?} was not found", context.user));
    }
    if context.cluster.is_empty() {
        report("cluster was not specified".to_owned());
    } else if !config.clusters.contains_key(&context.cluster) {
        report(format!("cluster {:?} was not found", context.cluster));
    }
    if !context.namespace.is_empty() && dns1123_label(&context.namespace).is_err() {
        report(format!("namespace {:?} is not a DNS label", context.namespace));
    }
    problems
}

/// The reason why a file can't be opened; `None` if it can, or if the path is empty.
fn cannot_open(path: &str) -> Option<String> {
    if path.is_empty() {
        return None;
    }
    File::open(path).err().map(|error| format!("{path}: {error}"))
}
