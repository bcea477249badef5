//! Code for kinds of several groups.

pub(crate) mod checks;
pub(crate) mod defaulting;
pub(crate) mod fields;
pub(crate) mod pod_defaults;
pub(crate) mod pod_spec;
pub(crate) mod volumes;
