// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/authentication/v1beta1`.

mod self_subject_review;
mod self_subject_review_status;
mod token_review;
mod token_review_spec;
mod token_review_status;
mod user_info;

pub use self_subject_review::SelfSubjectReview;
pub use self_subject_review_status::SelfSubjectReviewStatus;
pub use token_review::TokenReview;
pub use token_review_spec::TokenReviewSpec;
pub use token_review_status::TokenReviewStatus;
pub use user_info::UserInfo;
