//! Connections to the ports of pods, which are ports of this machine.

use std::collections::HashMap;
use std::net::Ipv4Addr;

use client_rs_streams::{Mux, MuxStream};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Serves a connection until it ends.
pub(super) async fn serve(mux: Mux) {
    // An error and a data stream belong together; whichever comes first waits.
    let mut waiting: HashMap<String, MuxStream> = HashMap::new();
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            stream = mux.accept() => {
                let Some(stream) = stream else { break };
                let id = stream.headers().get("requestID").unwrap_or_default().to_owned();
                let Some(other) = waiting.remove(&id) else {
                    waiting.insert(id, stream);
                    continue;
                };
                let is_error = stream.headers().get("streamType") == Some("error");
                let (error, data) = if is_error { (stream, other) } else { (other, stream) };
                connections.spawn(connect(error, data));
            }
            Some(_) = connections.join_next() => {}
        }
    }
    while connections.join_next().await.is_some() {}
}

async fn connect(mut error: MuxStream, mut data: MuxStream) {
    let port: u16 = data.headers().get("port").and_then(|port| port.parse().ok()).unwrap_or(0);
    match TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await {
        Err(why) => {
            let text = format!("error forwarding port {port} to pod: {why}");
            let _ = error.write_all(text.as_bytes()).await;
            let _ = error.shutdown().await;
            let _ = data.shutdown().await;
        }
        Ok(mut stream) => {
            let _ = stream.set_nodelay(true);
            let _ = tokio::io::copy_bidirectional_with_sizes(&mut data, &mut stream, 65536, 65536).await;
            let _ = error.shutdown().await;
        }
    }
}
