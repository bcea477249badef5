use client_rs_api::core::v1::Pod;
use client_rs_client::{AllNamespaces, Api};

fn misuse(pods: &Api<Pod, AllNamespaces>) {
    let _ = pods.get("web");
}

fn main() {}
