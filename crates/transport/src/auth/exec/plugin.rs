//! The other side of the protocol: for authors of exec plugins.

use std::fmt;
use std::time::SystemTime;

use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;
use client_rs_machinery::Time;
use serde_json::{Map, Value, json};

use super::ExecCluster;
use super::protocol::{KIND, Version};
use crate::{Config, Material, ProxyUrl, Secret, TlsOptions};

/// The environment variable with the request of a client.
pub const EXEC_INFO: &str = "KUBERNETES_EXEC_INFO";

/// The request of a client to an exec plugin: client-go's `LoadExecCredentialFromEnv`.
///
/// A plugin is a program that a kubeconfig names. It reads this request, gets a credential, and prints the response:
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use client_rs_transport::auth::exec::plugin::{PluginCredential, PluginRequest};
///
/// // `PluginRequest::from_env()?` in a plugin.
/// let request = PluginRequest::parse(
///     r#"{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1",
///         "spec": {"interactive": false, "cluster": {"server": "https://k8s.example", "config": {"audience": "a"}}}}"#,
/// )?;
/// let audience = &request.cluster.as_ref().unwrap().config.as_ref().unwrap()["audience"];
/// assert_eq!(audience, "a");
///
/// let credential = PluginCredential::token("t0k3n").with_expiry(SystemTime::now() + Duration::from_secs(600));
/// println!("{}", request.response(&credential)?);
/// # Ok::<(), client_rs_transport::auth::exec::plugin::PluginError>(())
/// ```
///
/// The plugin prints nothing else on its standard output. An exit code other than 0 means that there is no credential; its standard
/// error is shown to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PluginRequest {
    /// The version of the protocol, such as `client.authentication.k8s.io/v1`.
    pub api_version: String,
    /// Whether the standard input is the user's: whether the plugin may ask questions.
    pub interactive: bool,
    /// The cluster; `None` unless the kubeconfig has `provideClusterInfo: true`.
    pub cluster: Option<ExecCluster>,
}

/// The credential that a plugin returns. `Debug` hides it.
#[derive(Clone, Default)]
pub struct PluginCredential {
    token: Option<Secret>,
    certificate: Option<(Bytes, Secret)>,
    expiry: Option<SystemTime>,
}

/// The error of a plugin. The texts never contain a credential.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PluginError {
    /// The environment variable is missing: the program was not started by a client.
    #[error("{EXEC_INFO} is not set: this program is an exec plugin, which a Kubernetes client starts")]
    NoRequest,
    /// The request is malformed.
    #[error("{EXEC_INFO} is not a request to an exec plugin: {0}")]
    Invalid(String),
    /// The client did not pass the cluster.
    #[error("the request has no cluster: set `provideClusterInfo: true` in the kubeconfig")]
    NoCluster,
    /// The credential is empty.
    #[error("the credential has neither a token nor a certificate")]
    Empty,
    /// The expiry is not a time that can be written.
    #[error("the expiry of the credential is not between the years 0 and 9999")]
    Expiry,
}

impl PluginRequest {
    /// Reads the request from the environment variable [`EXEC_INFO`].
    pub fn from_env() -> Result<Self, PluginError> {
        let text = std::env::var(EXEC_INFO).ok().filter(|text| !text.is_empty());
        Self::parse(&text.ok_or(PluginError::NoRequest)?)
    }

    /// Reads a request from its JSON.
    pub fn parse(text: &str) -> Result<Self, PluginError> {
        let invalid = |why: String| PluginError::Invalid(why);
        let request: Value = serde_json::from_str(text).map_err(|error| {
            invalid(format!("not JSON (line {}, column {})", error.line(), error.column()))
        })?;
        let field = |name: &str| request.get(name).and_then(Value::as_str).unwrap_or_default();
        if field("kind") != KIND {
            return Err(invalid(format!("the kind is not {KIND}")));
        }
        let version = Version::parse(field("apiVersion"))
            .map_err(|_| invalid("apiVersion is not one that this plugin knows".to_owned()))?;
        let spec = request.get("spec").filter(|spec| spec.is_object());
        let spec = spec.ok_or_else(|| invalid("there is no spec".to_owned()))?;
        let cluster = match spec.get("cluster") {
            None | Some(Value::Null) => None,
            Some(cluster) => Some(ExecCluster::from_value(cluster).map_err(invalid)?),
        };
        let interactive = spec.get("interactive").and_then(Value::as_bool).unwrap_or_default();
        Ok(Self { api_version: version.as_str().to_owned(), interactive, cluster })
    }

    /// Returns a config to reach the cluster of the request, without credentials: client-go's `ExecClusterToConfig`.
    ///
    /// ```
    /// # use client_rs_transport::auth::exec::plugin::{PluginError, PluginRequest};
    /// let request = PluginRequest::parse(
    ///     r#"{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1",
    ///         "spec": {"interactive": true, "cluster": {"server": "https://k8s.example", "tls-server-name": "internal"}}}"#,
    /// )?;
    /// let config = request.config()?;
    /// assert_eq!(config.tls.server_name.as_deref(), Some("internal"));
    /// # Ok::<(), PluginError>(())
    /// ```
    pub fn config(&self) -> Result<Config, PluginError> {
        let cluster = self.cluster.as_ref().ok_or(PluginError::NoCluster)?;
        let invalid = |field: &str| PluginError::Invalid(format!("{field} of the cluster is not a URL"));
        let server = cluster.server.parse().map_err(|_| invalid("server"))?;
        let tls = TlsOptions {
            ca: Some(&cluster.certificate_authority_data)
                .filter(|pem| !pem.is_empty())
                .map(|pem| Material::Data(pem.clone())),
            server_name: Some(&cluster.tls_server_name).filter(|name| !name.is_empty()).cloned(),
            insecure_skip_verify: cluster.insecure_skip_tls_verify,
            ..TlsOptions::default()
        };
        let mut config =
            Config::new(server).with_tls(tls).with_disable_compression(cluster.disable_compression);
        if !cluster.proxy_url.is_empty() {
            config =
                config.with_proxy(cluster.proxy_url.parse::<ProxyUrl>().map_err(|_| invalid("proxy-url"))?);
        }
        Ok(config)
    }

    /// Returns the JSON to print on the standard output. It is secret.
    pub fn response(&self, credential: &PluginCredential) -> Result<String, PluginError> {
        if credential.token.is_none() && credential.certificate.is_none() {
            return Err(PluginError::Empty);
        }
        let mut status = Map::new();
        let mut set = |name: &str, value: String| status.insert(name.to_owned(), value.into());
        if let Some(token) = &credential.token {
            set("token", token.expose().to_owned());
        }
        if let Some((certificate, key)) = &credential.certificate {
            set("clientCertificateData", String::from_utf8_lossy(certificate).into_owned());
            set("clientKeyData", key.expose().to_owned());
        }
        if let Some(expiry) = credential.expiry {
            let time = Time::try_from(expiry).map_err(|_| PluginError::Expiry)?;
            set("expirationTimestamp", time.to_string());
        }
        Ok(json!({"kind": KIND, "apiVersion": self.api_version, "status": status}).to_string())
    }
}

impl PluginCredential {
    /// A bearer token.
    pub fn token(token: impl Into<Secret>) -> Self {
        Self { token: Some(token.into()), ..Self::default() }
    }

    /// A client certificate with its intermediates, and its key, both in PEM.
    pub fn certificate(chain: impl Into<Bytes>, key: impl Into<Secret>) -> Self {
        Self { certificate: Some((chain.into(), key.into())), ..Self::default() }
    }

    /// Sets when the credential expires. Without it, the client uses the credential until the server refuses it.
    #[must_use]
    pub fn with_expiry(self, expiry: SystemTime) -> Self {
        Self { expiry: Some(expiry), ..self }
    }
}

impl fmt::Debug for PluginCredential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PluginCredential")
            .field("token", &self.token.is_some())
            .field("certificate", &self.certificate.is_some())
            .field("expiry", &self.expiry)
            .finish()
    }
}

impl ExecCluster {
    /// Reads the cluster of a request. The error names the field and quotes nothing.
    fn from_value(value: &Value) -> Result<Self, String> {
        let text = |name: &str| match value.get(name) {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(_) => Err(format!("{name} of the cluster is not a string")),
        };
        let flag = |name: &str| value.get(name).and_then(Value::as_bool).unwrap_or_default();
        let ca = BASE64_STANDARD
            .decode(text("certificate-authority-data")?)
            .map_err(|_| "certificate-authority-data of the cluster is not base64".to_owned())?;
        Ok(Self {
            server: text("server")?,
            tls_server_name: text("tls-server-name")?,
            insecure_skip_tls_verify: flag("insecure-skip-tls-verify"),
            certificate_authority_data: ca.into(),
            proxy_url: text("proxy-url")?,
            disable_compression: flag("disable-compression"),
            config: value.get("config").filter(|config| !config.is_null()).cloned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::auth::exec::protocol::{answer, question};

    fn cluster() -> ExecCluster {
        ExecCluster {
            server: "https://k8s.example:6443".into(),
            tls_server_name: "internal".into(),
            insecure_skip_tls_verify: false,
            certificate_authority_data: Bytes::from_static(b"PEM"),
            proxy_url: "http://proxy.example:3128".into(),
            disable_compression: true,
            config: Some(json!({"audience": "a"})),
        }
    }

    #[test]
    fn a_plugin_reads_what_a_client_writes() {
        for version in [Version::V1, Version::V1beta1] {
            for cluster in [None, Some(cluster())] {
                let request = PluginRequest::parse(&question(version, true, cluster.as_ref())).unwrap();
                assert_eq!((request.interactive, &request.cluster), (true, &cluster));
                assert_eq!(request.api_version, version.as_str());
            }
        }
    }

    #[test]
    fn a_client_reads_what_a_plugin_writes() {
        let request = PluginRequest::parse(&question(Version::V1, false, None)).unwrap();
        let expiry = SystemTime::UNIX_EPOCH + Duration::from_secs(2_000_000_000);
        let response = request.response(&PluginCredential::token("t0k3n").with_expiry(expiry)).unwrap();
        let read = answer(Version::V1, response.as_bytes()).unwrap();
        assert_eq!((read.token.unwrap().expose(), read.expiry), ("t0k3n", Some(expiry)));
        assert!(answer(Version::V1beta1, response.as_bytes()).is_err(), "the version is that of the request");
        let (certificate, key) = crate::test_certificates::self_signed("me");
        let credential = PluginCredential::certificate(certificate, key);
        let response = request.response(&credential).unwrap();
        assert!(answer(Version::V1, response.as_bytes()).unwrap().identity.is_some());
        assert_eq!(request.response(&PluginCredential::default()), Err(PluginError::Empty));
        assert!(!format!("{credential:?}").contains("KEY"));
    }

    #[test]
    fn the_config_reaches_the_cluster_without_credentials() {
        let request = PluginRequest::parse(&question(Version::V1, false, Some(&cluster()))).unwrap();
        let config = request.config().unwrap();
        assert_eq!(
            ExecCluster { config: Some(json!({"audience": "a"})), ..ExecCluster::of(&config).unwrap() },
            cluster()
        );
        assert_eq!(config.auth, crate::auth::AuthOptions::default());
        let without = PluginRequest::parse(&question(Version::V1, false, None)).unwrap();
        assert_eq!(without.config().unwrap_err(), PluginError::NoCluster);
    }

    #[test]
    fn malformed_requests_are_errors_that_quote_nothing() {
        let of = |cluster: &str| {
            format!(
                r#"{{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "spec": {{"cluster": {cluster}}}}}"#
            )
        };
        for text in [
            "",
            "[]",
            r#"{"kind": "Pod"}"#,
            r#"{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/s3cret", "spec": {}}"#,
            r#"{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1"}"#,
            &of(r#"{"server": 7}"#),
            &of(r#"{"server": "x", "certificate-authority-data": "s3cret"}"#),
        ] {
            let error = PluginRequest::parse(text).unwrap_err();
            assert!(matches!(error, PluginError::Invalid(_)), "{text}");
            assert!(!error.to_string().contains("s3cret"), "{error}");
        }
        let bad = PluginRequest::parse(&of(r#"{"server": "not a url"}"#)).unwrap();
        assert!(bad.config().is_err());
    }
}
