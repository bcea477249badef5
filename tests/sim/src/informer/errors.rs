//! Faults as errors of the client.

use std::io;
use std::sync::Arc;

use client_rs_cache::FetchError;
use client_rs_machinery::{ApiError, CauseType, ErrorCause, ErrorDetails, ErrorStatus, StatusReason};

use crate::history::Fault;

/// Returns the error of the server; `None` for a fault of the network.
pub(super) fn api(fault: Fault) -> Option<ApiError> {
    Some(match fault {
        Fault::Busy => ApiError::too_many_requests("", 1),
        Fault::Internal => ApiError::internal_error(""),
        Fault::Unavailable => ApiError::service_unavailable(""),
        Fault::Expired => ApiError::resource_expired(""),
        Fault::TooLarge => ApiError::new(ErrorStatus {
            code: 504,
            reason: StatusReason::Timeout,
            details: Some(ErrorDetails {
                causes: vec![ErrorCause {
                    cause_type: CauseType::ResourceVersionTooLarge,
                    ..ErrorCause::default()
                }]
                .into(),
                ..ErrorDetails::default()
            }),
            ..ErrorStatus::default()
        }),
        Fault::Refused | Fault::Eof | Fault::Cut => return None,
    })
}

/// Returns the error of a request.
pub(super) fn fetch(fault: Fault) -> FetchError {
    match (fault, api(fault)) {
        (_, Some(error)) => error.into(),
        (Fault::Refused, _) => FetchError::ConnectionRefused(Arc::new(Refused)),
        (Fault::Eof, _) => FetchError::Eof,
        _ => FetchError::Disconnected(Arc::new(io::Error::from(io::ErrorKind::ConnectionReset))),
    }
}

/// The address refuses connections.
#[derive(Debug)]
struct Refused;

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("connection refused")
    }
}

impl std::error::Error for Refused {}
