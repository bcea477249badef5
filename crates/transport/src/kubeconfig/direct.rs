//! Converts a kubeconfig to the config of a client.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    AuthInfo, ConfigAccess, KubeCluster, KubeContext, Kubeconfig, KubeconfigError, Overrides, Problem,
    Prompt, merge::Cover, modify::persister_for_user, validate,
};
use crate::{
    Config, Material, Secret, TlsOptions,
    auth::{AuthOptions, BasicAuth, Impersonate, read_token},
    config::{parse_server, parse_timeout},
    printable::printable,
};

/// The cluster extension that holds settings for exec plugins.
const EXEC_EXTENSION: &str = "client.authentication.k8s.io/exec";

/// A kubeconfig with a selected context and overrides. See the [module documentation](super) for an example.
#[derive(Clone, Default)]
pub struct DirectConfig {
    /// The content of the files.
    pub config: Kubeconfig,
    /// The context. If empty, the current context of the config. An override takes precedence.
    pub context: String,
    /// Values that take precedence over the files.
    pub overrides: Overrides,
    /// The files that changed settings of an auth provider are written to. Default: none.
    pub access: Option<Arc<dyn ConfigAccess>>,
    /// Asks the user for name and password if there are no credentials. Default: none.
    pub prompt: Option<Arc<dyn Prompt>>,
    answered: Arc<Mutex<Option<BasicAuth>>>,
}

impl DirectConfig {
    /// The current context of a config, without overrides.
    pub fn new(config: Kubeconfig) -> Self {
        Self { config, ..Self::default() }
    }

    /// The config for a client. Reads the token file, and opens the other files to check that they are readable.
    pub fn client_config(&self) -> Result<Config, KubeconfigError> {
        // Report a missing entry that was requested by name first.
        let user = self.user()?;
        self.context()?;
        let cluster = self.cluster()?;
        self.confirm_usable()?;

        let mut config = Config::new(parse_server(&cluster.server, false)?);
        if !cluster.proxy_url.is_empty() {
            config.proxy = Some(cluster.proxy_url.parse()?);
        }
        config.disable_compression = cluster.disable_compression;
        if !self.overrides.timeout.is_empty() {
            config.timeout = parse_timeout(&self.overrides.timeout)?;
        }
        if !user.impersonate.is_empty() {
            config.impersonate = Some(Impersonate {
                user: user.impersonate.clone(),
                uid: Some(user.impersonate_uid.clone()).filter(|uid| !uid.is_empty()),
                groups: user.impersonate_groups.clone(),
                extra: user.impersonate_user_extra.clone(),
            });
        }
        config.default_namespace = self.namespace()?.0;
        if config.uses_tls() {
            config.tls = tls(&cluster, &user);
            config.auth = self.auth(user, &cluster, &config.tls)?;
        }
        Ok(config)
    }

    /// The namespace to use, and whether it comes from an override.
    pub fn namespace(&self) -> Result<(String, bool), KubeconfigError> {
        // Applies even without a config: a pod's own config has no other override of the namespace.
        if !self.overrides.context.namespace.is_empty() {
            return Ok((self.overrides.context.namespace.clone(), true));
        }
        self.confirm_usable()?;
        let namespace = self.context()?.namespace;
        Ok((if namespace.is_empty() { "default".to_owned() } else { namespace }, false))
    }

    /// The kubeconfig with the overrides applied to the entries in use.
    pub fn merged_raw_config(&self) -> Result<Kubeconfig, KubeconfigError> {
        self.confirm_usable()?;
        let mut merged = self.config.clone();
        merged.users.insert(self.user_name(), self.user()?);
        merged.contexts.insert(self.context_name().to_owned(), self.context()?);
        self.context_name().clone_into(&mut merged.current_context);
        merged.clusters.insert(self.cluster_name(), self.cluster()?);
        Ok(merged)
    }

    /// Validates the entries in use, and reports all problems at once.
    pub fn confirm_usable(&self) -> Result<(), KubeconfigError> {
        let mut problems = Vec::new();
        let name = if self.context.is_empty() { &self.config.current_context } else { &self.context };
        if !name.is_empty() && !self.config.contexts.contains_key(name) {
            problems.push(Problem::ContextNotFound(name.clone()));
        }
        problems.extend(validate::user(&self.user_name(), &self.user().unwrap_or_default()));
        problems.extend(validate::cluster(&self.cluster_name(), &self.cluster().unwrap_or_default()));
        if problems == [Problem::EmptyCluster] {
            problems = vec![Problem::EmptyConfig];
        }
        KubeconfigError::unless_valid(problems)
    }

    fn context_name(&self) -> &str {
        [&self.overrides.current_context, &self.context]
            .into_iter()
            .find(|name| !name.is_empty())
            .unwrap_or(&self.config.current_context)
    }

    fn user_name(&self) -> String {
        match &self.overrides.context.user {
            name if name.is_empty() => self.context().unwrap_or_default().user,
            name => name.clone(),
        }
    }

    fn cluster_name(&self) -> String {
        match &self.overrides.context.cluster {
            name if name.is_empty() => self.context().unwrap_or_default().cluster,
            name => name.clone(),
        }
    }

    fn context(&self) -> Result<KubeContext, KubeconfigError> {
        let required = !self.overrides.current_context.is_empty();
        let mut context = find("context", &self.config.contexts, self.context_name(), required)?;
        context.cover(&self.overrides.context);
        Ok(context)
    }

    fn user(&self) -> Result<AuthInfo, KubeconfigError> {
        let required = !self.overrides.context.user.is_empty();
        let mut user = find("user", &self.config.users, &self.user_name(), required)?;
        let over = &self.overrides.user;
        user.cover(over);
        // File and data are alternatives: an override of one replaces both.
        if !over.client_key.is_empty() || !over.client_key_data.is_empty() {
            user.client_key.clone_from(&over.client_key);
            user.client_key_data.clone_from(&over.client_key_data);
        }
        if !over.client_certificate.is_empty() || !over.client_certificate_data.is_empty() {
            user.client_certificate.clone_from(&over.client_certificate);
            user.client_certificate_data.clone_from(&over.client_certificate_data);
        }
        Ok(user)
    }

    fn cluster(&self) -> Result<KubeCluster, KubeconfigError> {
        let required = !self.overrides.context.cluster.is_empty();
        let mut cluster = self.overrides.cluster_defaults.clone();
        cluster.cover(&find("cluster", &self.config.clusters, &self.cluster_name(), required)?);
        let over = &self.overrides.cluster;
        cluster.cover(over);
        // An override with a CA turns verification on, and an override that turns it off drops the CA.
        if over.insecure_skip_tls_verify
            || !over.certificate_authority.is_empty()
            || !over.certificate_authority_data.is_empty()
        {
            cluster.insecure_skip_tls_verify = over.insecure_skip_tls_verify;
            cluster.certificate_authority.clone_from(&over.certificate_authority);
            cluster.certificate_authority_data.clone_from(&over.certificate_authority_data);
        }
        // The server name in the file belongs to the server in the file.
        if !over.tls_server_name.is_empty() || !over.server.is_empty() {
            cluster.tls_server_name.clone_from(&over.tls_server_name);
        }
        Ok(cluster)
    }

    fn auth(
        &self,
        user: AuthInfo,
        cluster: &KubeCluster,
        tls: &TlsOptions,
    ) -> Result<AuthOptions, KubeconfigError> {
        let mut auth = AuthOptions::default();
        if !user.token_file.is_empty() {
            auth.token_file = Some(user.token_file.clone().into());
        }
        if !user.token.is_empty() {
            auth.token = Some(user.token);
        } else if !user.token_file.is_empty() {
            auth.token = Some(read_token(Path::new(&user.token_file))?);
        }
        if !user.username.is_empty() || !user.password.is_empty() {
            auth.basic = Some(BasicAuth { username: user.username, password: user.password });
        }
        if user.auth_provider.is_some() {
            auth.provider = user.auth_provider;
            auth.persist = self.access.clone().map(|access| persister_for_user(access, self.user_name()));
        }
        if let Some(mut exec) = user.exec {
            exec.install_hint = printable(&exec.install_hint);
            if let Some(policy) = &self.overrides.plugin_policy {
                exec.policy.clone_from(policy);
            }
            exec.cluster_extension = cluster.extensions.get(EXEC_EXTENSION).cloned();
            auth.exec = Some(exec);
        }
        let anonymous = auth.is_anonymous() && tls.client_certificate.is_none();
        if anonymous && let Some(prompt) = &self.prompt {
            auth.basic = Some(self.answer(&**prompt)?);
        }
        Ok(auth)
    }

    /// The user's answer, now or from an earlier call.
    fn answer(&self, prompt: &dyn Prompt) -> Result<BasicAuth, KubeconfigError> {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = &*answered {
            return Ok(answer.clone());
        }
        let ask = |what: &'static str, secret| {
            prompt.ask(what, secret).map_err(|error| KubeconfigError::Prompt { what, error: Arc::new(error) })
        };
        let answer =
            BasicAuth { username: ask("Username", false)?, password: Secret::new(ask("Password", true)?) };
        Ok(answered.insert(answer).clone())
    }
}

impl std::fmt::Debug for DirectConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DirectConfig")
            .field("config", &self.config)
            .field("context", &self.context)
            .field("overrides", &self.overrides)
            .finish_non_exhaustive()
    }
}

fn find<T: Clone + Default>(
    what: &'static str,
    entries: &client_rs_machinery::collections::VecMap<String, T>,
    name: &str,
    required: bool,
) -> Result<T, KubeconfigError> {
    match entries.get(name) {
        Some(entry) => Ok(entry.clone()),
        None if required => {
            let known = entries.keys().cloned().collect();
            Err(KubeconfigError::NotFound { what, name: name.to_owned(), known })
        }
        None => Ok(T::default()),
    }
}

fn tls(cluster: &KubeCluster, user: &AuthInfo) -> TlsOptions {
    let has_certificate = !user.client_certificate.is_empty() || !user.client_certificate_data.is_empty();
    TlsOptions {
        ca: material(&cluster.certificate_authority, &cluster.certificate_authority_data),
        client_certificate: material(&user.client_certificate, &user.client_certificate_data),
        client_key: material(&user.client_key, &user.client_key_data).filter(|_| has_certificate),
        server_name: Some(cluster.tls_server_name.clone()).filter(|name| !name.is_empty()),
        insecure_skip_verify: cluster.insecure_skip_tls_verify,
    }
}

/// Data takes precedence over a file.
fn material(file: &str, data: &bytes::Bytes) -> Option<Material> {
    match (data.is_empty(), file.is_empty()) {
        (false, _) => Some(Material::Data(data.clone())),
        (true, false) => Some(Material::File(file.into())),
        (true, true) => None,
    }
}
