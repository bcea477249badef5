//! Code for kinds of several groups.

pub(crate) mod addresses;
pub(crate) mod checks;
pub(crate) mod defaulting;
pub(crate) mod fields;
pub(crate) mod pod_defaults;
pub(crate) mod pod_spec;
mod projected;
pub(crate) mod signer;
pub(crate) mod volumes;
