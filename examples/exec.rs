//! Runs a command in a container, prints what it writes as it comes, and ends as it ends.
//!
//! ```sh
//! cargo run --example exec -- NAMESPACE POD COMMAND…
//! ```

use std::process::ExitCode;

use client_rs::api::core::v1::Pod;
use client_rs::client::{Api, RestClient};
use client_rs::transport::Config;

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(namespace), Some(pod)) = (arguments.next(), arguments.next()) else {
        return Err("usage: exec NAMESPACE POD COMMAND…".into());
    };
    let client = RestClient::from_config(&Config::infer()?)?;
    let pods = Api::<Pod>::namespaced(&client, namespace);
    let mut process = pods.exec(&pod, arguments).await?;
    // Both at once: one that is not read stops the other.
    if let (Some(mut stdout), Some(mut stderr)) = (process.stdout.take(), process.stderr.take()) {
        let (mut out, mut err) = (tokio::io::stdout(), tokio::io::stderr());
        tokio::try_join!(tokio::io::copy(&mut stdout, &mut out), tokio::io::copy(&mut stderr, &mut err))?;
    }
    Ok(ExitCode::from(process.wait().await?.code()))
}
