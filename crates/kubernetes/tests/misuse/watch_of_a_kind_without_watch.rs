use client_rs_api::core::v1::ComponentStatus;
use client_rs_client::Api;

fn misuse(statuses: &Api<ComponentStatus>) {
    let _ = statuses.watch();
}

fn main() {}
