// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/authorization/v1`.

mod field_selector_attributes;
mod label_selector_attributes;
mod local_subject_access_review;
mod non_resource_attributes;
mod non_resource_rule;
mod resource_attributes;
mod resource_rule;
mod self_subject_access_review;
mod self_subject_access_review_spec;
mod self_subject_rules_review;
mod self_subject_rules_review_spec;
mod subject_access_review;
mod subject_access_review_spec;
mod subject_access_review_status;
mod subject_rules_review_status;

pub use field_selector_attributes::FieldSelectorAttributes;
pub use label_selector_attributes::LabelSelectorAttributes;
pub use local_subject_access_review::LocalSubjectAccessReview;
pub use non_resource_attributes::NonResourceAttributes;
pub use non_resource_rule::NonResourceRule;
pub use resource_attributes::ResourceAttributes;
pub use resource_rule::ResourceRule;
pub use self_subject_access_review::SelfSubjectAccessReview;
pub use self_subject_access_review_spec::SelfSubjectAccessReviewSpec;
pub use self_subject_rules_review::SelfSubjectRulesReview;
pub use self_subject_rules_review_spec::SelfSubjectRulesReviewSpec;
pub use subject_access_review::SubjectAccessReview;
pub use subject_access_review_spec::SubjectAccessReviewSpec;
pub use subject_access_review_status::SubjectAccessReviewStatus;
pub use subject_rules_review_status::SubjectRulesReviewStatus;
