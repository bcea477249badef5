use client_rs_api::core::v1::Node;
use client_rs_client::{Api, RestClient};

fn misuse(rest: &RestClient) {
    let _ = Api::<Node, _>::namespaced(rest, "default");
}

fn main() {}
