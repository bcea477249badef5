//! Installation of definitions on the embedded server, with faults.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::error::Error;
use std::time::Duration;

use client_rs_apiserver::{Effect, Fault, Server, ServerOptions};
use client_rs_custom::crds::{self, InstallError};
use client_rs_custom::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "shop.example.com", version = "v1", kind = "Shop")]
#[resource(crate = client_rs_custom)]
#[schema(crate = client_rs_custom)]
struct ShopSpec {
    size: i32,
}

async fn server() -> Server {
    Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap()
}

fn fault(method: &str, path: &str, effect: Effect) -> Fault {
    Fault::new(effect).method(method).path_contains(path)
}

/// The texts of an error and of its causes.
fn chain(error: &(dyn Error + 'static)) -> Vec<String> {
    std::iter::successors(Some(error), |&error| error.source()).map(ToString::to_string).collect()
}

#[tokio::test(start_paused = true)]
async fn an_error_names_the_request_and_the_cause_once() {
    let server = server().await;
    let rest = server.rest_client().unwrap();
    server.shutdown().await;
    let error = crds::apply(&rest, [Shop::crd()]).await.unwrap_err();
    let texts = chain(&error);
    let text = &texts[0];
    assert!(text.starts_with("can't install the definition shops.shop.example.com: GET "), "{text}");
    assert_eq!(text.matches("the server has stopped").count(), 1, "{text}");
    assert_eq!(texts.len(), 1, "{texts:?}");

    let server = self::server().await;
    server.controls().inject(fault(
        "PATCH",
        "customresourcedefinitions",
        Effect::Status {
            code: 403,
            reason: "Forbidden".into(),
            message: "not for you".into(),
            retry_after_seconds: None,
        },
    ));
    let error = crds::apply(&server.rest_client().unwrap(), [Shop::crd()]).await.unwrap_err();
    let texts = chain(&error);
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert_eq!(texts[0].matches("not for you").count(), 1, "{texts:?}");
}

#[tokio::test(start_paused = true)]
async fn requests_without_a_response_time_out() {
    for (method, path) in [
        ("GET", "customresourcedefinitions"),
        ("PATCH", "customresourcedefinitions"),
        ("GET", "shop.example.com/v1/shops"),
    ] {
        let server = server().await;
        server.controls().inject(fault(method, path, Effect::Freeze));
        let rest = server.rest_client().unwrap();
        let installing = crds::apply(&rest, [Shop::crd()]);
        let outcome = tokio::time::timeout(Duration::from_mins(5), installing).await;
        let error = outcome.unwrap_or_else(|_| panic!("{method} {path}: it has no timeout")).unwrap_err();
        assert!(error.to_string().contains("took longer than"), "{method} {path}: {error}");
        assert_eq!(matches!(error, InstallError::NotServed { .. }), path.contains("/shops"), "{error}");
    }
}
