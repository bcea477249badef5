//! The commands, one a file.

pub(crate) mod api_resources;
pub(crate) mod api_versions;
pub(crate) mod apply;
pub(crate) mod attach;
pub(crate) mod bench;
pub(crate) mod completion;
pub(crate) mod config;
pub(crate) mod cp;
pub(crate) mod debug;
pub(crate) mod delete;
pub(crate) mod demo;
pub(crate) mod describe;
pub(crate) mod envtest;
pub(crate) mod exec;
pub(crate) mod explain;
pub(crate) mod generate;
pub(crate) mod get;
pub(crate) mod logs;
pub(crate) mod new;
#[cfg(test)]
mod parsed;
pub(crate) mod port_forward;
pub(crate) mod rbac;
pub(crate) mod record;
pub(crate) mod scale;
pub(crate) mod serve;
pub(crate) mod watch;
pub(crate) mod why;
