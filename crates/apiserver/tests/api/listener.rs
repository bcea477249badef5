//! The listener, over real sockets on loopback: which requests it accepts, and its limits on clients.

use client_rs_apiserver::{Access, Server, ServerOptions};
use client_rs_machinery::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::common::Client;

async fn over_tcp(server: &Server) -> Client {
    Client::over(TcpStream::connect(server.address().unwrap()).await.unwrap()).await
}

/// Sends a raw request and returns the status of the response.
async fn raw(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(server.address().unwrap()).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer.lines().next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_web_page_can_not_reach_an_open_server() {
    let server = Server::start().await.unwrap();
    let get = |headers: &str| format!("GET /api/v1/secrets HTTP/1.1\r\nconnection: close\r\n{headers}\r\n");
    let port = server.address().unwrap().port();
    for (headers, expected) in [
        (format!("host: 127.0.0.1:{port}\r\n"), "200 OK"),
        (format!("host: localhost:{port}\r\n"), "200 OK"),
        // DNS rebinding: a name that resolves to this machine.
        (format!("host: evil.example:{port}\r\n"), "403 Forbidden"),
        ("host: localhost\r\norigin: http://evil.example\r\n".to_owned(), "403 Forbidden"),
        ("host: localhost\r\nsec-fetch-site: cross-site\r\n".to_owned(), "403 Forbidden"),
        // A WebSocket of a page, for which browsers send no preflight.
        (
            format!(
                "host: localhost:{port}\r\norigin: http://localhost:1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
                 sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-version: 13\r\n"
            ),
            "403 Forbidden",
        ),
    ] {
        assert_eq!(raw(&server, &get(&headers)).await, format!("HTTP/1.1 {expected}"), "{headers}");
    }
    // Requests that a page can send without a preflight: no content type, or that of a form.
    let created = |headers: &str| {
        let body = r#"{"metadata":{"name":"made-by-a-page"}}"#;
        let length = body.len();
        format!(
            "POST /api/v1/namespaces HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n{body}"
        )
    };
    for (headers, expected) in [
        ("user-agent: Mozilla/5.0\r\n", "415 Unsupported Media Type"),
        ("content-type: text/plain\r\n", "415 Unsupported Media Type"),
        ("content-type: application/json\r\norigin: null\r\n", "403 Forbidden"),
        ("content-type: application/json\r\n", "201 Created"),
    ] {
        assert_eq!(raw(&server, &created(headers)).await, format!("HTTP/1.1 {expected}"), "{headers}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn origins_and_hosts_can_be_allowed() {
    let options = ServerOptions::default()
        .with_accept_hosts(["box.lan"])
        .with_accept_origins(["http://localhost:3000"]);
    let server = Server::start_with(options).await.unwrap();
    let request = "GET /version HTTP/1.1\r\nhost: box.lan\r\norigin: http://localhost:3000\r\nconnection: close\r\n\r\n";
    assert_eq!(raw(&server, request).await, "HTTP/1.1 200 OK");
    // In-memory connections are never from a browser.
    let mut client = Client::new(&server).await;
    assert_eq!(client.send("GET", "/version", &[("origin", "http://evil.example")], b"").await.code, 200);
    server.shutdown().await;
}

#[tokio::test]
async fn authenticated_users_may_do_everything_and_others_nothing() {
    let options = ServerOptions::default().with_access(Access::Authenticated);
    let server = Server::start_with(options).await.unwrap();
    let mut client = over_tcp(&server).await;
    let secrets = "/api/v1/secrets";
    assert_eq!(client.get(secrets).await.code, 403);
    assert_eq!(client.get("/version").await.code, 200);
    let guessed = [("authorization", "Bearer 00000000-0000-4000-8000-000000000000")];
    assert_eq!(client.send("GET", secrets, &guessed, b"").await.code, 401);
    let token = format!("Bearer {}", server.admin_token());
    assert_eq!(client.send("GET", secrets, &[("authorization", &token)], b"").await.code, 200);
    server.add_token("jane", client_rs_apiserver::User::new("jane", [""; 0]));
    let jane = [("authorization", "Bearer jane"), ("content-type", "application/json")];
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}}).to_vec();
    assert_eq!(client.send("POST", "/api/v1/namespaces", &jane, &namespace).await.code, 201);
    server.shutdown().await;
}

#[tokio::test]
async fn a_servers_debug_form_and_its_log_line_hold_no_secret() {
    for tls in [false, true] {
        let server = Server::start_with(ServerOptions::default().with_tls(tls)).await.unwrap();
        let shown = format!("{server:?}");
        assert!(!shown.contains(server.admin_token()), "{shown}");
        let key = server.authority_key().unwrap_or_default();
        let line = key.lines().nth(1).unwrap_or("PRIVATE KEY");
        assert!(!shown.contains(line), "{shown}");
        server.shutdown().await;
    }
}

#[tokio::test]
async fn connections_above_the_limit_wait() {
    let options = ServerOptions::default().with_max_connections(2);
    let server = Server::start_with(options).await.unwrap();
    let (mut one, mut two) = (over_tcp(&server).await, over_tcp(&server).await);
    assert_eq!(one.get("/version").await.code, 200);
    assert_eq!(two.get("/version").await.code, 200);
    // The third is not accepted before one of them closes.
    let mut third = over_tcp(&server).await;
    let mut waits = Box::pin(third.get("/version"));
    assert!(futures_util::poll!(waits.as_mut()).is_pending());
    assert_eq!(one.get("/version").await.code, 200);
    assert!(futures_util::poll!(waits.as_mut()).is_pending());
    drop(one);
    assert_eq!(waits.await.code, 200);
    server.shutdown().await;
}

/// With a paused clock, which advances to the next timer when all tasks wait: the timeout.
#[tokio::test(start_paused = true)]
async fn connections_that_send_nothing_or_never_complete_a_request_are_closed() {
    let server = Server::start().await.unwrap();
    for beginning in [
        // Nothing; half of HTTP/2's preface; half of a head; a body that never arrives.
        "",
        "PRI * HTTP/2.0\r\n",
        "GET /version HTTP/1.1\r\nhost: ",
        "POST /api/v1/namespaces HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{",
    ] {
        let mut stream = TcpStream::connect(server.address().unwrap()).await.unwrap();
        stream.write_all(beginning.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        // The connection closes, with any response.
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.lines().next().unwrap_or_default();
        assert!(["", "HTTP/1.1 408 Request Timeout"].contains(&status), "{beginning:?} {answer}");
    }
    server.shutdown().await;
}
