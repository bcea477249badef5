//! Why there is no code.

/// A definition that no code can be made of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// It is something else.
    #[error("this is no CustomResourceDefinition of apiextensions.k8s.io/v1 but {0}")]
    NotADefinition(String),
    /// A part that every definition has is missing.
    #[error("{definition}: {path} is missing")]
    Missing {
        /// The definition.
        definition: String,
        /// Where.
        path: &'static str,
    },
    /// A name is none that a server would accept.
    #[error("{definition}: {path} is {value:?}: {rule}")]
    InvalidName {
        /// The definition.
        definition: String,
        /// Where.
        path: &'static str,
        /// What is there.
        value: String,
        /// What must be there.
        rule: String,
    },
}
