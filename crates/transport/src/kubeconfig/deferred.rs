//! A config that is loaded on first use, with the pod's service account as the fallback.

use std::sync::{Arc, OnceLock};

use super::{ConfigAccess, DirectConfig, Kubeconfig, KubeconfigError, LoadingRules, Overrides, Prompt};
use crate::{Config, Material, auth::read_token, config::parse_server, in_cluster::InCluster};

/// Loads a kubeconfig, from files or from another source. May block.
pub trait Loader: ConfigAccess {
    /// The merged kubeconfig.
    fn load(&self) -> Result<Kubeconfig, KubeconfigError>;
    /// Returns `true` if the config equals the defaults. Then the pod's own config takes precedence.
    fn is_default_config(&self, config: &Config) -> bool;
}

/// The config of the pod that the program runs in, if any.
pub trait InClusterSource: Send + Sync {
    /// Returns `true` if the program runs in a pod.
    fn possible(&self) -> bool;
    /// The pod's config.
    fn config(&self) -> Result<Config, KubeconfigError>;
    /// The pod's namespace.
    fn namespace(&self) -> String;
}

impl InClusterSource for InCluster {
    fn possible(&self) -> bool {
        Self::possible(self)
    }

    fn config(&self) -> Result<Config, KubeconfigError> {
        Ok(Self::config(self)?)
    }

    fn namespace(&self) -> String {
        Self::namespace(self)
    }
}

/// A config that reads its files once, on first use. If they contain nothing, or only defaults, it uses the pod's service
/// account.
///
/// ```
/// use client_rs_transport::in_cluster::InCluster;
/// use client_rs_transport::kubeconfig::{DeferredConfig, KubeCluster, LoadingRules, Overrides};
///
/// // No kubeconfig file, but a server from a flag:
/// let cluster = KubeCluster { server: "https://dev.example".to_owned(), ..KubeCluster::default() };
/// let overrides = Overrides::default().with_cluster(cluster);
/// let config = DeferredConfig::new(LoadingRules::default(), overrides);
/// assert_eq!(config.client_config()?.server_url(), "https://dev.example");
///
/// // No kubeconfig file, and not in a pod:
/// let no_pod = InCluster::new("", "");
/// let config = DeferredConfig::with_in_cluster(LoadingRules::default(), Overrides::default(), no_pod);
/// assert!(config.client_config().unwrap_err().is_empty_config());
/// # Ok::<(), client_rs_transport::kubeconfig::KubeconfigError>(())
/// ```
pub struct DeferredConfig<L = LoadingRules, C = InCluster> {
    loader: Arc<L>,
    overrides: Overrides,
    in_cluster: C,
    prompt: Option<Arc<dyn Prompt>>,
    loaded: OnceLock<DirectConfig>,
}

impl<L: Loader + 'static> DeferredConfig<L> {
    /// A config from this loader. Nothing is read yet.
    pub fn new(loader: L, overrides: Overrides) -> Self {
        Self::with_in_cluster(loader, overrides, InCluster::from_env())
    }
}

impl<L: Loader + 'static, C: InClusterSource> DeferredConfig<L, C> {
    /// Like [`new`](DeferredConfig::new), with another source of the pod's config.
    pub fn with_in_cluster(loader: L, overrides: Overrides, in_cluster: C) -> Self {
        Self { loader: Arc::new(loader), overrides, in_cluster, prompt: None, loaded: OnceLock::new() }
    }

    /// Asks the user for name and password if there are no credentials.
    #[must_use]
    pub fn with_prompt(mut self, prompt: Arc<dyn Prompt>) -> Self {
        self.prompt = Some(prompt);
        self
    }

    /// The merged content of the files.
    pub fn raw_config(&self) -> Result<Kubeconfig, KubeconfigError> {
        Ok(self.direct()?.config.clone())
    }

    /// The kubeconfig with the overrides applied to the entries in use.
    pub fn merged_raw_config(&self) -> Result<Kubeconfig, KubeconfigError> {
        self.direct()?.merged_raw_config()
    }

    /// The config for a client.
    pub fn client_config(&self) -> Result<Config, KubeconfigError> {
        let result = self.direct()?.client_config();
        match &result {
            Err(error) if !error.is_empty_config() => return result,
            Ok(config) if !self.loader.is_default_config(config) => {
                return result
                    .map(|config| Config { default_namespace: self.namespace_or(&config), ..config });
            }
            _ => {}
        }
        if !self.in_cluster.possible() {
            return result;
        }
        tracing::debug!("using the pod's own configuration");
        let mut config = self.in_cluster.config()?;
        self.override_in_cluster(&mut config)?;
        config.default_namespace = self.namespace_or(&config);
        Ok(config)
    }

    /// The namespace to use, and whether it comes from an override.
    pub fn namespace(&self) -> Result<(String, bool), KubeconfigError> {
        let direct = self.direct()?;
        let result = direct.namespace();
        let said = match &result {
            Ok((_, true)) => true,
            Ok((namespace, false)) => namespace != "default" || self.context_has_namespace(direct),
            Err(error) => !error.is_empty_config(),
        };
        if said || !self.in_cluster.possible() { result } else { Ok((self.in_cluster.namespace(), false)) }
    }

    fn namespace_or(&self, config: &Config) -> String {
        self.namespace().map_or_else(|_| config.default_namespace.clone(), |(namespace, _)| namespace)
    }

    /// Returns `true` if the context sets a namespace explicitly, even if it is `default`.
    fn context_has_namespace(&self, direct: &DirectConfig) -> bool {
        let name = match &self.overrides.current_context {
            name if name.is_empty() => &direct.config.current_context,
            name => name,
        };
        direct.config.contexts.get(name).is_some_and(|context| !context.namespace.is_empty())
    }

    /// Applies the overrides that are valid in a pod: server, token and CA file.
    fn override_in_cluster(&self, config: &mut Config) -> Result<(), KubeconfigError> {
        let Overrides { cluster, user, .. } = &self.overrides;
        if !cluster.certificate_authority.is_empty() {
            config.tls.ca = Some(Material::File(cluster.certificate_authority.clone().into()));
        }
        if !cluster.server.is_empty() {
            config.server = parse_server(&cluster.server, config.tls.implies_tls())?;
        }
        if !user.token.is_empty() || !user.token_file.is_empty() {
            config.auth.token = Some(user.token.clone()).filter(|token| !token.is_empty());
            config.auth.token_file = (!user.token_file.is_empty()).then(|| user.token_file.clone().into());
            if let (None, Some(file)) = (&config.auth.token, &config.auth.token_file) {
                config.auth.token = Some(read_token(file)?);
            }
        }
        Ok(())
    }

    fn direct(&self) -> Result<&DirectConfig, KubeconfigError> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        let config = self.loader.load()?;
        let access: Arc<dyn ConfigAccess> = self.loader.clone();
        let mut direct = DirectConfig::new(config);
        direct.context.clone_from(&self.overrides.current_context);
        direct.overrides = self.overrides.clone();
        direct.access = Some(access);
        direct.prompt.clone_from(&self.prompt);
        Ok(self.loaded.get_or_init(|| direct))
    }
}

impl<L, C> std::fmt::Debug for DeferredConfig<L, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DeferredConfig").field("overrides", &self.overrides).finish_non_exhaustive()
    }
}
