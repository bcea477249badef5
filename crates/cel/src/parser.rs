//! The parser: from tokens to an expression.

use crate::Expr;
use crate::lexer::{SyntaxError, Token, error_at, tokens};

/// The maximum nesting of parentheses and brackets in a text. cel-go's limit is 250. Rules nest a dozen deep, and
/// this limit fits the stack of every thread.
pub const MAX_DEPTH: usize = 100;

/// The maximum depth of the tree of an expression, as in cel-go. All code that walks a tree relies on it: checks and
/// evaluations of a tree of this depth fit a stack of 2 MiB. Chains of `&&` and of `||` are balanced, so they may be
/// long.
const MAX_TREE_DEPTH: usize = 250;

/// Parses an expression. Macros (`has`, `all`, `map`, …) stay calls; the form of their arguments is checked.
///
/// ```
/// use client_rs_cel::{Expr, parse};
///
/// let Ok(Expr::Call { function, args, .. }) = parse("self.replicas > 0") else { panic!("a comparison") };
/// assert_eq!((function.as_str(), args.len()), ("_>_", 2));
///
/// let error = parse("self.replicas >").unwrap_err();
/// assert_eq!(error.line, 1);
/// ```
///
/// # Errors
///
/// A [`SyntaxError`] with the line and the column, also for a text beyond the limits of the [crate](crate#limits).
pub fn parse(text: &str) -> Result<Expr, SyntaxError> {
    parse_located(text).map(|(expr, _)| expr)
}

/// Parses an expression, and returns the byte offset of each of its nodes: children come before their node.
pub(crate) fn parse_located(text: &str) -> Result<(Expr, Vec<usize>), SyntaxError> {
    let tokens = tokens(text, MAX_TOKENS)?;
    let mut parser = Parser { text, tokens, at: 0, depth: 0, places: Vec::new(), depths: Vec::new() };
    if *parser.peek() == Token::End {
        return Err(parser.error("an empty expression"));
    }
    let expr = parser.expr()?;
    match parser.peek() {
        Token::End => Ok((expr, parser.places)),
        other => Err(parser.error(format!("{other} after the end of the expression"))),
    }
}

/// The maximum number of consecutive operators.
const MAX_IN_A_ROW: usize = 1_000;

/// The maximum number of tokens of an expression.
const MAX_TOKENS: usize = 5_000;

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token, usize)>,
    at: usize,
    depth: usize,
    /// The place of each node, in the order of creation.
    places: Vec<usize>,
    /// The depth of each tree that is not yet part of another.
    depths: Vec<usize>,
}

/// A chain of `&&` or of `||`. It becomes a tree whose depth is the logarithm of its length, as in cel-go.
struct Chain {
    function: &'static str,
    parts: Vec<Part>,
    /// The place of each operator.
    operators: Vec<usize>,
}

/// A part of a chain, with the places of its nodes.
struct Part {
    expr: Expr,
    places: Vec<usize>,
    depth: usize,
}

/// Returns how many trees a node consists of. The name of a structure was also a tree.
fn children(expr: &Expr) -> usize {
    match expr {
        Expr::Select { .. } => 1,
        Expr::Call { target, args, .. } => usize::from(target.is_some()) + args.len(),
        Expr::List(items) => items.len(),
        Expr::Map(entries) => 2 * entries.len(),
        Expr::Struct { fields, .. } => 1 + fields.len(),
        _ => 0,
    }
}

/// Words that no program can use as a name yet.
const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// Whether a program can use a name for a variable.
///
/// ```
/// use client_rs_cel::is_identifier;
///
/// assert!(is_identifier("replicas_1"));
/// assert!(!is_identifier("1st") && !is_identifier("a-b") && !is_identifier(""));
/// // Literals, the operator and reserved words.
/// assert!(!is_identifier("null") && !is_identifier("in") && !is_identifier("while"));
/// ```
pub fn is_identifier(name: &str) -> bool {
    let plain = |letter: char| letter == '_' || letter.is_ascii_alphanumeric();
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(plain)
        && !["true", "false", "null", "in"].contains(&name)
        && !RESERVED.contains(&name)
}

/// The levels of binary operators, from the lowest precedence to the highest.
const LEVELS: [&[(&str, &str)]; 5] = [
    &[("||", "_||_")],
    &[("&&", "_&&_")],
    &[("<", "_<_"), ("<=", "_<=_"), (">=", "_>=_"), (">", "_>_"), ("==", "_==_"), ("!=", "_!=_")],
    &[("+", "_+_"), ("-", "_-_")],
    &[("*", "_*_"), ("/", "_/_"), ("%", "_%_")],
];

impl Parser<'_> {
    /// Returns the place of the next token.
    fn here(&self) -> usize {
        self.tokens[self.at].1
    }

    /// Records the place and the depth of a new node.
    fn made(&mut self, place: usize, expr: Expr) -> Result<Expr, SyntaxError> {
        self.places.push(place);
        self.deepen(place, children(&expr))?;
        Ok(expr)
    }

    /// Combines the last trees into one.
    fn deepen(&mut self, place: usize, children: usize) -> Result<(), SyntaxError> {
        let parts = self.depths.split_off(self.depths.len().saturating_sub(children));
        let depth = parts.into_iter().max().unwrap_or_default() + 1;
        if depth > MAX_TREE_DEPTH {
            let message = format!("expression recursion limit exceeded: {MAX_TREE_DEPTH}");
            return Err(error_at(self.text, place, message));
        }
        self.depths.push(depth);
        Ok(())
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn error(&self, message: impl Into<String>) -> SyntaxError {
        error_at(self.text, self.tokens[self.at].1, message)
    }

    fn bump(&mut self) -> Token {
        let token = self.peek().clone();
        if token != Token::End {
            self.at += 1;
        }
        token
    }

    fn take(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Token::Symbol(next) if *next == symbol);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<(), SyntaxError> {
        if self.take(symbol) {
            return Ok(());
        }
        Err(self.error(format!("'{symbol}' is missing before {}", self.peek())))
    }

    fn expr(&mut self) -> Result<Expr, SyntaxError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(format!("expression recursion limit exceeded: {MAX_DEPTH}")));
        }
        let condition = self.binary(0)?;
        let place = self.here();
        let expr = if self.take("?") {
            let yes = self.binary(0)?;
            self.expect(":")?;
            let no = self.expr()?;
            self.made(place, Expr::operator("_?_:_", vec![condition, yes, no]))?
        } else {
            condition
        };
        self.depth -= 1;
        Ok(expr)
    }

    /// Parses operators of this level and of higher precedence. One frame serves all levels, because nesting costs
    /// stack.
    fn binary(&mut self, loosest: usize) -> Result<Expr, SyntaxError> {
        let start = self.places.len();
        let mut left = self.unary()?;
        let mut chain: Option<Chain> = None;
        let mut count = 0;
        while let Some((level, function)) = self.operator().filter(|(level, _)| *level >= loosest) {
            count += 1;
            if count > MAX_IN_A_ROW {
                return Err(self.error("too many operators in a row"));
            }
            let place = self.here();
            // An operator of lower precedence takes the whole chain as its left side.
            if let Some(before) = chain.take_if(|chain| chain.function != function) {
                left = self.balanced(before, left, start)?;
            }
            self.bump();
            if level < 2 {
                let part = Part { expr: left, places: self.places.split_off(start), depth: self.popped() };
                let chain =
                    chain.get_or_insert_with(|| Chain { function, parts: Vec::new(), operators: Vec::new() });
                chain.parts.push(part);
                chain.operators.push(place);
                left = self.binary(level + 1)?;
            } else {
                let right = self.binary(level + 1)?;
                left = self.made(place, Expr::operator(function, vec![left, right]))?;
            }
        }
        match chain {
            Some(chain) => self.balanced(chain, left, start),
            None => Ok(left),
        }
    }

    fn popped(&mut self) -> usize {
        self.depths.pop().unwrap_or_default()
    }

    /// Turns a chain into a tree. `last` is its last part, whose nodes begin at `start`.
    fn balanced(&mut self, mut chain: Chain, last: Expr, start: usize) -> Result<Expr, SyntaxError> {
        let part = Part { expr: last, places: self.places.split_off(start), depth: self.popped() };
        chain.parts.push(part);
        let mut parts = chain.parts.into_iter();
        self.half(chain.function, &mut parts, &chain.operators)
    }

    /// Builds the tree of the next parts, which are one more than the operators.
    fn half(
        &mut self,
        function: &str,
        parts: &mut std::vec::IntoIter<Part>,
        operators: &[usize],
    ) -> Result<Expr, SyntaxError> {
        if operators.is_empty() {
            // There is one part per operator, and one more.
            let Some(part) = parts.next() else {
                return Err(self.error("an operator without its right side"));
            };
            self.places.extend(part.places);
            self.depths.push(part.depth);
            return Ok(part.expr);
        }
        let middle = operators.len() / 2;
        let left = self.half(function, parts, &operators[..middle])?;
        let right = self.half(function, parts, &operators[middle + 1..])?;
        self.made(operators[middle], Expr::operator(function, vec![left, right]))
    }

    /// Returns the next binary operator, if there is one, and its level.
    fn operator(&self) -> Option<(usize, &'static str)> {
        match self.peek() {
            Token::Symbol(symbol) => LEVELS.iter().enumerate().find_map(|(level, operators)| {
                operators.iter().find(|(known, _)| known == symbol).map(|(_, name)| (level, *name))
            }),
            Token::Ident(word) if word == "in" => Some((2, "@in")),
            _ => None,
        }
    }

    fn unary(&mut self) -> Result<Expr, SyntaxError> {
        let start = self.at;
        let place = self.here();
        let mut count = 0usize;
        while self.take("!") {
            count += 1;
        }
        if count > 0 {
            let inner = self.member()?;
            return if count % 2 == 1 {
                self.made(place, Expr::operator("!_", vec![inner]))
            } else {
                Ok(inner)
            };
        }
        while self.take("-") {
            count += 1;
        }
        // The sign is part of the number: the smallest integer has no positive counterpart.
        if let (1, Token::Int(value)) = (count, self.peek().clone()) {
            let value = 0i64
                .checked_sub_unsigned(value)
                .ok_or_else(|| error_at(self.text, self.tokens[start].1, "invalid int literal"))?;
            self.bump();
            let number = self.made(place, Expr::Int(value))?;
            return self.members(number);
        }
        if let (1, Token::Double(value)) = (count, self.peek().clone()) {
            self.bump();
            let number = self.made(place, Expr::Double(-value))?;
            return self.members(number);
        }
        let inner = self.member()?;
        if count % 2 == 1 { self.made(place, Expr::operator("-_", vec![inner])) } else { Ok(inner) }
    }

    fn member(&mut self) -> Result<Expr, SyntaxError> {
        let primary = self.primary()?;
        self.members(primary)
    }

    fn members(&mut self, mut expr: Expr) -> Result<Expr, SyntaxError> {
        loop {
            let place = self.here();
            if self.take(".") {
                let optional = self.take("?");
                let at = self.tokens[self.at].1;
                let Token::Ident(field) = self.bump() else {
                    return Err(error_at(self.text, at, "a name is missing after '.'"));
                };
                let open = self.here();
                if !optional && self.take("(") {
                    let (args, places) = self.arguments(")")?;
                    self.check_macro(true, &field, &args, &places)?;
                    let call = Expr::Call { target: Some(Box::new(expr)), function: field, args };
                    expr = self.made(open, call)?;
                } else {
                    expr = self.made(place, Expr::Select { operand: Box::new(expr), field, optional })?;
                }
            } else if self.take("[") {
                let optional = self.take("?");
                let index = self.expr()?;
                self.expect("]")?;
                let operator = if optional { "_[?_]" } else { "_[_]" };
                expr = self.made(place, Expr::operator(operator, vec![expr, index]))?;
            } else if matches!(self.peek(), Token::Symbol("{")) && dotted(&expr).is_some() {
                let name = dotted(&expr).unwrap_or_default();
                self.bump();
                expr = self.structure(name)?;
                expr = self.made(place, expr)?;
            } else {
                return Ok(expr);
            }
        }
    }

    fn primary(&mut self) -> Result<Expr, SyntaxError> {
        let start = self.at;
        let place = self.here();
        let expr = match self.bump() {
            Token::Symbol("(") => {
                let inner = self.expr()?;
                self.expect(")")?;
                return Ok(inner);
            }
            Token::Symbol("[") => self.list(),
            Token::Symbol("{") => self.map(),
            Token::Symbol(".") => match self.bump() {
                Token::Ident(name) => return self.named(format!(".{name}"), place),
                other => Err(self.error(format!("{other} after '.'"))),
            },
            Token::Ident(name) => {
                if RESERVED.contains(&name.as_str()) {
                    return Err(error_at(
                        self.text,
                        self.tokens[start].1,
                        format!("reserved identifier: {name}"),
                    ));
                }
                match name.as_str() {
                    "true" => Ok(Expr::Bool(true)),
                    "false" => Ok(Expr::Bool(false)),
                    "null" => Ok(Expr::Null),
                    "in" => Err(error_at(self.text, self.tokens[start].1, "'in' without what is before it")),
                    _ => return self.named(name, place),
                }
            }
            Token::Int(value) => i64::try_from(value)
                .map(Expr::Int)
                .map_err(|_| error_at(self.text, self.tokens[start].1, "invalid int literal")),
            Token::Uint(value) => Ok(Expr::Uint(value)),
            Token::Double(value) => Ok(Expr::Double(value)),
            Token::Text(text) => Ok(Expr::Text(text)),
            Token::Bytes(bytes) => Ok(Expr::Bytes(bytes)),
            other => {
                let message = format!("{other} where a value should be");
                Err(error_at(self.text, self.tokens[start].1, message))
            }
        }?;
        self.made(place, expr)
    }

    fn named(&mut self, name: String, place: usize) -> Result<Expr, SyntaxError> {
        let open = self.here();
        if !self.take("(") {
            return self.made(place, Expr::Ident(name));
        }
        let (args, places) = self.arguments(")")?;
        self.check_macro(false, &name, &args, &places)?;
        self.made(open, Expr::Call { target: None, function: name, args })
    }

    /// Parses arguments, and returns the place of each.
    fn arguments(&mut self, end: &str) -> Result<(Vec<Expr>, Vec<usize>), SyntaxError> {
        let (mut args, mut places) = (Vec::new(), Vec::new());
        if self.take(end) {
            return Ok((args, places));
        }
        loop {
            args.push(self.expr()?);
            places.push(self.places.last().copied().unwrap_or_default());
            if self.take(end) {
                return Ok((args, places));
            }
            self.expect(",")?;
        }
    }

    fn list(&mut self) -> Result<Expr, SyntaxError> {
        let mut items = Vec::new();
        loop {
            if self.take("]") {
                return Ok(Expr::List(items));
            }
            let optional = self.take("?");
            items.push((self.expr()?, optional));
            if !self.take(",") {
                self.expect("]")?;
                return Ok(Expr::List(items));
            }
        }
    }

    fn map(&mut self) -> Result<Expr, SyntaxError> {
        let mut entries = Vec::new();
        loop {
            if self.take("}") {
                return Ok(Expr::Map(entries));
            }
            let optional = self.take("?");
            let key = self.expr()?;
            self.expect(":")?;
            entries.push((key, self.expr()?, optional));
            if !self.take(",") {
                self.expect("}")?;
                return Ok(Expr::Map(entries));
            }
        }
    }

    fn structure(&mut self, name: String) -> Result<Expr, SyntaxError> {
        let mut fields = Vec::new();
        loop {
            if self.take("}") {
                return Ok(Expr::Struct { name, fields });
            }
            let optional = self.take("?");
            let Token::Ident(field) = self.bump() else {
                return Err(self.error("a field's name is missing"));
            };
            self.expect(":")?;
            fields.push((field, self.expr()?, optional));
            if !self.take(",") {
                self.expect("}")?;
                return Ok(Expr::Struct { name, fields });
            }
        }
    }

    /// Checks the form of the arguments of a macro. A call of that name with another number of arguments is an
    /// ordinary call.
    fn check_macro(
        &self,
        method: bool,
        name: &str,
        args: &[Expr],
        places: &[usize],
    ) -> Result<(), SyntaxError> {
        let wrong = |at: usize, message: &str| {
            Err(error_at(self.text, places.get(at).copied().unwrap_or_default(), message))
        };
        if !method {
            return match (name, args) {
                ("has", [arg]) if !matches!(arg, Expr::Select { .. }) => {
                    wrong(0, "invalid argument to has() macro")
                }
                _ => Ok(()),
            };
        }
        if !is_macro(name, args.len()) {
            return Ok(());
        }
        let named = |arg: &Expr| matches!(arg, Expr::Ident(name) if !name.starts_with('.'));
        let two = has_two_variables(name, args.len());
        let message = match name {
            "map" | "filter" | "sortBy" => "argument is not an identifier",
            "optMap" => "optMap() variable name must be a simple identifier",
            "optFlatMap" => "optFlatMap() variable name must be a simple identifier",
            _ => "argument must be a simple name",
        };
        match args {
            [first, ..] if !named(first) => wrong(0, message),
            [_, second, ..] if two && !named(second) => wrong(1, message),
            [Expr::Ident(first), Expr::Ident(second), ..] if two && first == second => {
                wrong(1, &format!("duplicate variable name: {first}"))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a method of this name with this many arguments is a macro.
pub(crate) fn is_macro(function: &str, args: usize) -> bool {
    match function {
        "all" | "exists" | "map" => args == 2 || args == 3,
        "existsOne" => args == 3,
        "exists_one" | "filter" | "optMap" | "optFlatMap" | "sortBy" => args == 2,
        "transformList" | "transformMap" | "transformMapEntry" => args == 3 || args == 4,
        _ => false,
    }
}

/// Whether a macro with this many arguments has one variable for the index or key, and one for the value.
fn has_two_variables(function: &str, args: usize) -> bool {
    match function {
        "all" | "exists" | "existsOne" => args == 3,
        "transformList" | "transformMap" | "transformMapEntry" => true,
        _ => false,
    }
}

/// Splits the arguments behind a macro's first variable: the second variable, if it has one, and the bodies.
pub(crate) fn second_variable<'e>(function: &str, rest: &'e [Expr]) -> (Option<&'e str>, &'e [Expr]) {
    match rest {
        [Expr::Ident(second), bodies @ ..] if has_two_variables(function, rest.len() + 1) => {
            (Some(second), bodies)
        }
        bodies => (None, bodies),
    }
}

/// Returns the dotted name, if the expression consists only of one.
pub(crate) fn dotted(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Ident(name) => Some(name.clone()),
        Expr::Select { operand, field, optional: false } => Some(format!("{}.{field}", dotted(operand)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_definitions_have() {
        for text in [
            "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas",
            "has(self.a) || !has(self.b)",
            "self.items.all(x, x.name.startsWith('a') && size(x.name) > 1)",
            "self.list.exists_one(i, i == 'a') ? true : oldSelf.x != 1.5e3",
            "self.matches(r'^\\d+$')",
            "'a' in self.set && self['b-c'][0] == -9223372036854775808",
            "{'a': 1, 'b': [1, 2u, 0x1F]}.size() == 2",
            "self.map(x, x > 1, x * 2).sum() == 4 // a comment",
            "self.?a.?b.orValue('x') == '' && [?self.?c].size() >= 0",
            "--1 == 1 && !!true && - self.x < 0",
            "\"\"\"a\nb\"\"\" == 'a\\nb' && b'\\xff' != b\"\"",
            "type(self.x) == google.protobuf.Duration{seconds: 1}",
            "self.`a-b` == 1",
        ] {
            parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
    }

    #[test]
    fn a_malformed_expression_reports_its_place() {
        for (text, expected) in [
            ("", "1:1: an empty expression"),
            ("self.a &&", "1:10: the end where a value should be"),
            ("self.a = 1", "1:8: token recognition error at: '='"),
            ("(self.a", "1:8: ')' is missing before the end"),
            ("self.a b", "1:8: 'b' after the end of the expression"),
            ("'abc", "1:5: a text without its end"),
            ("self\n  .", "2:4: a name is missing after '.'"),
            ("has(self)", "1:5: invalid argument to has() macro"),
            ("self.all(1, true)", "1:10: argument must be a simple name"),
            ("self.map(x + 1, true)", "1:12: argument is not an identifier"),
            ("self.all(i, i, true)", "1:13: duplicate variable name: i"),
            ("9223372036854775808", "1:1: invalid int literal"),
            ("for", "1:1: reserved identifier: for"),
            ("'\\q'", "1:3: invalid escape"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), expected, "{text}");
        }
        let deep = "(".repeat(MAX_DEPTH + 1);
        assert!(parse(&deep).unwrap_err().message.contains("recursion limit"));
    }

    #[test]
    fn operators_bind_as_they_should() {
        let Expr::Call { function, args, .. } = parse("1 + 2 * 3 == 7 && true").unwrap() else { panic!() };
        assert_eq!(function, "_&&_");
        assert!(matches!(&args[0], Expr::Call { function, .. } if function == "_==_"));
        assert_eq!(parse("-1").unwrap(), Expr::Int(-1));
        assert_eq!(parse("a.b.c{}").unwrap(), Expr::Struct { name: "a.b.c".to_owned(), fields: vec![] });
    }
}
