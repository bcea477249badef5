//! The commands, one a file.

pub(crate) mod api_resources;
pub(crate) mod api_versions;
pub(crate) mod demo;
pub(crate) mod generate;
pub(crate) mod new;
pub(crate) mod serve;
