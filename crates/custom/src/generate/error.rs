//! Errors of the generator.

/// The reason why no code can be generated for a definition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The object is of another kind.
    #[error("expected a CustomResourceDefinition of apiextensions.k8s.io/v1, found {0}")]
    NotADefinition(String),
    /// A required field is missing.
    #[error("{definition}: {path} is missing")]
    Missing {
        /// The definition.
        definition: String,
        /// The path.
        path: &'static str,
    },
    /// A name that no server would accept.
    #[error("{definition}: {path} is {value:?}: {rule}")]
    InvalidName {
        /// The definition.
        definition: String,
        /// The path.
        path: &'static str,
        /// The value.
        value: String,
        /// The rule that the value violates.
        rule: String,
    },
}
