// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/imagepolicy/v1alpha1`.

mod image_review;
mod image_review_container_spec;
mod image_review_spec;
mod image_review_status;

pub use image_review::ImageReview;
pub use image_review_container_spec::ImageReviewContainerSpec;
pub use image_review_spec::ImageReviewSpec;
pub use image_review_status::ImageReviewStatus;
