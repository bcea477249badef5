//! The input and the output of a plugin.

use std::time::SystemTime;

use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;
use client_rs_machinery::Time;
use serde_json::{Map, Value, json};

use super::ExecError;
use crate::{Config, Secret, tls_source::ClientIdentity};

pub(super) const KIND: &str = "ExecCredential";

/// A version of the protocol. The versions differ only in their name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Version {
    V1,
    V1beta1,
}

/// The cluster that the credentials are for, as passed to a plugin. `Debug` hides the certificate authority and the settings.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ExecCluster {
    /// The server's URL.
    pub server: String,
    /// The name to expect in its certificate.
    pub tls_server_name: String,
    /// Whether any server certificate is accepted.
    pub insecure_skip_tls_verify: bool,
    /// The authorities that may sign it, in PEM.
    pub certificate_authority_data: Bytes,
    /// The proxy on the way to it.
    pub proxy_url: String,
    /// Whether to request uncompressed responses.
    pub disable_compression: bool,
    /// The content of the cluster's extension for plugins.
    pub config: Option<Value>,
}

/// The output of a plugin.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) token: Option<Secret>,
    pub(super) identity: Option<ClientIdentity>,
    pub(super) expiry: Option<SystemTime>,
}

impl Version {
    pub(super) fn parse(api_version: &str) -> Result<Self, ExecError> {
        [Self::V1, Self::V1beta1]
            .into_iter()
            .find(|version| version.as_str() == api_version)
            .ok_or_else(|| ExecError::ApiVersion(api_version.to_owned()))
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::V1 => "client.authentication.k8s.io/v1",
            Self::V1beta1 => "client.authentication.k8s.io/v1beta1",
        }
    }
}

impl ExecCluster {
    /// The cluster of a client's config. Reads the CA file, if there is one.
    pub fn of(config: &Config) -> Result<Self, ExecError> {
        let ca = config.tls.ca.as_ref().map(crate::Material::read).transpose();
        Ok(Self {
            server: config.server_url(),
            tls_server_name: config.tls.server_name.clone().unwrap_or_default(),
            insecure_skip_tls_verify: config.tls.insecure_skip_verify,
            certificate_authority_data: ca
                .map_err(|error| ExecError::ClusterCa(error.to_string()))?
                .unwrap_or_default(),
            proxy_url: config.proxy.as_ref().map(|proxy| proxy.expose().to_owned()).unwrap_or_default(),
            disable_compression: config.disable_compression,
            config: config.auth.exec.as_ref().and_then(|exec| exec.cluster_extension.clone()),
        })
    }

    fn to_value(&self) -> Value {
        let mut cluster = Map::new();
        let mut set = |name: &str, value: Value| cluster.insert(name.to_owned(), value);
        set("server", self.server.clone().into());
        if !self.tls_server_name.is_empty() {
            set("tls-server-name", self.tls_server_name.clone().into());
        }
        if self.insecure_skip_tls_verify {
            set("insecure-skip-tls-verify", true.into());
        }
        if !self.certificate_authority_data.is_empty() {
            set(
                "certificate-authority-data",
                BASE64_STANDARD.encode(&self.certificate_authority_data).into(),
            );
        }
        if !self.proxy_url.is_empty() {
            set("proxy-url", self.proxy_url.clone().into());
        }
        if self.disable_compression {
            set("disable-compression", true.into());
        }
        set("config", self.config.clone().unwrap_or_default());
        Value::Object(cluster)
    }
}

impl std::fmt::Debug for ExecCluster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExecCluster").field("server", &self.server).finish_non_exhaustive()
    }
}

/// The value of `KUBERNETES_EXEC_INFO`.
pub(super) fn question(version: Version, interactive: bool, cluster: Option<&ExecCluster>) -> String {
    let mut spec = Map::from_iter([("interactive".to_owned(), interactive.into())]);
    if let Some(cluster) = cluster {
        spec.insert("cluster".to_owned(), cluster.to_value());
    }
    json!({"kind": KIND, "apiVersion": version.as_str(), "spec": spec}).to_string()
}

/// Parses the output of a plugin. Errors name the cause and quote no part of the output.
pub(super) fn answer(version: Version, stdout: &[u8]) -> Result<Answer, String> {
    let document = document(stdout)?;
    let text = |value: &Value, name: &str| match value.get(name) {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(format!("{name} in its output is not a string")),
    };
    let api_version = text(&document, "apiVersion")?;
    if api_version.is_empty() {
        return Err("its output has no apiVersion".to_owned());
    }
    if api_version != version.as_str() {
        return Err(format!(
            "is configured to use API version {}, returned version {api_version}",
            version.as_str()
        ));
    }
    if text(&document, "kind")? != KIND {
        return Err(format!("its output is not of kind {KIND}"));
    }
    let status = match document.get("status") {
        None | Some(Value::Null) => return Err("didn't return a status field".to_owned()),
        Some(status @ Value::Object(_)) => status,
        Some(_) => return Err("status in its output is not an object".to_owned()),
    };
    let token = text(status, "token")?;
    let certificate = Bytes::from(text(status, "clientCertificateData")?);
    let key = Bytes::from(text(status, "clientKeyData")?);
    if token.is_empty() && certificate.is_empty() && key.is_empty() {
        return Err("didn't return a token or cert/key pair".to_owned());
    }
    if certificate.is_empty() != key.is_empty() {
        return Err("returned only certificate or key, not both".to_owned());
    }
    let identity = if certificate.is_empty() {
        None
    } else {
        Some(
            ClientIdentity::from_pem(&certificate, &key)
                .map_err(|error| format!("returned an unusable {error}"))?,
        )
    };
    let expiry = match text(status, "expirationTimestamp")?.as_str() {
        "" => None,
        text => {
            let time = Time::parse(text).ok().and_then(|time| SystemTime::try_from(time).ok());
            Some(time.ok_or("expirationTimestamp in its output is not an RFC 3339 time")?)
        }
    };
    Ok(Answer { token: (!token.is_empty()).then(|| token.into()), identity, expiry })
}

/// Reads the output of a plugin and returns its error, if it has one: for the fuzz targets, which start no plugin.
#[doc(hidden)]
pub fn check_answer(stdout: &[u8]) -> Result<(), String> {
    answer(Version::V1, stdout).map(drop)
}

/// Plugins print JSON; client-go also accepts YAML.
fn document(stdout: &[u8]) -> Result<Value, String> {
    if stdout.trim_ascii().is_empty() {
        return Err("printed nothing on its standard output".to_owned());
    }
    let document = serde_json::from_slice(stdout).or_else(|error| {
        crate::yaml::parse(stdout).map_err(|_| format!("its output is neither JSON nor YAML: {error}"))
    })?;
    match document {
        Value::Object(_) => Ok(document),
        _ => Err("its output is not an object".to_owned()),
    }
}
