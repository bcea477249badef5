//! Runs a server until it is interrupted, for a look with `kubectl -s URL get namespaces`.
//!
//! `cargo run -p client-rs-apiserver --example serve [ADDRESS]`

use std::io;

use client_rs_apiserver::{Server, ServerOptions};

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let mut options = ServerOptions::default();
    if let Some(address) = std::env::args().nth(1) {
        options.listen = Some(address.parse().map_err(io::Error::other)?);
    }
    let server = Server::start(options).await?;
    println!("{}", server.url().unwrap_or_default());
    tokio::signal::ctrl_c().await?;
    server.shutdown().await;
    Ok(())
}
