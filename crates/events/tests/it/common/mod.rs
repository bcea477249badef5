//! Helpers for the tests of both event APIs.

use client_rs_client::{Call, Error};
use client_rs_events::Clock;
use client_rs_machinery::{ApiError, ServerResponse, Time};
use client_rs_transport::http::TransportError;
use tokio::time::Instant;

/// Follows tokio's clock from this second on.
pub(crate) fn clock(from: i64) -> Clock {
    let begin = Instant::now();
    Clock::new(move || Time::new(from, 0).unwrap().checked_add(begin.elapsed().into()).unwrap())
}

pub(crate) fn api_error(code: u16) -> Error {
    let response = ServerResponse { code, verb: "POST", ..ServerResponse::default() };
    Error::Api {
        call: Call::new("POST", "https://k8s.example"),
        error: ApiError::from_response(&response).into(),
    }
}

pub(crate) fn transport_error() -> Error {
    let error = TransportError::Other(std::io::Error::other("no route").into());
    Error::Transport { call: Call::new("POST", "https://k8s.example"), error, previous: None }
}
