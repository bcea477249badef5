use client_rs_api::core::v1::ConfigMap;
use client_rs_client::Api;

fn misuse(maps: &Api<ConfigMap>) {
    let _ = maps.update_status(ConfigMap::default());
}

fn main() {}
