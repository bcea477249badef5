use client_rs_api::core::v1::{Binding, Pod};
use client_rs_client::Api;

fn misuse(pods: &Api<Pod>) {
    let _ = pods.binding("web").update(Binding::default());
}

fn main() {}
