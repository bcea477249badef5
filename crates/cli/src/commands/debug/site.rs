//! The page of all replicas, at a loopback address.
//!
//! It is for one user and one browser: a request is answered if it names this listener by its address (so that no name of a foreign
//! site leads here), if it does not come from a page of another origin, and if its path begins with the token that was printed.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use client_rs_controller::debug_page;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use super::replicas::Replicas;

/// The largest head of a request.
const MAX_HEAD: usize = 16 << 10;
/// How long a connection has for its request.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many requests are answered at once; others wait.
const CONNECTIONS: usize = 16;

/// The listener's address, its token, and the replicas.
pub(super) struct Site {
    local: Local,
    replicas: Replicas,
}

/// Whom the listener answers.
struct Local {
    port: u16,
    token: String,
}

/// A request that is answered.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Page,
    State,
    Why { replica: String, controller: String, key: String },
}

/// A status with its text, a content type and a body.
struct Answer(&'static str, &'static str, Vec<u8>);

impl Site {
    pub(super) fn new(port: u16, token: String, replicas: Replicas) -> Self {
        Self { local: Local { port, token }, replicas }
    }

    /// The address of the page, with its token.
    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/{}/debug", self.local.port, self.local.token)
    }

    /// Answers requests. Never returns.
    pub(super) async fn serve(self, listener: TcpListener) {
        let (site, slots) = (Arc::new(self), Arc::new(Semaphore::new(CONNECTIONS)));
        loop {
            // The semaphore is never closed.
            let slot = Arc::clone(&slots).acquire_owned().await.ok();
            match listener.accept().await {
                Ok((stream, _)) => {
                    let site = Arc::clone(&site);
                    tokio::spawn(async move {
                        // A browser that goes away is no error of ours.
                        let _ = tokio::time::timeout(PATIENCE, site.connection(stream)).await;
                        drop(slot);
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "can't accept a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }

    /// One request, one response.
    async fn connection(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut head = Vec::new();
        while !head.windows(4).any(|end| end == b"\r\n\r\n") {
            let read = (&mut stream).take((MAX_HEAD - head.len()) as u64).read_buf(&mut head).await?;
            if read == 0 {
                return Ok(());
            }
        }
        let answer = match self.local.read(&head) {
            Ok(asked) => self.answer(asked).await,
            Err((status, text)) => Answer(status, "text/plain; charset=utf-8", text.into()),
        };
        stream.write_all(&answer.bytes()).await?;
        stream.shutdown().await
    }

    async fn answer(&self, asked: Asked) -> Answer {
        match asked {
            Asked::Page => Answer("200 OK", "text/html; charset=utf-8", debug_page::HTML.into()),
            Asked::State => {
                let state = self.replicas.state().await.to_string();
                Answer("200 OK", "application/json", state.into_bytes())
            }
            Asked::Why { replica, controller, key } => {
                match self.replicas.why(&replica, &controller, &key).await {
                    Ok(why) => Answer("200 OK", "application/json", why),
                    Err(error) => {
                        let text = format!("{error:#}\n").into_bytes();
                        Answer("502 Bad Gateway", "text/plain; charset=utf-8", text)
                    }
                }
            }
        }
    }
}

impl Local {
    /// Reads the head of a request: what it asks for, or the status and the text of the refusal.
    fn read(&self, head: &[u8]) -> Result<Asked, (&'static str, &'static str)> {
        let malformed = ("400 Bad Request", "malformed request\n");
        let head = std::str::from_utf8(head).map_err(|_| malformed)?;
        let mut lines = head.split("\r\n");
        let mut first = lines.next().unwrap_or_default().split(' ');
        let (Some(method), Some(target)) = (first.next(), first.next()) else { return Err(malformed) };
        let headers: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(':')).collect();
        let all = |name: &str| {
            let same = headers.iter().filter(|(key, _)| key.eq_ignore_ascii_case(name));
            same.map(|(_, value)| value.trim()).collect::<Vec<_>>()
        };
        let (address, name) = (format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port));
        let is_own = |host: &str| host == address || host.eq_ignore_ascii_case(&name);
        let [host] = all("host")[..] else { return Err(malformed) };
        if !is_own(host) {
            return Err(("421 Misdirected Request", "the request is for another host\n"));
        }
        let foreign = all("origin").iter().any(|origin| !origin.strip_prefix("http://").is_some_and(is_own))
            || all("sec-fetch-site").iter().any(|site| !matches!(*site, "same-origin" | "none"));
        if foreign {
            return Err(("403 Forbidden", "the request comes from another site\n"));
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let rest = path.strip_prefix('/').and_then(|path| path.split_once('/'));
        let Some((_, path)) = rest.filter(|(token, _)| same(token, &self.token)) else {
            return Err(("403 Forbidden", "use the address that `krs debug` has printed\n"));
        };
        if method != "GET" {
            return Err(("405 Method Not Allowed", "only GET\n"));
        }
        match path.trim_end_matches('/') {
            "debug" => Ok(Asked::Page),
            "debug/state" => Ok(Asked::State),
            "debug/why" => {
                let of = |name| debug_page::query_parameter(query, name);
                match (of("replica"), of("controller"), of("key")) {
                    (Some(replica), Some(controller), Some(key)) => {
                        Ok(Asked::Why { replica, controller, key })
                    }
                    _ => Err(("400 Bad Request", "replica, controller and key are required\n")),
                }
            }
            _ => Err(("404 Not Found", "no such page\n")),
        }
    }
}

/// Compares without stopping at the first difference.
fn same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

impl Answer {
    fn bytes(&self) -> Vec<u8> {
        let Self(status, form, body) = self;
        let mut head =
            format!("HTTP/1.1 {status}\r\nContent-Type: {form}\r\nContent-Length: {}\r\n", body.len());
        // A string takes everything.
        let _ = write!(head, "Content-Security-Policy: {}\r\n", debug_page::CONTENT_SECURITY_POLICY);
        head +=
            "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCache-Control: no-store\r\n";
        head += "Connection: close\r\n\r\n";
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(body);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use client_rs_cache::{InformerFactory, SharedInformer};
    use client_rs_controller::{Action, CancellationToken, Context, Controller, Manager, ManagerOptions};
    use client_rs_machinery::ObjectKey;
    use client_rs_machinery::meta::v1::PartialObjectMetadata as Thing;
    use serde_json::Value;

    use super::*;

    fn local() -> Local {
        Local { port: 7000, token: "f00d".to_owned() }
    }

    fn status(head: &str) -> String {
        match local().read(head.replace('\n', "\r\n").as_bytes()) {
            Ok(asked) => format!("{asked:?}"),
            Err((status, _)) => status.split(' ').next().unwrap_or_default().to_owned(),
        }
    }

    #[test]
    fn only_the_own_address_the_own_origin_and_the_token_are_answered() {
        let head = |path: &str, more: &str| format!("GET {path} HTTP/1.1\nHost: 127.0.0.1:7000\n{more}\n");
        assert_eq!(status(&head("/f00d/debug", "")), "Page");
        assert_eq!(status(&head("/f00d/debug/", "Sec-Fetch-Site: none\n")), "Page");
        assert_eq!(status(&head("/f00d/debug/state", "Origin: http://127.0.0.1:7000\n")), "State");
        assert_eq!(status("GET /f00d/debug HTTP/1.1\nhost: LOCALHOST:7000\n\n"), "Page");
        let why = status(&head("/f00d/debug/why?replica=a&controller=c%2Fd&key=n%2Fa", ""));
        assert_eq!(why, r#"Why { replica: "a", controller: "c/d", key: "n/a" }"#);

        for host in ["evil.example", "evil.example:7000", "127.0.0.1:7001", "127.0.0.1", "localhost"] {
            assert_eq!(status(&format!("GET /f00d/debug HTTP/1.1\nHost: {host}\n\n")), "421", "{host}");
        }
        for origin in ["http://evil.example", "null", "https://127.0.0.1:7000", "http://127.0.0.1:7001"] {
            assert_eq!(status(&head("/f00d/debug/state", &format!("Origin: {origin}\n"))), "403", "{origin}");
        }
        assert_eq!(status(&head("/f00d/debug/state", "Sec-Fetch-Site: cross-site\n")), "403");
        for path in ["/debug", "/", "/f00c/debug", "/f00/debug", "/f00d0/debug", "//debug"] {
            assert_eq!(status(&head(path, "")), "403", "{path}");
        }
        assert_eq!(status(&head("/f00d/other", "")), "404");
        assert_eq!(status(&head("/f00d/debug/why?key=a", "")), "400");
        assert_eq!(status("POST /f00d/debug HTTP/1.1\nHost: 127.0.0.1:7000\n\n"), "405");
        for broken in ["", "GET", "GET /f00d/debug HTTP/1.1\n\n", "GET / HTTP/1.1\nHost: a\nHost: b\n\n"] {
            assert_eq!(status(broken), "400", "{broken:?}");
        }
    }

    /// Sends a request to the page and returns the status and the body.
    async fn get(port: u16, path: &str) -> (String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    #[tokio::test]
    async fn the_states_of_all_replicas_are_side_by_side_and_one_that_is_gone_is_an_error() {
        let stop = CancellationToken::new();
        // Two free ports, which the managers take.
        let free = || std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let (mut urls, mut running) = (Vec::new(), Vec::new());
        for _ in 0..2 {
            let address = free();
            urls.push(format!("http://{address}"));
            let factory = InformerFactory::new();
            let informer = SharedInformer::new(client_rs_cache::MemoryListWatch::<Thing>::new());
            let controller = Controller::new("things", informer)
                .reconcile(|_: ObjectKey, _: Context| async { Ok(Action::done()) });
            let options = ManagerOptions::default().with_debug_listen(address);
            let manager = Manager::with_options(factory, options).controller(controller);
            running.push(tokio::spawn(manager.run(stop.clone())));
        }
        urls.push(format!("http://{}", free()));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let site = Site::new(port, "f00d".to_owned(), Replicas::at(&urls).unwrap());
        assert_eq!(site.url(), format!("http://127.0.0.1:{port}/f00d/debug"));
        let serving = tokio::spawn(site.serve(listener));

        let (head, body) = get(port, "/f00d/debug").await;
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && body.starts_with("<!doctype html>"), "{head}");
        assert!(head.contains("Content-Security-Policy: default-src 'none'"), "{head}");
        let replicas = loop {
            // Until both managers listen.
            let (_, body) = get(port, "/f00d/debug/state").await;
            let state: Value = serde_json::from_str(&body).unwrap();
            let replicas = state["replicas"].as_array().unwrap().clone();
            if replicas.iter().filter(|replica| replica.get("state").is_some()).count() == 2 {
                break replicas;
            }
        };
        assert_eq!(replicas[1]["name"], urls[1].as_str());
        assert_eq!(replicas[0]["state"]["controllers"][0]["name"], "things");
        assert!(replicas[2]["error"].as_str().unwrap().contains("refused"), "{replicas:?}");

        let escaped = urls[0].replace(':', "%3A").replace('/', "%2F");
        let ask =
            |controller: &str| format!("/f00d/debug/why?replica={escaped}&controller={controller}&key=n%2Fa");
        let (head, body) = get(port, &ask("things")).await;
        assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}\n{body}");
        let why: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((&why["controller"], &why["key"]), (&"things".into(), &"n/a".into()));
        let (head, body) = get(port, &ask("missing")).await;
        assert!(
            head.starts_with("HTTP/1.1 502") && body.contains("no controller \"missing\""),
            "{head}\n{body}"
        );

        serving.abort();
        stop.cancel();
        for manager in running {
            // They end while their informers have no first list: nobody has started them.
            let _ = manager.await.unwrap();
        }
    }

    #[test]
    fn tokens_differ_and_have_128_bits() {
        let (one, other) = (super::super::token(), super::super::token());
        assert!(one != other && one.len() == 32 && one.bytes().all(|digit| digit.is_ascii_hexdigit()));
    }
}
