//! Prints the effective config as JSON, like `kubectl config view --flatten --minify --raw -o json`.
//!
//! ```sh
//! KUBECONFIG=a:b cargo run -p client-rs-transport --example kubeconfig_view
//! ```

use client_rs_transport::kubeconfig::{ConfigAccess, KubeconfigError, PathOptions};

fn main() -> Result<(), KubeconfigError> {
    let mut config = PathOptions::from_env().starting_config()?;
    config.minify()?;
    config.flatten()?;
    println!("{:#}", config.to_json());
    Ok(())
}
