//! Every error prints its cause exactly once, alone and as a chain.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use client_rs_cache::{FetchError, InformerError, Transform};
use client_rs_client::{Call, Error as ClientError, RequestError};
use client_rs_machinery::meta::v1::PartialObjectMetadata;
use client_rs_machinery::{ApiError, ErrorChain, GroupResource};
use client_rs_transport::auth::AuthError;
use client_rs_transport::http::{ConnectError, TransportError};

use crate::{ControllerError, ManagerError, ReconcileError};

const CAUSE: &str = "Connection refused by the test";

fn refused() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionRefused, CAUSE)
}

fn call() -> Call {
    Call::new("PUT", "https://k8s.example/api/v1/namespaces/shop/pods/web")
}

fn unreachable() -> ClientError {
    let error =
        ConnectError::Unreachable { target: "k8s.example:443".to_owned(), error: Arc::new(refused()) };
    ClientError::Transport { call: call(), error: TransportError::Connect(error), previous: None }
}

fn conflict() -> ApiError {
    ApiError::conflict(&GroupResource::new("", "pods"), "web", CAUSE)
}

fn answered() -> ClientError {
    ClientError::Api { call: call(), error: conflict().into() }
}

/// All error types, and ways to wrap them, that contain the cause.
fn all() -> Vec<Box<dyn Error + Send + Sync>> {
    let failing = Transform::<PartialObjectMetadata>::new(|_| Err(Box::new(refused())));
    vec![
        Box::new(conflict()),
        Box::new(answered()),
        Box::new(unreachable()),
        Box::new(ClientError::from(RequestError::Empty(client_rs_client::PathPart::Namespace))),
        Box::new(client_rs_client::wait::WaitError::from(answered())),
        Box::new(FetchError::Api(conflict())),
        Box::new(FetchError::ConnectionRefused(Arc::new(unreachable()))),
        Box::new(FetchError::Disconnected(Arc::new(answered()))),
        Box::new(FetchError::other(answered())),
        Box::new(TransportError::Other(Box::new(refused()))),
        Box::new(TransportError::Credentials(Box::new(AuthError::TokenFile {
            path: "/token".into(),
            error: Arc::new(refused()),
        }))),
        Box::new(failing.apply(PartialObjectMetadata::default()).unwrap_err()),
        Box::new(ControllerError::Source {
            controller: "shops".to_owned(),
            error: InformerError::Panicked { informer: "shops".to_owned(), message: CAUSE.to_owned() },
        }),
        Box::new(ManagerError::Listen {
            endpoint: "health",
            address: "127.0.0.1:1".parse().unwrap(),
            error: refused(),
        }),
        Box::new(ManagerError::Runnable { name: "webhooks".to_owned(), error: Box::new(answered()) }),
        Box::new(ManagerError::Signal(refused())),
    ]
}

#[test]
fn a_text_has_the_whole_cause_and_a_chain_repeats_none() {
    for error in all() {
        let error: &(dyn Error + 'static) = &*error;
        let chain: Vec<String> =
            std::iter::successors(Some(error), |&error| error.source()).map(ToString::to_string).collect();
        let is_request = chain[0].contains("namespace of a request is empty");
        assert!(is_request || chain[0].contains(CAUSE), "the text leaves the cause out: {chain:?}");
        for (index, text) in chain.iter().enumerate() {
            let twice = chain[..index].iter().any(|before| before.contains(text.as_str()));
            assert!(!twice, "printed twice: {chain:?}");
        }
        let joined = ErrorChain(error).to_string();
        assert!(joined.matches(CAUSE).count() <= 1, "printed twice: {joined}");
    }
}

#[test]
fn the_servers_response_is_found_in_errors_that_wrap_it() {
    for error in [
        Box::new(answered()) as Box<dyn Error>,
        Box::new(client_rs_client::wait::WaitError::from(answered())),
        Box::new(FetchError::other(answered())),
    ] {
        assert!(ApiError::find(&*error).is_some_and(ApiError::is_conflict), "{error}");
    }
    let error = ReconcileError::from(answered());
    assert_eq!(error.to_string(), answered().to_string());
    assert!(ApiError::find(error.source()).is_some_and(ApiError::is_conflict));
    assert!(ClientError::Timeout { call: call(), limit: Duration::ZERO, previous: None }.source().is_none());
}
