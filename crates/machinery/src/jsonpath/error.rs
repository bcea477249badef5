//! Errors of a path, and of its evaluation.

/// A malformed path, or a path that does not fit the data.
///
/// It shows the path, but only names, types and sizes of the data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonPathError {
    /// An expression has no end.
    #[error("unclosed action")]
    UnclosedAction,
    /// A character that is not allowed there.
    #[error("unrecognized character in action: {0:?}")]
    Character(char),
    /// Two consecutive `..`.
    #[error("invalid multiple recursive descent")]
    Recursive,
    /// A malformed number.
    #[error("cannot parse number {0}")]
    Number(String),
    /// A `[` without its `]`.
    #[error("unterminated array")]
    UnterminatedArray,
    /// The brackets do not contain an index.
    #[error("invalid array index {0}")]
    Index(String),
    /// A `[?(` without its `)]`.
    #[error("unterminated filter")]
    UnterminatedFilter,
    /// An unclosed quote.
    #[error("unterminated quoted string")]
    UnterminatedQuote,
    /// A quoted string with an invalid escape.
    #[error("a quoted string with an invalid escape: {0}")]
    Quote(String),
    /// Filters in filters, beyond the limit.
    #[error("it nests too deep")]
    Depth,
    /// Not a single expression.
    #[error(
        "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{{name1.name2}}' or '{{.name1.name2}}'"
    )]
    Relaxed,
    /// A word that is neither `range` nor `end`.
    #[error("unrecognized identifier {0}")]
    Identifier(String),
    /// An `end` without a `range`.
    #[error("not in range, nothing to end")]
    NotInRange,
    /// The name does not exist.
    #[error("{0} is not found")]
    NotFound(String),
    /// Brackets behind a value that is not an array.
    #[error("{0} is not array or slice")]
    NotAnArray(&'static str),
    /// A filter behind a value that is not an array.
    #[error("{0} is not array or slice and cannot be filtered")]
    NotFilterable(&'static str),
    /// An index beyond the array.
    #[error("array index out of bounds: index {index}, length {length}")]
    OutOfBounds {
        /// The index.
        index: i64,
        /// The array's length.
        length: usize,
    },
    /// A slice that ends before it begins.
    #[error("starting index {0} is greater than ending index {1}")]
    Backwards(i64, i64),
    /// A slice whose step is zero or negative.
    #[error("step must be > 0")]
    Step,
    /// A comparison with several values.
    #[error("can only compare one element at a time")]
    Several,
    /// An unknown operator.
    #[error("unrecognized filter operator {0}")]
    Operator(String),
    /// A comparison of values that can't be compared.
    #[error("incompatible types for comparison")]
    Comparison,
    /// More results than the limit.
    #[error("it picks more than {0} values")]
    TooMany(usize),
}
