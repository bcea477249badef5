use client_rs_api::core::v1::{Node, Pod, Service};
use client_rs_transport::http::Body;
use http::header::{ACCEPT, AUTHORIZATION, CONNECTION, CONTENT_TYPE, LOCATION, UPGRADE};
use http::{Method, Response, StatusCode};
use serde_json::json;
use tower::ServiceExt;

use super::ProxyTarget;
use crate::fake_api::{FakeApi, Heard, Reply};
use crate::{Api, Error, RequestError};

fn answer(status: u16, content_type: &str, body: &str) -> Response<Body> {
    let response = Response::builder().status(status).header(CONTENT_TYPE, content_type);
    response.body(Body::from(body.to_owned())).unwrap()
}

#[allow(clippy::unnecessary_wraps, reason = "a reply may be an error")]
fn ok(_: &Heard) -> Reply {
    Ok(answer(200, "text/plain", "ok"))
}

async fn text(response: Response<Body>) -> String {
    String::from_utf8(response.into_body().bytes().await.unwrap().to_vec()).unwrap()
}

#[tokio::test]
async fn a_request_is_sent_as_it_was_built() {
    let api = FakeApi::new(ok);
    let rest = api.client_at("https://k8s.example/base");
    let web = Api::<Service>::namespaced(&rest, "ns").http("https:web:8443");
    web.get("/a b/ü%/x;y").query("q", "a b").query("q", "&").await.unwrap();
    web.get("").await.unwrap();
    web.request(Method::DELETE, "dir/").header("x-own".parse().unwrap(), "1").await.unwrap();
    web.post("/in", "body").await.unwrap();
    let pod = Api::<Pod>::namespaced(&rest, "ns").http(ProxyTarget::new("a").port("http"));
    pod.send(http::Request::get("http://a/raw%2Fslash//two?x=%20").body("").unwrap()).await.unwrap();
    Api::<Node>::cluster(&rest).http("n").get("metrics").await.unwrap();
    let heard = api.heard();
    let lines: Vec<_> = heard.iter().map(|heard| format!("{} {}", heard.method, heard.path())).collect();
    let (service, prefix) =
        ("/base/api/v1/namespaces/ns/services/https:web:8443/proxy", "/base/api/v1/namespaces/ns/pods");
    assert_eq!(
        lines,
        [
            format!("GET {service}/a%20b/%C3%BC%25/x;y?q=a+b&q=%26"),
            format!("GET {service}/"),
            format!("DELETE {service}/dir/"),
            format!("POST {service}/in"),
            format!("GET {prefix}/a:http/proxy/raw%2Fslash//two?x=%20"),
            "GET /base/api/v1/nodes/n/proxy/metrics".to_owned(),
        ]
    );
    assert_eq!((heard[2].header("x-own"), heard[3].body.as_ref()), ("1", &b"body"[..]));
    assert!(heard.iter().all(|heard| heard.header("accept") == "*/*"));
}

#[tokio::test]
async fn paths_that_leave_the_backend_and_invalid_requests_are_not_sent() {
    let api = FakeApi::new(ok);
    let rest = api.client();
    let pods = Api::<Pod>::namespaced(&rest, "ns");
    let web = pods.http("web");
    for path in ["../secrets", "/a/../../b", "./a", "/..", "/a\\..\\b"] {
        let error = web.get(path).await.unwrap_err();
        assert!(matches!(error, Error::Request(RequestError::Segment { .. })), "{path}: {error}");
    }
    for uri in ["/%2e%2E/a", "/a%2f..%2fb", "/.%2e"] {
        let error = web.send(http::Request::get(uri).body("").unwrap()).await.unwrap_err();
        assert!(matches!(error, Error::Request(RequestError::Segment { .. })), "{uri}: {error}");
    }
    for name in ["", "..", "a/b"] {
        assert!(matches!(pods.http(name).get("/").await, Err(Error::Request(_))), "{name:?}");
    }
    let refused = web.get("/").header(AUTHORIZATION, "Bearer mine").await.unwrap_err();
    assert!(matches!(refused, Error::Request(RequestError::ReservedHeader(AUTHORIZATION))), "{refused}");
    let refused = web.get("/").header(ACCEPT, "a\nb").await.unwrap_err();
    assert!(matches!(refused, Error::Request(RequestError::Header(ACCEPT))), "{refused}");
    let refused = web.request(Method::TRACE, "/").await.unwrap_err();
    assert!(matches!(refused, Error::Request(RequestError::Method(Method::TRACE))), "{refused}");
    let refused = web.upgrade(http::Request::new(())).await.unwrap_err();
    assert!(matches!(refused, Error::Request(RequestError::NoUpgrade)), "{refused}");
    assert!(api.heard().is_empty());
}

#[tokio::test]
async fn headers_with_an_identity_are_refused() {
    let api = FakeApi::new(ok);
    let web = Api::<Service>::namespaced(&api.client(), "ns").http("web");
    for name in [
        "impersonate-user",
        "impersonate-group",
        "impersonate-uid",
        "impersonate-extra-scopes",
        "x-remote-user",
        "x-remote-group",
        "x-remote-extra-a",
        "authorization",
        "proxy-authorization",
    ] {
        let forged = http::Request::get("/").header(name, "system:masters").body(Body::empty()).unwrap();
        let refused = web.clone().oneshot(forged).await.unwrap_err();
        let Error::Request(RequestError::ReservedHeader(header)) = &refused else {
            panic!("{name}: {refused}")
        };
        assert_eq!(header.as_str(), name);
        let forged = http::Request::get("/").header(UPGRADE, "websocket").header(name, "system:masters");
        assert!(web.upgrade(forged.body(()).unwrap()).await.is_err(), "{name}");
    }
    let with_cookie = || http::Request::get("/").header("cookie", "session=1").body("").unwrap();
    let refused = web.send(with_cookie()).await.unwrap_err();
    assert!(matches!(refused, Error::Request(RequestError::Cookie)), "{refused}");
    assert!(api.heard().is_empty());
    web.cookies().send(with_cookie()).await.unwrap();
    assert_eq!(api.heard()[0].header("cookie"), "session=1");
}

#[tokio::test]
async fn an_error_of_the_server_is_an_error_and_one_of_the_backend_a_response() {
    let status = |code: u16| {
        json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "ServiceUnavailable",
            "message": "no endpoints available", "code": code})
        .to_string()
    };
    let long = format!("{{\"error\": \"{}\"}}", "x".repeat(200_000));
    let answers = [
        (503, "application/json", status(503), true),
        (503, "application/json; charset=utf-8", status(503), true),
        // A `Status` about something else.
        (503, "application/json", status(404), false),
        (200, "application/json", status(503), false),
        (503, "text/plain", status(503), false),
        (404, "application/json", "{\"error\": \"mine\"}".to_owned(), false),
        (500, "application/json", long, false),
        (500, "application/json", String::new(), false),
        (302, "text/plain", "there".to_owned(), false),
        (429, "text/plain", "slower".to_owned(), false),
    ];
    for (code, kind, body, is_servers) in answers {
        let (told, kind) = (body.clone(), kind.to_owned());
        let api = FakeApi::new(move |_| Ok(answer(code, &kind, &told)));
        let web = Api::<Service>::namespaced(&api.client(), "ns").http("web");
        match web.get("/").await {
            Err(Error::Api { error, .. }) => assert!(is_servers && error.code() == 503, "{code} {body}"),
            Err(error) => panic!("{code}: {error}"),
            Ok(response) => {
                assert!(!is_servers && response.status() == code, "{code} {body}");
                assert_eq!(text(response).await, body);
            }
        }
        let response = web.every_answer().get("/").await.unwrap();
        assert_eq!((response.status().as_u16(), text(response).await), (code, body));
        assert_eq!(api.heard().len(), 2, "nothing is sent twice");
    }
}

#[tokio::test]
async fn headers_of_the_connection_are_dropped_and_redirects_are_converted() {
    let api = FakeApi::new(|heard: &Heard| {
        let to = heard.uri.path().replace("/old", "/new");
        Ok(Response::builder().status(302).header(LOCATION, to).body(Body::empty()).unwrap())
    });
    let web = Api::<Service>::namespaced(&api.client(), "ns").http("web");
    let request = http::Request::get("/old").header(CONNECTION, "close").header(UPGRADE, "h2c");
    // The same through the tower service.
    let response = web.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(
        (response.status(), &response.headers()[LOCATION]),
        (StatusCode::FOUND, &"/new".parse().unwrap())
    );
    let heard = api.heard();
    assert!(!heard[0].headers.contains_key(CONNECTION) && !heard[0].headers.contains_key(UPGRADE));
}
