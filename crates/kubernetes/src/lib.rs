//! The clients and informers of every built-in Kubernetes resource, by name.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "apply-meta")]
pub mod apply;
pub mod clientset;
pub mod informers;

pub use clientset::Clientset;
