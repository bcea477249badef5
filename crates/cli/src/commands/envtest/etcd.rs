//! `etcd`: a process that envtest can start, ask for its health, and stop. Objects are in `kube-apiserver`.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::flags::{Arguments, FlagTable};
use crate::Streams;
use crate::terminal::EndSignal;

const FLAGS: FlagTable = FlagTable(include_str!("etcd_flags.txt"));
/// The default of the real one.
const URL: &str = "http://localhost:2379";
/// The largest head of a request, and how long it may take.
const HEAD_MAX: usize = 16 * 1024;
const HEAD_WAIT: Duration = Duration::from_secs(10);

/// Runs until a signal ends it.
pub(crate) async fn run(arguments: &[String], streams: &mut Streams<'_>) -> Result<()> {
    let given = match FLAGS.parse(arguments)? {
        Arguments::Help => {
            let about = "Answers health checks of envtest. The API server of krs has its own storage.";
            return Ok(write!(streams.out, "{}", FLAGS.help("etcd", about))?);
        }
        Arguments::Version => return Ok(writeln!(streams.out, "etcd Version: 3.7.0 (krs)")?),
        Arguments::Flags(given) => given,
    };
    let mut signal = EndSignal::any().context("can't listen for signals")?;
    let mut urls: Vec<&str> = given.list("listen-client-urls").collect();
    if urls.is_empty() {
        urls.push(URL);
    }
    let mut listeners = Vec::new();
    for url in urls {
        let address = address(url)?;
        let listener = TcpListener::bind(&address).await.with_context(|| format!("can't listen at {url}"))?;
        writeln!(streams.err, "listening at http://{}", listener.local_addr()?)?;
        listeners.push(tokio::spawn(serve(listener)));
    }
    signal.heard().await;
    listeners.iter().for_each(tokio::task::JoinHandle::abort);
    Ok(())
}

/// The host and port of a URL.
fn address(url: &str) -> Result<String> {
    let Some(address) = url.strip_prefix("http://") else {
        bail!("--listen-client-urls={url} is not supported, only http URLs");
    };
    let address = address.trim_end_matches('/');
    if address.parse::<SocketAddr>().is_err() && !address.contains(':') {
        bail!("--listen-client-urls={url} has no port");
    }
    Ok(address.to_owned())
}

async fn serve(listener: TcpListener) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(tokio::time::timeout(HEAD_WAIT, answer(stream)))),
            // The connection broke before it was accepted, or there are no file descriptors left.
            Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
}

/// Answers one request and closes the connection.
async fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    let mut head = Vec::new();
    let mut buffer = [0; 1024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < HEAD_MAX {
        match stream.read(&mut buffer).await? {
            0 => return Ok(()),
            count => head.extend_from_slice(&buffer[..count]),
        }
    }
    let text = String::from_utf8_lossy(&head);
    let (status, body) = response(text.split(' ').nth(1).unwrap_or_default());
    let reply = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(reply.as_bytes()).await?;
    stream.shutdown().await
}

fn response(path: &str) -> (&'static str, &'static str) {
    match path.split('?').next().unwrap_or_default() {
        "/health" => ("200 OK", "{\"health\":\"true\",\"reason\":\"\"}"),
        "/livez" | "/readyz" => ("200 OK", "ok"),
        "/version" => {
            ("200 OK", "{\"etcdserver\":\"3.7.0\",\"etcdcluster\":\"3.7.0\",\"storage\":\"3.7.0\"}")
        }
        _ => ("404 Not Found", "404 page not found\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn it_answers_health_checks_and_nothing_else() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = tokio::spawn(serve(listener));
        for (path, starts, ends) in [
            ("/health", "HTTP/1.1 200 OK", "\"health\":\"true\",\"reason\":\"\"}"),
            ("/v3/kv/range", "HTTP/1.1 404 Not Found", "404 page not found\n"),
        ] {
            let mut stream = TcpStream::connect(address).await.unwrap();
            let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
            stream.write_all(request.as_bytes()).await.unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).await.unwrap();
            assert!(text.starts_with(starts) && text.ends_with(ends), "{text}");
        }
        serving.abort();
    }

    #[test]
    fn urls_are_of_http_and_have_a_port() {
        assert_eq!(address("http://127.0.0.1:2379/").unwrap(), "127.0.0.1:2379");
        assert_eq!(address("http://localhost:0").unwrap(), "localhost:0");
        assert!(address("https://127.0.0.1:1").is_err() && address("http://localhost").is_err());
    }
}
