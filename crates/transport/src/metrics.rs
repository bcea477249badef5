//! What credentials report about themselves.

use std::time::{Duration, SystemTime};

/// Hears what happens to credentials. Every method does nothing unless overridden; all must be quick and not block.
pub trait CredentialMetrics: Send + Sync {
    /// `rest_client_exec_plugin_call_total`: a plugin ran, or should have; `code` is its exit code.
    fn exec_call(&self, call: ExecCall, code: i32) {
        let _ = (call, code);
    }

    /// `rest_client_exec_plugin_policy_call_total`: the policy let a plugin run, or did not.
    fn exec_policy(&self, allowed: bool) {
        let _ = allowed;
    }

    /// `rest_client_exec_plugin_ttl_seconds`: a plugin has answered; the first end among the certificates that the
    /// plugins of this process returned, if any did.
    fn exec_certificate_expiry(&self, expiry: Option<SystemTime>) {
        let _ = expiry;
    }

    /// `rest_client_exec_plugin_certificate_rotation_age`: how old a plugin's certificate was when a new one came.
    fn exec_certificate_rotated(&self, age: Duration) {
        let _ = age;
    }

    /// `rest_client_transport_ca_reload_total`: a CA file was looked at again.
    fn ca_reload(&self, reload: CaReload) {
        let _ = reload;
    }
}

/// How the call of a plugin went: `call_status` of the metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExecCall {
    /// It printed what it should.
    NoError,
    /// It ran and failed.
    PluginExecutionError,
    /// There is no such program.
    PluginNotFoundError,
    /// It could not be run for another reason.
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

/// What came of a look at a CA file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CaReload {
    /// It is as it was.
    Unchanged,
    /// It has new authorities, which are now used.
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

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCredentialMetrics;

impl CredentialMetrics for NoCredentialMetrics {}
