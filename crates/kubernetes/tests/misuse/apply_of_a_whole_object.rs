use client_rs_api::core::v1::Pod;
use client_rs_client::Api;

fn misuse(pods: &Api<Pod>, pod: Pod) {
    let _ = pods.apply(&pod, "me");
}

fn main() {}
