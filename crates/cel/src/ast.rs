//! The syntax tree of an expression.

/// An expression. Operators are calls of functions with cel-go's names: `_+_`, `_&&_`, `!_`, `_?_:_`, `_[_]`, `@in`.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A signed number.
    Int(i64),
    /// A number that ends in `u`.
    Uint(u64),
    /// A number with a point or an exponent.
    Double(f64),
    /// A text.
    Text(String),
    /// A text with a `b` before it.
    Bytes(Vec<u8>),
    /// A variable. A leading dot is part of the name.
    Ident(String),
    /// `operand.field`; with `optional`, `operand.?field`.
    Select {
        /// The value that contains the field.
        operand: Box<Expr>,
        /// The field.
        field: String,
        /// Whether an absent field is not an error.
        optional: bool,
    },
    /// `function(args)`, or `target.function(args)`.
    Call {
        /// The expression before the dot.
        target: Option<Box<Expr>>,
        /// The function.
        function: String,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `[a, ?b]`: each item, and whether it is left out if absent.
    List(Vec<(Expr, bool)>),
    /// `{a: b}`: each key and value, and whether it is left out if absent.
    Map(Vec<(Expr, Expr, bool)>),
    /// `Name{field: value}`.
    Struct {
        /// The type.
        name: String,
        /// Fields and values, and whether each is left out if absent.
        fields: Vec<(String, Expr, bool)>,
    },
}

impl Expr {
    pub(crate) fn operator(function: &str, args: Vec<Expr>) -> Self {
        Self::Call { target: None, function: function.to_owned(), args }
    }
}
