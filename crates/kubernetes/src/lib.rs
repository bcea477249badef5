//! The clients and informers of every built-in Kubernetes resource, by name.

mod clientset;
pub mod informers;
