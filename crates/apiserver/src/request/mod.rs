//! The parts of a request: user, target and options.

mod path;
mod query;
mod user;

pub(crate) use path::{Route, Target, percent_decoded};
pub(crate) use query::{FieldValidation, ListOptions, Query, invalid};
pub use user::User;
pub(crate) use user::{
    ANONYMOUS, AUTHENTICATED, CREDENTIAL_ID, MASTERS, UNAUTHENTICATED, service_account_groups, texts,
};
