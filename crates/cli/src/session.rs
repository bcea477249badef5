//! A cluster that is being talked to.

use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use client_rs_client::discovery::{
    DeferredRestMapper, Discovery, MapError, MapperOptions, RestMapper, RestMapping,
};
use client_rs_client::warning::{WarningHandler, WarningWriter};
use client_rs_client::{DynamicApi, DynamicClient, RestClientOptions};
use client_rs_machinery::{GroupVersionKind, Unstructured};
use client_rs_transport::kubeconfig::DeferredConfig;

use crate::{GlobalArgs, Printable};

/// The rate limit of a command and its burst: kubectl's.
const QPS: f32 = 50.0;
const BURST: u32 = 300;

/// A client, the discovery of the cluster, and the current namespace.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) client: DynamicClient,
    discovery: Arc<dyn Discovery>,
    pub(crate) namespace: String,
    /// Was the namespace named on the command line?
    pub(crate) namespace_is_explicit: bool,
}

impl Session {
    /// Builds the session from the arguments. Warnings of the server go to standard error.
    pub(crate) fn open(global: &GlobalArgs) -> Result<Self> {
        let deferred = DeferredConfig::new(global.kube.loading_rules(), global.kube.overrides());
        let (namespace, namespace_is_explicit) = deferred.namespace()?;
        let config = global.config()?;
        let config = config.with_qps(QPS).with_burst(BURST);
        let mut warnings = WarningWriter::new(Printable::new(std::io::stderr()));
        warnings.deduplicate = true;
        let warnings: Arc<dyn WarningHandler> = Arc::new(warnings);
        let options = RestClientOptions::from_config(&config).with_warnings(Arc::clone(&warnings));
        let rest = global.connect(&config, options)?;
        let discovery = global.discovery()?;
        let mapper = MapperOptions::default().with_warnings(warnings);
        let mapper = DeferredRestMapper::with_options(Arc::clone(&discovery), mapper);
        let client = DynamicClient::from_rest(rest).with_mapper(mapper);
        Ok(Self { client, discovery, namespace, namespace_is_explicit })
    }

    /// The resource that goes by this name.
    pub(crate) async fn find(&self, name: &str) -> Result<Arc<RestMapping>> {
        match self.client.mapper().find(name).await {
            Ok(mapping) => Ok(mapping),
            Err(MapError::NoType(_)) if name.contains('.') => {
                let (resource, group) = name.split_once('.').unwrap_or((name, ""));
                Err(anyhow!("the server doesn't have a resource type {resource:?} in group {group:?}"))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The resources that these names mean, categories such as `all` included.
    pub(crate) async fn find_all(&self, names: &[&str]) -> Result<Vec<Arc<RestMapping>>> {
        let mut found: Vec<Arc<RestMapping>> = Vec::new();
        for name in names.iter().filter(|name| !name.is_empty()) {
            let mut members = vec![(*name).to_owned()];
            // Only a word that is not a resource can be a category, unless somebody calls a resource `all`.
            if let Some(category) = self.category(name).await? {
                members = category;
            }
            for member in members {
                let mapping = self.find(&member).await?;
                if !found.contains(&mapping) {
                    found.push(mapping);
                }
            }
        }
        if found.is_empty() {
            bail!("you must name a resource");
        }
        Ok(found)
    }

    async fn category(&self, name: &str) -> Result<Option<Vec<String>>> {
        let served = self.discovery.server_resources().await?;
        let members = RestMapper::new(&served).category(name);
        Ok((!members.is_empty()).then(|| members.iter().map(ToString::to_string).collect()))
    }

    /// The objects of a resource in a namespace, or of the cluster.
    pub(crate) fn api(&self, mapping: &RestMapping, namespace: &str) -> DynamicApi {
        let api = self.client.mapped(mapping);
        if mapping.namespaced { api.namespace(namespace) } else { api }
    }

    /// The objects of a resource in the session's namespace, or in all.
    pub(crate) fn collection(&self, mapping: &RestMapping, all_namespaces: bool) -> DynamicApi {
        if all_namespaces { self.client.mapped(mapping) } else { self.api(mapping, &self.namespace) }
    }
}

/// Objects of manifests.
impl Session {
    /// The resource of an object's kind.
    pub(crate) async fn mapping_of(&self, object: &Unstructured) -> Result<Arc<RestMapping>> {
        let kind = GroupVersionKind::from_api_version(object.api_version(), object.kind());
        Ok(self.client.mapper().mapping_of(&kind).await?)
    }

    /// The namespace of an object: its own, which must not contradict the command line, or the session's.
    pub(crate) fn namespace_for(&self, object: &Unstructured) -> Result<String> {
        match object.namespace() {
            "" => Ok(self.namespace.clone()),
            own if self.namespace_is_explicit && own != self.namespace => bail!(
                "the namespace from the provided object {own:?} does not match the namespace {:?}. You must pass \
                 '--namespace={own}' to perform this operation.",
                self.namespace
            ),
            own => Ok(own.to_owned()),
        }
    }
}
