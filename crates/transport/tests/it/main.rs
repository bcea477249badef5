//! Valid, unusual and broken kubeconfig files. One program for all tests, because each would link the whole crate again.

mod kubeconfig;
mod kubectl_view;
mod no_panic;
