//! TLS over a real socket, with the clock running.

use std::sync::Arc;

use client_rs_apiserver::{Server, ServerOptions};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};

#[tokio::test]
async fn a_client_that_trusts_the_authority_is_served_over_http_2() {
    let server = Server::start_with(ServerOptions::default().with_tls(true)).await.unwrap();
    assert!(server.url().unwrap().starts_with("https://127.0.0.1:"));
    assert!(server.kubeconfig().unwrap().contains("certificate-authority-data: "));
    let mut roots = RootCertStore::empty();
    let authority = CertificateDer::from_pem_slice(server.authority().unwrap().as_bytes()).unwrap();
    roots.add(authority).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let connector = tokio_rustls::TlsConnector::from(Arc::new(config));
    let stream = tokio::net::TcpStream::connect(server.address().unwrap()).await.unwrap();
    let name = ServerName::try_from("127.0.0.1").unwrap();
    let stream = connector.connect(name, stream).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let io = TokioIo::new(stream);
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), io).await.unwrap();
    tokio::spawn(connection);
    let request = http::Request::get("https://localhost/readyz");
    let request = request.body(http_body_util::Empty::<bytes::Bytes>::new()).unwrap();
    assert_eq!(sender.send_request(request).await.unwrap().status(), 200);
    server.shutdown().await;
}
