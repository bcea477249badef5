// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/authentication/v1alpha1`.

mod self_subject_review;
mod self_subject_review_status;

pub use self_subject_review::SelfSubjectReview;
pub use self_subject_review_status::SelfSubjectReviewStatus;
