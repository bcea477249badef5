use client_rs_api::core::v1::Namespace;
use client_rs_client::Api;

fn misuse(namespaces: &Api<Namespace>) {
    let _ = namespaces.delete_collection();
}

fn main() {}
