//! Runs a server until Ctrl+C, for experiments with `kubectl --kubeconfig FILE get namespaces`.
//!
//! `cargo run -p client-rs-apiserver --example serve [ADDRESS [tls]] > FILE`

use std::io;

use client_rs_apiserver::{Server, ServerOptions};

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let mut options = ServerOptions::default();
    if let Some(address) = std::env::args().nth(1) {
        options.listen = Some(address.parse().map_err(io::Error::other)?);
    }
    options.tls = std::env::args().nth(2).is_some_and(|argument| argument == "tls");
    let server = Server::start_with(options).await?;
    print!("{}", server.kubeconfig().unwrap_or_default());
    tokio::signal::ctrl_c().await?;
    server.shutdown().await;
    Ok(())
}
