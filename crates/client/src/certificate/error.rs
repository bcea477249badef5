//! What goes wrong with certificates.

use std::io;
use std::path::PathBuf;

/// A certificate that could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// There is none in the store.
    #[error("there is no certificate: {0}")]
    None(String),
    /// A file of the store can't be used.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A certificate or a key makes no sense, or they do not belong together. Says nothing of the key.
    #[error("not a usable certificate and key: {0}")]
    Pair(String),
    /// The server could not be asked, or said no.
    #[error(transparent)]
    Request(#[from] crate::Error),
    /// The server was asked, and what came of it can't be known.
    #[error("{0}")]
    Wait(String),
    /// Somebody said no.
    #[error("the certificate signing request {name} was denied: {why}")]
    Denied {
        /// The request's name.
        name: String,
        /// What they said.
        why: String,
    },
    /// The signer failed.
    #[error("the signer failed at the certificate signing request {name}: {why}")]
    Failed {
        /// The request's name.
        name: String,
        /// What it said.
        why: String,
    },
    /// A key or a request could not be made.
    #[error("no certificate signing request can be made: {0}")]
    Csr(String),
}

impl CertificateError {
    /// Whether the server is there and has said something, if only that it does not know us.
    pub fn is_answer(&self) -> bool {
        match self {
            Self::Request(error) => error.api().is_some_and(|error| matches!(error.code(), 401 | 403 | 404)),
            Self::Denied { .. } | Self::Failed { .. } => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::{ApiError, GroupResource};

    use super::*;
    use crate::Call;

    #[test]
    fn t8_3_05_a_refusal_is_an_answer_and_a_server_error_is_not() {
        let requests = GroupResource::new("certificates.k8s.io", "certificatesigningrequests");
        let refused = |error: ApiError| {
            CertificateError::Request(crate::Error::Api { call: Call::new("POST", "/"), error: error.into() })
                .is_answer()
        };
        assert!(refused(ApiError::unauthorized("who are you?")));
        assert!(refused(ApiError::forbidden(&requests, "", "not you")));
        assert!(refused(ApiError::not_found(&requests, "csr-1")));
        assert!(!refused(ApiError::internal_error("broken")));
        assert!(!refused(ApiError::service_unavailable("later")));
        assert!(!CertificateError::Wait("no answer".to_owned()).is_answer());
    }
}
