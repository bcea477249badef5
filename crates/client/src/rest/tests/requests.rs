//! Requests, retries, and their metrics.

use std::fmt;

use super::*;

#[tokio::test]
async fn t3_3_01_headers_and_url_of_a_request() {
    let ok = || json(200, pod("a").to_json());
    let server = Server::new([ok(), ok(), ok(), ok(), ok()]);
    server.client().send::<Pod>(get()).await.unwrap();
    server.client().send_raw(get()).await.unwrap();
    let options = RestClientOptions { content_type: Some("application/yaml".into()), ..unlimited() };
    server.client_with(options).send_raw(get()).await.unwrap();
    let options = RestClientOptions { accept: Some("application/json;q=1".into()), ..unlimited() };
    server.client_with(options.clone()).send::<Pod>(get()).await.unwrap();
    server.client_with(options).send::<Pod>(get().header(http::header::ACCEPT, "own")).await.unwrap();
    let asked: Vec<_> = server.heard().iter().map(|heard| heard.headers["accept"].clone()).collect();
    assert_eq!(
        asked,
        [
            "application/vnd.kubernetes.protobuf,application/json",
            "application/json, */*",
            "application/yaml, */*",
            "application/json;q=1",
            "own"
        ]
    );
    let heard = &server.heard()[0];
    assert_eq!(heard.uri, "https://k8s.example:6443/base/api/v1/namespaces/ns/pods/a");
    assert_eq!(
        (&heard.method, heard.headers["user-agent"].as_bytes()),
        (&Method::GET, b"client-rs".as_slice())
    );
}

#[tokio::test]
async fn managed_fields_are_left_out_if_the_server_can() {
    let ok = || json(200, pod("a").to_json());
    let server = Server::new([ok(), ok(), ok()]);
    let request = get().without_managed_fields();
    server.client().send::<Pod>(request.clone()).await.unwrap();
    server.client().send_raw(request.clone()).await.unwrap();
    server.client().send::<Pod>(request.header(http::header::ACCEPT, "application/json;q=1")).await.unwrap();
    let asked: Vec<_> = server.heard().iter().map(|heard| heard.headers["accept"].clone()).collect();
    assert_eq!(
        asked,
        [
            "application/vnd.kubernetes.protobuf;drop=metadata.managedFields,application/json;drop=metadata.managedFields,\
             application/vnd.kubernetes.protobuf,application/json",
            "application/json;drop=metadata.managedFields,*/*;drop=metadata.managedFields,application/json,*/*",
            "application/json;q=1;drop=metadata.managedFields,application/json;q=1",
        ]
    );
}

#[tokio::test]
async fn t3_3_15_a_request_can_be_sent_again_with_its_body() {
    let server = Server::new([json(201, pod("a").to_json()), json(200, pod("a").to_json())]);
    let request = Request::post().of::<Pod>().namespace("ns").object(pod("a"));
    let client = server.client();
    assert_eq!(client.send_raw(request.clone()).await.unwrap().status, StatusCode::CREATED);
    assert_eq!(client.send_raw(request).await.unwrap().status, StatusCode::OK);
    for heard in server.heard() {
        assert_eq!(heard.headers["content-type"], "application/vnd.kubernetes.protobuf");
        assert_eq!(heard.body, Payload::encode(&pod("a"), Format::Protobuf));
    }
}

#[tokio::test(start_paused = true)]
async fn t3_4_01_a_busy_server_is_asked_again_after_its_retry_after() {
    let server = Server::new([later(429, 3), later(503, 2), json(200, pod("a").to_json())]);
    let start = Instant::now();
    assert_eq!(server.client().send::<Pod>(get()).await.unwrap(), pod("a"));
    assert_eq!(start.elapsed(), Duration::from_secs(5));
    // The server has not processed a request that it answers with 429; after a 503, that is unknown.
    let create = || Request::post().of::<Pod>().namespace("ns").object(pod("a"));
    let server = Server::new([later(429, 1), json(201, pod("a").to_json())]);
    server.client().send::<Pod>(create()).await.unwrap();
    let bodies: Vec<_> = server.heard().into_iter().map(|heard| heard.body).collect();
    assert!(bodies.len() == 2 && bodies[0] == bodies[1] && !bodies[0].is_empty());
    let server = Server::new([later(503, 1), json(201, pod("a").to_json())]);
    let error = server.client().send::<Pod>(create()).await.unwrap_err();
    assert!(error.api().unwrap().is_service_unavailable(), "{error}");
    assert_eq!((server.heard().len(), error.retry_after()), (1, Some(Duration::from_secs(1))));
    let server = Server::new([reply(503, "text/plain", "no header")]);
    assert!(server.client().send::<Pod>(get()).await.is_err());
    assert_eq!(server.heard().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn t3_4_02_a_lost_connection_is_retried_for_reads_only() {
    let server = Server::new([Err(reset()), json(200, pod("a").to_json())]);
    server.client().send::<Pod>(get()).await.unwrap();
    for verb in [Verb::Post, Verb::Put, Verb::Patch, Verb::Delete] {
        let server = Server::new([Err(reset()), json(200, pod("a").to_json())]);
        let error = server.client().send_raw(Request::new(verb).of::<Pod>()).await.unwrap_err();
        assert!(matches!(error, Error::Transport { .. }), "{error}");
        assert_eq!(server.heard().len(), 1, "{verb}");
    }
}

#[tokio::test(start_paused = true)]
async fn t3_4_03_each_retried_body_is_closed() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let busy = || {
        let left = [Bytes::from_static(b"busy")].into();
        let body = Chunks { left, pending: true, dropped: Some(Arc::clone(&dropped)) };
        let response = Response::builder().status(429).header("retry-after", "1");
        Ok(response.body(Body::new(body)).unwrap())
    };
    let server = Server::new([busy(), busy(), json(200, pod("a").to_json())]);
    server.client().send::<Pod>(get()).await.unwrap();
    assert_eq!(dropped.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn t3_4_04_exactly_one_more_attempt_than_retries() {
    for (retries, tries) in [(None, 11), (Some(0), 1), (Some(2), 3)] {
        let server = Server::new((0..20).map(|_| later(429, 1)));
        let request = retries.map_or_else(get, |retries| get().max_retries(retries));
        let error = server.client().send::<Pod>(request).await.unwrap_err();
        assert!(error.api().unwrap().is_too_many_requests());
        assert_eq!(server.heard().len(), tries);
    }
}

/// Records the calls of limiter and metrics, in order.
#[derive(Clone, Debug, Default)]
struct Recorder(Arc<Mutex<Vec<String>>>);

impl Recorder {
    fn write(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    fn lines(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

impl RequestRateLimiter for Recorder {
    fn try_acquire(&self) -> bool {
        true
    }

    fn acquire(&self, _: Option<Duration>) -> Pin<Box<dyn Future<Output = bool> + Send + '_>> {
        self.write("limiter");
        Box::pin(std::future::ready(true))
    }

    fn qps(&self) -> f32 {
        1.0
    }
}

impl RequestMetrics for Recorder {
    fn result(&self, code: &str, verb: Verb, host: &str) {
        self.write(format!("result {code} {verb} {host}"));
    }

    fn retry(&self, code: &str, _: Verb, _: &str) {
        self.write(format!("retry {code}"));
    }

    fn latency(&self, _: Verb, _: &str, template: &dyn fmt::Display, _: Duration) {
        self.write(format!("latency {template}"));
    }

    fn throttled(&self, _: Verb, _: &str, _: &dyn fmt::Display, _: Duration) {
        self.write("throttled");
    }

    fn response_size(&self, _: Verb, _: &str, bytes: u64) {
        self.write(format!("bytes {bytes}"));
    }
}

#[tokio::test(start_paused = true)]
async fn t3_4_05_order_of_limiter_backoff_and_metrics() {
    let recorder = Recorder::default();
    let options = || RestClientOptions {
        limiter: Some(Arc::new(recorder.clone())),
        metrics: Arc::new(recorder.clone()),
        ..unlimited()
    };
    let latency = "latency /base/api/v1/namespaces/{namespace}/pods/{name}";
    let server = Server::new([later(429, 1), Err(reset()), reply(200, "text/plain", "ok")]);
    server.client_with(options()).send_raw(get()).await.unwrap();
    assert_eq!(
        recorder.lines(),
        [
            "limiter",
            "throttled",
            latency,
            "result 429 GET k8s.example:6443",
            "limiter",
            "throttled",
            latency,
            "result <error> GET k8s.example:6443",
            "retry <error>",
            "limiter",
            "throttled",
            latency,
            "result 200 GET k8s.example:6443",
            "retry 200",
            "bytes 2"
        ]
    );
    let server = Server::new([later(429, 1), reply(200, "text/plain", "ok")]);
    server.client_with(options()).send_stream(get()).await.unwrap();
    assert_eq!(recorder.lines().iter().filter(|line| *line == "limiter").count(), 2);
    // The first attempt of a watch is not delayed.
    let server = Server::new([later(429, 1), json(200, "")]);
    drop(server.client_with(options()).watch::<Pod>(get()).await.unwrap());
    assert_eq!(recorder.lines()[..3], [latency, "result 429 GET k8s.example:6443", "limiter"]);
}

#[tokio::test(start_paused = true)]
async fn t3_4_06_the_last_error_contains_the_previous_one() {
    let server = Server::new([later(429, 1), Err(other("broken"))]);
    let error = server.client().send::<Pod>(get()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "GET https://k8s.example:6443/base/api/v1/namespaces/ns/pods/a failed: broken - error from a previous attempt: \
         429 Too Many Requests"
    );
    // No error is repeated.
    let server = Server::new((0..20).map(|_| Err(reset())));
    let error = server.client().send::<Pod>(get()).await.unwrap_err();
    assert!(matches!(&error, Error::Transport { previous: None, .. }), "{error}");
    assert_eq!(server.heard().len(), 11);
    // The time runs out during the wait for the next attempt.
    let server = Server::new((0..20).map(|_| later(429, 60)));
    let error = server.client().send::<Pod>(get().timeout(Duration::from_secs(5))).await.unwrap_err();
    assert!(error.is_timeout() && error.to_string().contains("429"), "{error}");
}

#[tokio::test]
async fn t3_4_07_a_stream_is_sent_once() {
    let server = Server::new([later(429, 0), json(200, "{}")]);
    let request = Request::put().of::<Pod>().body(BodySource::stream(Body::from("stream")));
    let client = server.client();
    assert!(client.send_raw(request.clone()).await.unwrap_err().api().unwrap().is_too_many_requests());
    assert_eq!(server.heard()[0].body, "stream");
    let error = client.send_raw(request).await.unwrap_err();
    assert!(matches!(error, Error::Request(RequestError::BodyTaken)), "{error}");
}

#[tokio::test(start_paused = true)]
async fn t3_4_09_time_that_runs_out_is_a_timeout_within_the_bound() {
    let slow = || Server { delay: Duration::from_mins(1), ..Server::new([json(200, "{}")]) };
    let start = Instant::now();
    let error = slow().client().send::<Pod>(get().timeout(Duration::from_secs(3))).await.unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }) && start.elapsed() == Duration::from_secs(3), "{error}");
    let options = RestClientOptions { timeout: Some(Duration::from_secs(2)), ..unlimited() };
    let (server, start) = (slow(), Instant::now());
    let error = server.client_with(options.clone()).send::<Pod>(get()).await.unwrap_err();
    assert!(error.is_timeout() && start.elapsed() == Duration::from_secs(2), "{error}");
    // A body that does not end, in each form.
    let endless = || json(200, chunks(b"{", 1, true));
    let client = Server::new([endless(), endless(), endless(), endless()]).client_with(options);
    let start = Instant::now();
    assert!(client.send::<Pod>(get()).await.unwrap_err().is_timeout());
    assert!(client.send_list::<Pod>(list()).await.unwrap_err().is_timeout());
    let error = client.send_stream(get()).await.unwrap().bytes().await.unwrap_err();
    assert!(error.to_string().contains("took longer"), "{error}");
    let mut watch = client.watch::<Pod>(list()).await.unwrap();
    assert!(watch.next().await.is_none() && matches!(watch.end(), Some(WatchEnd::Timeout)));
    assert_eq!(start.elapsed(), Duration::from_secs(8));
}

#[tokio::test(start_paused = true)]
async fn t3_4_09_the_timeout_is_sent_to_the_server_for_calls_but_not_for_lists_and_watches() {
    let options = RestClientOptions { timeout: Some(Duration::from_secs(2)), ..unlimited() };
    let server = Server::new([json(200, "{}"), json(200, "{\"items\":[]}"), json(200, "")]);
    let client = server.client_with(options);
    client.send::<Pod>(get()).await.unwrap();
    client.send_list::<Pod>(list()).await.unwrap();
    drop(client.watch::<Pod>(list()).await.unwrap());
    let queries: Vec<_> = server.heard().iter().map(|heard| heard.uri.query().map(str::to_owned)).collect();
    assert_eq!(queries, [Some("timeout=2s".to_owned()), None, None]);
}

#[tokio::test(start_paused = true)]
async fn t3_4_11_parallel_requests_share_no_state() {
    let service = tower::service_fn({
        let tries: Arc<Mutex<std::collections::HashMap<String, u32>>> = Arc::default();
        move |request: http::Request<Body>| {
            let tries = Arc::clone(&tries);
            async move {
                let name = request.uri().path().rsplit('/').next().unwrap().to_owned();
                let count = {
                    let mut tries = tries.lock().unwrap();
                    let count = tries.entry(name.clone()).or_default();
                    *count += 1;
                    *count
                };
                if count < 4 { later(429, 1) } else { json(200, pod(&name).to_json()) }
            }
        }
    });
    let url: Uri = "http://h".parse().unwrap();
    let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
    let client = RestClient::with_options(&url, transport, unlimited()).unwrap();
    let tasks: Vec<_> = (0..50)
        .map(|n| {
            let client = client.clone();
            tokio::spawn(async move {
                client.send::<Pod>(Request::get().of::<Pod>().name(&format!("p{n}"))).await
            })
        })
        .collect();
    for (n, task) in tasks.into_iter().enumerate() {
        assert_eq!(task.await.unwrap().unwrap().name(), format!("p{n}"));
    }
}

#[tokio::test(start_paused = true)]
async fn requests_wait_for_the_limit_and_fail_when_it_leaves_no_room() {
    let limiter: Arc<dyn RequestRateLimiter> = Arc::new(TokenBucketLimiter::new(1.0, 1));
    let options = RestClientOptions { limiter: Some(limiter), ..unlimited() };
    let server = Server::new((0..4).map(|_| json(200, "{}")));
    let client = server.client_with(options);
    let start = Instant::now();
    for _ in 0..3 {
        client.send::<Pod>(get()).await.unwrap();
    }
    assert_eq!(start.elapsed().as_millis(), 2000);
    let error = client.send::<Pod>(get().timeout(Duration::from_millis(100))).await.unwrap_err();
    assert!(matches!(error, Error::Throttled { .. }), "{error}");
    assert_eq!(start.elapsed().as_millis(), 2000);
}

#[tokio::test(start_paused = true)]
async fn a_stalled_response_ends_with_an_error() {
    let limit = RestClientOptions::default().progress_timeout.unwrap();
    let never = || Server { delay: Duration::from_hours(48), ..Server::new([json(200, "{}")]) };
    let start = Instant::now();
    let write = Request::post().of::<Pod>().namespace("ns").object(pod("a"));
    assert!(never().client().send::<Pod>(write).await.unwrap_err().is_timeout());
    assert!(never().client().send_list::<Pod>(list()).await.unwrap_err().is_timeout());
    assert_eq!(start.elapsed(), 2 * limit);
    // A body that stalls, in each form that the client reads itself.
    let halts = || json(200, chunks(b"{", 1, true));
    let client = Server::new([halts(), halts(), halts()]).client();
    let start = Instant::now();
    let error = client.send::<Pod>(get()).await.unwrap_err();
    assert!(error.is_timeout() && error.is_transient(), "{error}");
    let error = client.send_list::<Pod>(list()).await.unwrap_err();
    assert!(error.is_timeout() && error.is_transient(), "{error}");
    assert_eq!(start.elapsed(), 2 * limit);
    // The caller reads a stream, and may wait for it indefinitely.
    let stream = client.send_stream(get()).await.unwrap();
    assert!(tokio::time::timeout(3 * limit, stream.bytes()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn an_unlimited_timeout_does_not_panic() {
    let never = || RestClientOptions { timeout: Some(Duration::MAX), ..RestClientOptions::default() };
    let client = Server::new([json(200, "{}"), json(200, "{}")]).client_with(never());
    client.send_raw(get()).await.unwrap();
    client.send_raw(get().timeout(Duration::MAX)).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_does_not_begin_ends_when_the_server_should_have_ended_it() {
    let never = Server { delay: Duration::from_hours(48), ..Server::new([json(200, "")]) };
    let start = Instant::now();
    let request = list().param("watch", "true").param("timeoutSeconds", "10");
    let error = never.client().watch::<Pod>(request).await.unwrap_err();
    assert!(error.is_timeout() && error.is_transient(), "{error}");
    assert_eq!(start.elapsed(), Duration::from_secs(40));
}

#[tokio::test]
async fn a_response_that_is_too_large_is_an_error_with_advice() {
    let options = RestClientOptions { max_answer_bytes: 10, ..unlimited() };
    let large = || json(200, chunks(&[b' '; 11], 4, false));
    let client =
        Server::new([large(), large(), json(200, chunks(b"0123456789", 4, false))]).client_with(options);
    let error = client.send_raw(get()).await.unwrap_err();
    assert!(matches!(error, Error::TooLarge { limit: 10, .. }), "{error}");
    assert!(error.to_string().contains("max_answer_bytes"), "{error}");
    assert!(matches!(client.send::<Pod>(get()).await, Err(Error::TooLarge { .. })));
    assert_eq!(client.send_raw(get()).await.unwrap().body, "0123456789");
}

#[tokio::test(start_paused = true)]
async fn a_very_long_retry_after_is_limited_to_minutes() {
    let server = Server::new([later(429, u32::MAX), json(200, "{}")]);
    let start = Instant::now();
    server.client().send::<Pod>(get()).await.unwrap();
    assert_eq!(start.elapsed(), Duration::from_mins(5));
}

/// glibc keeps free blocks of up to 1,032 bytes at hand. Every request allocates these futures.
#[tokio::test]
async fn the_futures_of_a_request_fit_into_blocks_that_are_quick_to_allocate() {
    let config = client_rs_transport::Config::new(Uri::from_static("http://127.0.0.1:1"));
    let client = RestClient::from_config(&config).unwrap();
    let whole = size_of_val(&*client.formatted(Request::get().api("", "v1").resource("pods")));
    assert!(whole <= 1_032, "{whole} bytes: box a part, or the ways that are rare");
}
