//! Authentication, authorization, and flow control.

mod attributes;
mod authority;
mod bootstrap;
mod certificates;
mod escalation;
pub(crate) mod flow;
mod gate;
mod key_pair;
mod keys;
mod pem;
mod permissions;
mod random;
mod rbac;
mod rule;
mod tokens;
mod x509;

pub(crate) use attributes::{Attributes, ResourceAttributes};
pub(crate) use authority::{Authority, CertificateRequest, to_pem as certificate_to_pem};
pub(crate) use bootstrap::create as create_bootstrap_roles;
pub(crate) use certificates::{AnyCertificate, user as certificate_user};
pub(crate) use escalation::check as check_escalation;
pub use gate::Access;
pub(crate) use gate::Gate;
pub(crate) use permissions::PermissionLog;
pub use permissions::{Permission, RECORD_PERMISSIONS};
pub(crate) use random::token as new_token;
pub(crate) use rbac::Rbac;
pub use tokens::TokenOptions;
pub(crate) use tokens::Tokens;
