//! The nodes of a parsed template.

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    /// The steps in braces: each works on the values that the one before picks.
    List(Vec<Node>),
    Text(String),
    Field(String),
    Array([Param; 3]),
    Filter {
        left: Vec<Node>,
        right: Vec<Node>,
        operator: Operator,
    },
    Int(i64),
    Float(f64),
    Bool(bool),
    Wildcard,
    Recursive,
    Union(Vec<Vec<Node>>),
    Identifier(String),
}

/// A number between the colons of brackets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Param {
    pub(super) value: i64,
    /// Whether there is one.
    pub(super) known: bool,
    /// Whether it follows from the one before: the end of `[3]`.
    pub(super) derived: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operator {
    Exists,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    Other(String),
}

impl From<&str> for Operator {
    fn from(text: &str) -> Self {
        match text {
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            "==" => Self::Equal,
            "!=" => Self::NotEqual,
            other => Self::Other(other.to_owned()),
        }
    }
}
