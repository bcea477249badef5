//! A client, and a server or a proxy that sends it anything.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use client_rs_api::core::v1::Pod;
use client_rs_client::discovery::{Discovery, DiscoveryClient};
use client_rs_client::warning::WarningHandler;
use client_rs_client::{Request, RestClient, RestClientOptions};
use client_rs_machinery::Unstructured;
use client_rs_transport::http::{Dial, HttpOptions, Proxy, Stream, Target, TransportBuilder};
use http::Uri;
use http_body_util::BodyExt as _;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::paused;

/// Further connections are refused: a client retries reads, and a watch without end would dial without end.
const CONNECTIONS: usize = 32;

/// Connections to a peer that sends the same bytes on each, once it was sent something, and then ends.
struct Peer {
    input: Bytes,
    dialled: AtomicUsize,
}

struct Connection {
    input: Bytes,
    asked: bool,
    waker: Option<std::task::Waker>,
}

impl fmt::Debug for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Peer")
    }
}

impl Dial for Peer {
    fn dial<'a>(
        &'a self,
        _: &'a str,
        _: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>> {
        Box::pin(async {
            if self.dialled.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS {
                return Err(io::Error::from(io::ErrorKind::ConnectionRefused));
            }
            let connection = Connection { input: self.input.clone(), asked: false, waker: None };
            Ok(Box::new(connection) as Stream)
        })
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.asked {
            self.waker = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let length = buf.remaining().min(self.input.len()).min(1024);
        buf.put_slice(&self.input.split_to(length));
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.asked = true;
        self.waker.take().into_iter().for_each(std::task::Waker::wake);
        Poll::Ready(Ok(buf.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Warnings are for people: they come without control characters.
#[derive(Debug)]
struct Plain;

impl WarningHandler for Plain {
    fn handle(&self, _: u16, _: &str, text: &str) {
        assert!(!text.chars().any(char::is_control), "{text:?}");
    }
}

/// Every kind of call ends with an object or an error, for any response of a server or of a proxy on the way to it. The first
/// byte selects the call, the version of HTTP and the proxy.
pub fn answers(data: &[u8]) {
    let Some((&choice, input)) = data.split_first() else { return };
    let peer = Arc::new(Peer { input: Bytes::copy_from_slice(input), dialled: AtomicUsize::new(0) });
    let target = Target { host: "server.example".to_owned(), port: 80, tls: false, server_name: None };
    let proxy = match choice >> 5 {
        0 => Some("http://user:word@proxy.example:3128"),
        1 => Some("socks5://user:word@proxy.example"),
        _ => None,
    };
    let proxy = proxy.map(|url| Proxy::parse(url).expect("the URL of a proxy"));
    paused(async move {
        let http = HttpOptions::default().with_http2_without_tls(choice & 8 != 0);
        let transport = TransportBuilder::new(target).dial(peer).proxy(proxy).options(http).compression(true);
        let transport = transport.build().expect("a transport");
        let options = RestClientOptions::default()
            .with_warnings(Arc::new(Plain))
            .with_timeout(Duration::from_secs(600))
            .with_max_answer_bytes(1 << 20);
        let client = RestClient::with_options(&Uri::from_static("http://server.example"), transport, options);
        let client = client.expect("a client");
        let request = || Request::get().api("", "v1").resource("pods").namespace("default").max_retries(2);
        match choice & 7 {
            0 => drop(client.send::<Pod>(request().name("a")).await.map_err(|error| error.to_string())),
            1 => drop(
                client.send::<Unstructured>(request().name("a")).await.map_err(|error| error.to_string()),
            ),
            2 => drop(client.send_list::<Pod>(request()).await.map_err(|error| error.to_string())),
            3 => drop(client.send_list::<Unstructured>(request()).await.map_err(|error| error.to_string())),
            4 => {
                let watch = client.watch::<Unstructured>(request().param("watch", "true")).await;
                if let Ok(mut watch) = watch {
                    while watch.next().await.is_some() {}
                }
            }
            5 => {
                let watch = client.watch::<Pod>(request().param("watch", "true")).await;
                if let Ok(mut watch) = watch {
                    while watch.next().await.is_some() {}
                }
            }
            6 => {
                if let Ok(body) = client.send_stream(request().name("a").subresource(["log"])).await {
                    let _ = body.collect().await;
                }
            }
            _ => {
                let discovery = DiscoveryClient::from_rest(client);
                let _ = discovery.server_version().await;
                let _ = discovery.groups().await.map_err(|error| error.to_string());
                let _ = discovery.server_resources().await.map_err(|error| error.to_string());
                let _ = discovery.openapi().paths().await.map_err(|error| error.to_string());
            }
        }
    });
}
