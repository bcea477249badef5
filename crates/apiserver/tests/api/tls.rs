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

#[tokio::test]
async fn certificates_of_others_are_served_and_accepted() {
    use client_rs_apiserver::{Access, ServerCertificate};
    use client_rs_client::{Request, RestClient};
    use client_rs_transport::{Config, Material};
    use rcgen::{CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair};

    let authority = || {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
    };
    let (servers, users) = (authority(), authority());
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, &servers).unwrap();
    let serving = ServerCertificate::new(certificate.pem(), key.serialize_pem());
    let options = ServerOptions::default().with_tls(true).with_access(Access::Rbac);
    let options = options.with_certificate(serving).with_client_authorities(users.pem());
    let server = Server::start_with(options).await.unwrap();

    for (issuer, code) in [(&users, None), (&servers, Some(401))] {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::default();
        params.distinguished_name = rcgen::DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, "jane");
        params.distinguished_name.push(DnType::OrganizationName, "system:masters");
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let client = params.signed_by(&key, issuer).unwrap();
        let mut config = Config::new(server.url().unwrap().parse().unwrap());
        let data = |pem: String| Some(Material::Data(pem.into_bytes().into()));
        config.tls.ca = data(servers.pem());
        config.tls.client_certificate = data(client.pem());
        config.tls.client_key = data(key.serialize_pem());
        let client = RestClient::from_config(&config).unwrap();
        let answer = client.send_raw(Request::get().abs_path(["/api/v1/pods"])).await;
        let refused = answer.err().and_then(|error| error.api().map(client_rs_machinery::ApiError::code));
        assert_eq!(refused, code);
    }
    server.shutdown().await;

    let broken = ServerCertificate::new(certificate.pem(), "no key".to_owned());
    let options = ServerOptions::default().with_tls(true).with_certificate(broken);
    assert!(Server::start_with(options).await.unwrap_err().to_string().contains("certificate of the server"));
}
