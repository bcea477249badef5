//! Errors of certificates.

use std::io;
use std::path::PathBuf;

/// A certificate could not be obtained or stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// The store contains no certificate.
    #[error("no certificate found: {0}")]
    None(String),
    /// A file of the store is not usable.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// A certificate or a key is not valid, or they do not match. The message contains no part of the key.
    #[error("not a usable certificate and key: {0}")]
    Pair(String),
    /// The request to the server failed.
    #[error(transparent)]
    Request(#[from] crate::Error),
    /// The request was sent, and its result is unknown.
    #[error("{0}")]
    Wait(String),
    /// An approver denied the request.
    #[error("the certificate signing request {name} was denied: {why}")]
    Denied {
        /// The request's name.
        name: String,
        /// The reason and the message of the approver.
        why: String,
    },
    /// The signer failed.
    #[error("the signer failed at the certificate signing request {name}: {why}")]
    Failed {
        /// The request's name.
        name: String,
        /// The reason and the message of the signer.
        why: String,
    },
    /// A key, a signing request or a certificate could not be created.
    #[error("can't create a certificate or a request for one: {0}")]
    Csr(String),
    /// A key could not be read. The message contains no part of it.
    #[error("not a usable key: {0}")]
    Key(String),
    /// The certificates of a server could not be read.
    #[error("can't read the certificates of the server {address}: {why}")]
    Server {
        /// The address, as it was passed.
        address: String,
        /// The cause.
        why: String,
    },
    /// The library of cryptography, or the format, does not support this.
    #[error("not supported: {0}")]
    Unsupported(String),
}

impl CertificateError {
    /// Returns `true` if the server responded, even if it only refused the credentials.
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
