// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/admission/v1`.

mod admission_request;
mod admission_response;
mod admission_review;
mod constants;

pub use admission_request::AdmissionRequest;
pub use admission_response::AdmissionResponse;
pub use admission_review::AdmissionReview;
pub use constants::*;
