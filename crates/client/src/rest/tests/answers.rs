//! Responses.

use super::*;

#[tokio::test]
async fn t3_5_01_and_t3_5_02_responses_of_every_kind() {
    async fn asked(reply: Reply) -> Result<Pod, Error> {
        Server::new([reply]).client().send::<Pod>(get()).await
    }
    let protobuf = "application/vnd.kubernetes.protobuf";
    assert_eq!(asked(json(200, pod("a").to_json())).await.unwrap(), pod("a"));
    assert_eq!(
        asked(reply(200, protobuf, Payload::encode(&pod("a"), Format::Protobuf))).await.unwrap(),
        pod("a")
    );
    let told = |error: Error| error.api().unwrap().clone();
    for (content_type, body) in [
        ("application/json", failure(404, "NotFound").to_json()),
        (protobuf, Payload::encode(&failure(404, "NotFound"), Format::Protobuf)),
    ] {
        let error = told(asked(reply(404, content_type, body)).await.unwrap_err());
        assert!(error.is_not_found() && error.message() == "no way", "{error}");
        assert!(!error.is_unexpected_server_error());
    }
    // Not a Status: the error follows from the code.
    let error = told(asked(reply(403, "text/plain", "who are you")).await.unwrap_err());
    assert!(error.is_forbidden() && error.message().starts_with("who are you"), "{error}");
    let error = told(asked(json(409, "{}")).await.unwrap_err());
    assert!(error.is_conflict() && error.message().ends_with("(get pods a)"), "{error}");
    let error = told(asked(reply(502, "text/html", "<h1>bad gateway</h1>")).await.unwrap_err());
    assert!(error.is_internal_error() && error.is_unexpected_server_error(), "{error}");
    let error = told(asked(reply(500, "application/octet-stream", "\u{1}")).await.unwrap_err());
    assert!(error.message().contains("unknown"), "{error}");
    let error = asked(reply(200, "text/html", "<h1>log in</h1>")).await.unwrap_err();
    assert!(
        matches!(&error, Error::ContentType { content_type, .. } if content_type == "text/html"),
        "{error}"
    );
    assert!(matches!(asked(json(200, "")).await.unwrap_err(), Error::Empty { .. }));
    assert!(matches!(asked(json(200, "{")).await.unwrap_err(), Error::Decode { .. }));
    assert!(told(asked(json(302, "")).await.unwrap_err()).code() == 302);
    // Without a content type, a response has the first requested format.
    let bare = Ok(Response::new(Body::from(Payload::encode(&pod("a"), Format::Protobuf))));
    assert_eq!(asked(bare).await.unwrap(), pod("a"));
    let accepted = Server::new([reply(202, "text/plain", "")]).client().send_raw(get()).await.unwrap();
    assert_eq!((accepted.status, accepted.body.len()), (StatusCode::ACCEPTED, 0));
}

#[tokio::test]
async fn t3_5_03_a_foreign_text_is_cut() {
    let server = Server::new([reply(500, "text/plain", "x".repeat(5000))]);
    let error = server.client().send::<Pod>(get()).await.unwrap_err();
    let cause = &error.api().unwrap().causes()[0];
    assert_eq!(cause.message.len(), 2048);
}

#[tokio::test(start_paused = true)]
async fn an_error_body_that_does_not_end_hides_nothing() {
    let server = Server::new([
        reply(403, "text/plain", chunks(b"no", 1, true)),
        reply(404, "text/plain", chunks(&vec![0; 5 << 20], 1 << 16, true)),
    ]);
    let client = server.client();
    let error = client.send::<Pod>(get().timeout(Duration::from_secs(1))).await.unwrap_err();
    assert!(error.api().unwrap().is_forbidden(), "{error}");
    assert!(client.send::<Pod>(get()).await.unwrap_err().is_not_found());
}

#[tokio::test]
async fn t3_5_04_parameters_of_a_media_type_do_not_matter() {
    let server = Server::new([reply(200, "Application/JSON; charset=utf-8", pod("a").to_json())]);
    assert_eq!(server.client().send::<Pod>(get()).await.unwrap(), pod("a"));
}

#[tokio::test]
async fn t3_5_05_a_failure_in_a_200_is_an_error() {
    for format in [Format::Json, Format::Protobuf] {
        let body = Payload::encode(&failure(409, "Conflict"), format);
        let server = Server::new([
            reply(200, format.media_type(), body.clone()),
            reply(200, format.media_type(), body),
        ]);
        let error = server.client().send::<Pod>(get()).await.unwrap_err();
        assert!(error.is_conflict(), "{error}");
        // A caller that requests a Status gets it.
        assert_eq!(server.client().send::<Status>(get()).await.unwrap().code, 409);
    }
}

#[derive(Debug, Default)]
struct Warnings(Mutex<Vec<String>>);

impl WarningHandler for Warnings {
    fn handle(&self, code: u16, agent: &str, text: &str) {
        self.0.lock().unwrap().push(format!("{code} {agent} {text}"));
    }
}

#[tokio::test]
async fn t3_5_06_warnings_come_with_every_kind_of_answer() {
    let warned = |status: u16| {
        let mut response = json(status, "{}").unwrap();
        response.headers_mut().append("warning", r#"299 - "old""#.parse().unwrap());
        response.headers_mut().append("warning", "nonsense".parse().unwrap());
        Ok(response)
    };
    let (handler, own) = (Arc::new(Warnings::default()), Arc::new(Warnings::default()));
    let server = Server::new([warned(200), warned(404), warned(200), warned(200)]);
    let options =
        RestClientOptions { warnings: Arc::clone(&handler) as Arc<dyn WarningHandler>, ..unlimited() };
    let client = server.client_with(options);
    client.send::<Pod>(get()).await.unwrap();
    client.send::<Pod>(get()).await.unwrap_err();
    drop(client.watch::<Pod>(get()).await.unwrap());
    assert_eq!(*handler.0.lock().unwrap(), ["299 - old"; 3]);
    client.send::<Pod>(get().warnings(Arc::clone(&own) as Arc<dyn WarningHandler>)).await.unwrap();
    assert_eq!((handler.0.lock().unwrap().len(), own.0.lock().unwrap().len()), (3, 1));
}

#[tokio::test]
async fn a_server_that_refuses_protobuf_gets_json_from_then_on() {
    let ok = || json(201, pod("a").to_json());
    let refused = json(415, failure(415, "UnsupportedMediaType").to_json());
    let server = Server::new([refused, ok(), ok(), ok()]);
    let client = server.client();
    let create = || Request::post().of::<Pod>().namespace("ns").object(pod("a"));
    client.send::<Pod>(create()).await.unwrap();
    client.send::<Pod>(create()).await.unwrap();
    // Another server may serve other resources.
    let other = Request::post().of::<ConfigMap>().namespace("ns").object(ConfigMap::default());
    client.send_raw(other).await.unwrap();
    let sent: Vec<_> = server.heard().iter().map(|heard| heard.headers["content-type"].clone()).collect();
    let (protobuf, json) = ("application/vnd.kubernetes.protobuf", "application/json");
    assert_eq!(sent, [protobuf, json, json, protobuf]);
}

#[tokio::test]
async fn a_patch_is_json_regardless_of_the_preferred_format() {
    use client_rs_machinery::patch::{Patch, PatchType};
    let answer = || json(200, pod("a").to_json());
    let server = Server::new([answer(), answer(), answer()]);
    let client = server.client();
    let document = Json::parse(&pod("a").to_json()).unwrap();
    client.send::<Pod>(Request::patch(&Patch::force_apply(document)).of::<Pod>().name("a")).await.unwrap();
    let merge = Patch::parse(PatchType::Merge, br#"{"spec":{}}"#).unwrap();
    client.send::<Pod>(Request::patch(&merge).of::<Pod>().name("a")).await.unwrap();
    // An object with the media type of a patch is JSON too.
    let apply = http::HeaderValue::from_static(PatchType::Apply.media_type());
    let request = Request::new(Verb::Patch).header(http::header::CONTENT_TYPE, apply).object(pod("a"));
    client.send::<Pod>(request.of::<Pod>().name("a")).await.unwrap();
    let [forced, merged, object] = &server.heard()[..] else { panic!("three requests") };
    assert_eq!(forced.headers["content-type"], "application/apply-patch+yaml");
    assert_eq!((&forced.method, forced.uri.query()), (&Method::PATCH, Some("force=true")));
    assert_eq!(merged.headers["content-type"], "application/merge-patch+json");
    assert_eq!((merged.uri.query(), &merged.body[..]), (None, br#"{"spec":{}}"#.as_slice()));
    assert_eq!(object.body, pod("a").to_json());
}

#[tokio::test]
async fn the_reason_of_the_server_wins_over_the_code() {
    let server = Server::new([json(500, failure(500, "ServerTimeout").to_json())]);
    let error = server.client().send::<Pod>(get()).await.unwrap_err();
    assert_eq!(*error.api().unwrap().reason(), StatusReason::ServerTimeout);
    assert!(error.is_timeout());
}

#[tokio::test]
async fn objects_of_any_kind_are_json_and_a_failure_is_still_an_error() {
    use client_rs_machinery::Unstructured;
    let server = Server::new([
        json(200, pod("a").to_json()),
        json(200, failure(409, "Conflict").to_json()),
        json(200, pods(2).to_json()),
        json(200, frame(Format::Json, "ADDED", &pod("a"))),
    ]);
    let client = server.client();
    let object: Unstructured = client.send(get()).await.unwrap();
    assert_eq!((object.kind(), object.name()), ("Pod", "a"));
    assert!(client.send::<Unstructured>(get()).await.unwrap_err().is_conflict());
    assert_eq!(client.send_list::<Unstructured>(list()).await.unwrap().items.len(), 2);
    let mut watch = client.watch::<Unstructured>(list()).await.unwrap();
    let Some(Ok(WatchEvent::Added(object))) = watch.next().await else { panic!("no event") };
    assert_eq!(object.name(), "a");
    assert!(server.heard().iter().all(|heard| heard.headers["accept"] == "application/json"));
}

#[test]
fn an_invalid_server_url_is_refused() {
    let url: Uri = "http://h".parse().unwrap();
    let service = tower::service_fn(|_: http::Request<Body>| async { json(200, "{}") });
    let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
    for (server, agent) in [("/path", "a"), ("http://h", "a\nb")] {
        let options = RestClientOptions { user_agent: agent.into(), ..unlimited() };
        assert!(RestClient::with_options(&server.parse().unwrap(), transport.clone(), options).is_err());
    }
}
