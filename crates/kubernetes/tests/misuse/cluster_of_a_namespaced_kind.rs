use client_rs_api::core::v1::Pod;
use client_rs_client::{Api, RestClient};

fn misuse(rest: &RestClient) {
    let _ = Api::<Pod, _>::cluster(rest);
}

fn main() {}
