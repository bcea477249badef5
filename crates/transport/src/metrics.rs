//! Metrics of credentials.

use std::time::{Duration, SystemTime};

/// Receives metrics of credentials. Every method does nothing by default. An implementation must return quickly and must not
/// block.
pub trait CredentialMetrics: Send + Sync {
    /// `rest_client_exec_plugin_call_total`: a plugin ran or failed to start. `code` is its exit code.
    fn exec_call(&self, call: ExecCall, code: i32) {
        let _ = (call, code);
    }

    /// `rest_client_exec_plugin_policy_call_total`: the policy allowed or denied a plugin.
    fn exec_policy(&self, allowed: bool) {
        let _ = allowed;
    }

    /// `rest_client_exec_plugin_ttl_seconds`: a plugin returned a credential. `expiry` is the earliest expiry of all
    /// certificates that plugins of this process returned, if there are any.
    fn exec_certificate_expiry(&self, expiry: Option<SystemTime>) {
        let _ = expiry;
    }

    /// `rest_client_exec_plugin_certificate_rotation_age`: the age of a plugin's certificate when a new one replaced it.
    fn exec_certificate_rotated(&self, age: Duration) {
        let _ = age;
    }

    /// `rest_client_transport_ca_reload_total`: a CA file was checked for changes.
    fn ca_reload(&self, reload: CaReload) {
        let _ = reload;
    }
}

/// The result of a plugin call: `call_status` of the metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExecCall {
    /// It printed a valid credential.
    NoError,
    /// It ran and failed.
    PluginExecutionError,
    /// The program was not found.
    PluginNotFoundError,
    /// The program could not be started for another reason.
    ClientInternalError,
}

impl ExecCall {
    /// The label's value.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoError => "no_error",
            Self::PluginExecutionError => "plugin_execution_error",
            Self::PluginNotFoundError => "plugin_not_found_error",
            Self::ClientInternalError => "client_internal_error",
        }
    }
}

/// The result of a check of a CA file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CaReload {
    /// Its content is the same.
    Unchanged,
    /// It contains new authorities, which are now in use.
    Updated,
    /// It could not be read.
    ReadError,
    /// It is empty.
    Empty,
    /// It is not PEM.
    ParseError,
}

impl CaReload {
    /// The metric's labels `result` and `reason`.
    pub fn labels(self) -> (&'static str, &'static str) {
        match self {
            Self::Unchanged => ("success", "unchanged"),
            Self::Updated => ("success", "updated"),
            Self::ReadError => ("failure", "read_error"),
            Self::Empty => ("failure", "empty"),
            Self::ParseError => ("failure", "ca_parse_error"),
        }
    }
}

/// Ignores all metrics.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCredentialMetrics;

impl CredentialMetrics for NoCredentialMetrics {}
