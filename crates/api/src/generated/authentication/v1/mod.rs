// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/authentication/v1`.

mod bound_object_reference;
mod self_subject_review;
mod self_subject_review_status;
mod token_request;
mod token_request_spec;
mod token_request_status;
mod token_review;
mod token_review_spec;
mod token_review_status;
mod user_info;

pub use bound_object_reference::BoundObjectReference;
pub use self_subject_review::SelfSubjectReview;
pub use self_subject_review_status::SelfSubjectReviewStatus;
pub use token_request::TokenRequest;
pub use token_request_spec::TokenRequestSpec;
pub use token_request_status::TokenRequestStatus;
pub use token_review::TokenReview;
pub use token_review_spec::TokenReviewSpec;
pub use token_review_status::TokenReviewStatus;
pub use user_info::UserInfo;
