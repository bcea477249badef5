//! What kinds of several groups share.

pub(crate) mod checks;
pub(crate) mod defaulting;
pub(crate) mod fields;
pub(crate) mod pod_defaults;
pub(crate) mod pod_spec;
pub(crate) mod volumes;
