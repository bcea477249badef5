//! kubeconfig files, good, odd and broken. One program for all: each would link the whole crate again.

mod kubeconfig;
mod kubectl_view;
mod no_panic;
