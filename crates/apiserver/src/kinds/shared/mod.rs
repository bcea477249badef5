//! Code for kinds of several groups.

pub(crate) mod addresses;
pub(crate) mod amounts;
pub(crate) mod checks;
pub(crate) mod classes;
pub(crate) mod conditions;
pub(crate) mod counts;
pub(crate) mod defaulting;
pub(crate) mod fields;
pub(crate) mod limits;
pub(crate) mod load_balancer;
pub(crate) mod pod_defaults;
pub(crate) mod pod_resources;
pub(crate) mod pod_security;
pub(crate) mod pod_spec;
mod projected;
pub(crate) mod signer;
pub(crate) mod volumes;
