//! Write gates.

use tokio::sync::Notify;

use super::*;
use crate::{WriteGate, WriteRefused};

/// Open until an instant.
#[derive(Clone, Debug)]
struct Until(Arc<Mutex<Instant>>);

impl Until {
    fn seconds(seconds: u64) -> Self {
        Self(Arc::new(Mutex::new(Instant::now() + Duration::from_secs(seconds))))
    }

    fn extend(&self, seconds: u64) {
        *self.0.lock().unwrap() = Instant::now() + Duration::from_secs(seconds);
    }
}

impl WriteGate for Until {
    fn permit(&self) -> Result<Duration, WriteRefused> {
        let left = self.0.lock().unwrap().saturating_duration_since(Instant::now());
        if left.is_zero() { Err(WriteRefused::new("the term is over")) } else { Ok(left) }
    }
}

fn create() -> Request {
    Request::post().of::<Pod>().namespace("ns").object(pod("a"))
}

fn writes() -> [Request; 4] {
    let named = |request: Request| request.of::<Pod>().namespace("ns").name("a");
    let patch = client_rs_machinery::patch::Patch::Merge(client_rs_machinery::json!({}));
    [
        create(),
        named(Request::put()).object(pod("a")),
        named(Request::patch(&patch)),
        named(Request::delete()),
    ]
}

#[tokio::test(start_paused = true)]
async fn a_closed_gate_permits_reads_and_no_writes() {
    let server = Server::new([json(200, pod("a").to_json())]);
    let client = server.client().with_write_gate(Until::seconds(0));
    for write in writes() {
        let error = client.send_raw(write).await.unwrap_err();
        assert!(error.is_write_refused() && !error.is_transient(), "{error}");
        assert!(error.to_string().ends_with("was not sent: the term is over"), "{error}");
    }
    assert!(server.heard().is_empty());
    client.send::<Pod>(get()).await.unwrap();
    // Another gate can't open it; without the gate, writes work again.
    assert!(client.with_write_gate(Until::seconds(10)).send_raw(create()).await.is_err());
    assert_eq!(server.heard().len(), 1);
    let error = client.without_write_gate().send_raw(create()).await.unwrap_err();
    assert!(!error.is_write_refused() && server.heard().len() == 2, "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_write_that_has_waited_for_the_rate_limit_or_a_busy_server_is_not_sent_late() {
    // One request per second: the third write would start after the gate has closed.
    let server = Server::new((0..3).map(|_| json(201, pod("a").to_json())));
    let limiter = Some(Arc::new(TokenBucketLimiter::new(1.0, 1)) as Arc<dyn RequestRateLimiter>);
    let client = server.client_with(RestClientOptions { limiter, ..unlimited() });
    let client = client.with_write_gate(Until::seconds(2));
    client.send_raw(create()).await.unwrap();
    client.send_raw(create()).await.unwrap();
    assert!(client.send_raw(create()).await.unwrap_err().is_write_refused());
    assert_eq!(server.heard().len(), 2);

    // The server requests a retry in three seconds.
    let server = Server::new([later(429, 3), json(201, pod("a").to_json())]);
    let client = server.client().with_write_gate(Until::seconds(2));
    assert!(client.send_raw(create()).await.unwrap_err().is_write_refused());
    assert_eq!(server.heard().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_write_in_flight_ends_when_its_gate_closes() {
    let server = Server { delay: Duration::from_secs(9), ..Server::new([json(201, pod("a").to_json())]) };
    let gate = Until::seconds(5);
    let client = server.client().with_write_gate(gate.clone());
    let start = Instant::now();
    let error = client.send_raw(create()).await.unwrap_err();
    assert!(error.to_string().contains("the server may have processed it"), "{error}");
    assert_eq!(start.elapsed().as_secs(), 5);
    // If the time is extended meanwhile, the write continues.
    gate.extend(5);
    let (written, ()) = tokio::join!(client.send_raw(create()), async {
        tokio::time::sleep(Duration::from_secs(4)).await;
        gate.extend(6);
    });
    written.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_process_that_was_paused_while_it_connected_does_not_send_after_it_wakes_up() {
    let (connected, sent) = (Arc::new(Notify::new()), Arc::new(AtomicUsize::new(0)));
    let (connects, counts) = (Arc::clone(&connected), Arc::clone(&sent));
    let service = tower::service_fn(move |_: http::Request<Body>| {
        let (connected, sent) = (Arc::clone(&connects), Arc::clone(&counts));
        async move {
            connected.notified().await;
            sent.fetch_add(1, Ordering::Relaxed);
            json(201, pod("a").to_json())
        }
    });
    let url: Uri = "https://k8s.example".parse().unwrap();
    let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
    let client = RestClient::with_options(&url, transport, unlimited()).unwrap();
    let client = client.with_write_gate(Until::seconds(10));
    let mut write = Box::pin(client.send_raw(create()));
    assert!(futures_util::FutureExt::now_or_never(&mut write).is_none());
    // Nothing is polled for a minute; then the connection is open and everything is polled at once.
    tokio::time::advance(Duration::from_mins(1)).await;
    connected.notify_one();
    assert!(write.await.unwrap_err().is_write_refused());
    assert_eq!(sent.load(Ordering::Relaxed), 0);
}

#[tokio::test(start_paused = true)]
async fn a_client_without_the_rate_limit_does_not_wait_for_others() {
    let server = Server::new((0..50).map(|_| json(200, pod("a").to_json())));
    let limiter = Some(Arc::new(TokenBucketLimiter::new(1.0, 1)) as Arc<dyn RequestRateLimiter>);
    let client = server.client_with(RestClientOptions { limiter, ..unlimited() });
    let start = Instant::now();
    let free = client.without_rate_limit();
    for _ in 0..40 {
        free.send::<Pod>(get()).await.unwrap();
    }
    assert_eq!(start.elapsed(), Duration::ZERO);
    client.send::<Pod>(get()).await.unwrap();
    client.send::<Pod>(get()).await.unwrap();
    assert_eq!(start.elapsed(), Duration::from_secs(1));
}
