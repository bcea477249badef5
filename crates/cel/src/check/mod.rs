//! Types of expressions, found before they are evaluated.

mod overloads;
mod types;

use std::fmt;
use std::sync::Arc;

use crate::Expr;
use crate::lexer::SyntaxError;
use crate::parser::parse_located;
use overloads::NoType;
use types::{fits, joined};

pub use types::Type;

/// Finds the type of an expression, and what in it can't be evaluated.
#[derive(Clone, Debug)]
pub struct Checker {
    variables: Vec<(String, Type)>,
}

/// What is wrong with an expression, in cel-go's words: each fault with its place and the line that it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckError {
    text: String,
    /// Where, by byte, and what.
    faults: Vec<(usize, String)>,
}

impl CheckError {
    /// What is wrong, without where.
    pub fn faults(&self) -> impl Iterator<Item = &str> {
        self.faults.iter().map(|(_, what)| what.as_str())
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (place, what)) in self.faults.iter().enumerate() {
            let before = &self.text[..self.text.floor_char_boundary(*place)];
            let line = before.matches('\n').count();
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
            let shown = self.text.split('\n').nth(line).unwrap_or_default();
            let break_ = if index > 0 { "\n" } else { "" };
            let dots = ".".repeat(column);
            write!(f, "{break_}ERROR: <input>:{}:{}: {what}\n | {shown}\n | {dots}^", line + 1, column + 1)?;
        }
        Ok(())
    }
}

impl std::error::Error for CheckError {}

impl Checker {
    /// With these variables.
    pub fn new<'n>(variables: impl IntoIterator<Item = (&'n str, Type)>) -> Self {
        Self { variables: variables.into_iter().map(|(name, of)| (name.to_owned(), of)).collect() }
    }

    /// The type of what an expression evaluates to.
    pub fn check(&self, text: &str) -> Result<Type, CheckError> {
        let (expr, places) = match parse_located(text) {
            Ok(parsed) => parsed,
            Err(error) => {
                let place = byte_of(text, &error);
                let faults = vec![(place, format!("Syntax error: {}", error.message))];
                return Err(CheckError { text: text.to_owned(), faults });
            }
        };
        let scope = self.variables.clone();
        let mut checking = Checking { scope, places, next: 0, faults: Vec::new() };
        let of = checking.of(&expr);
        if checking.faults.is_empty() {
            return Ok(of);
        }
        checking.faults.sort_by_key(|(place, _)| *place);
        Err(CheckError { text: text.to_owned(), faults: checking.faults })
    }
}

fn byte_of(text: &str, error: &SyntaxError) -> usize {
    let start: usize = text.split('\n').take(error.line.saturating_sub(1)).map(|line| line.len() + 1).sum();
    let rest = text.get(start..).unwrap_or_default();
    start + rest.char_indices().nth(error.column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}

struct Checking {
    /// The innermost is last.
    scope: Vec<(String, Type)>,
    /// Of each node, in the order in which they are looked at: what a node is made of comes before it.
    places: Vec<usize>,
    next: usize,
    faults: Vec<(usize, String)>,
}

impl Checking {
    /// The place of the node that has just been looked at.
    fn place(&mut self) -> usize {
        let place = self.places.get(self.next).copied().unwrap_or_default();
        self.next += 1;
        place
    }

    fn fault(&mut self, place: usize, what: impl Into<String>) -> Type {
        self.faults.push((place, what.into()));
        // What follows from a fault is none of its own.
        Type::Dyn
    }

    /// The type of an expression and where it is.
    fn located(&mut self, expr: &Expr) -> (Type, usize) {
        let of = self.of(expr);
        (of, self.places.get(self.next.saturating_sub(1)).copied().unwrap_or_default())
    }

    fn of(&mut self, expr: &Expr) -> Type {
        let of = match expr {
            Expr::Null => Type::Null,
            Expr::Bool(_) => Type::Bool,
            Expr::Int(_) => Type::Int,
            Expr::Uint(_) => Type::Uint,
            Expr::Double(_) => Type::Double,
            Expr::Text(_) => Type::Text,
            Expr::Bytes(_) => Type::Bytes,
            Expr::Ident(name) => {
                let place = self.place();
                return self.variable(name, place);
            }
            Expr::Select { operand, field, optional } => {
                let operand = self.of(operand);
                let place = self.place();
                return self.select(operand, field, *optional, place);
            }
            Expr::Call { target, function, args } => return self.call(target.as_deref(), function, args),
            Expr::List(items) => return self.list(items),
            Expr::Map(entries) => return self.map(entries),
            Expr::Struct { name, fields } => {
                for (_, value) in fields {
                    self.of(value);
                }
                let place = self.place();
                return self.fault(place, format!("undeclared reference to '{name}' (in container '')"));
            }
        };
        self.place();
        of
    }

    fn find(&self, name: &str) -> Option<&Type> {
        let plain = name.trim_start_matches('.');
        self.scope.iter().rev().find(|(known, _)| known == plain).map(|(_, of)| of)
    }

    fn variable(&mut self, name: &str, place: usize) -> Type {
        const TYPES: [&str; 12] = [
            "bool",
            "int",
            "uint",
            "double",
            "string",
            "bytes",
            "list",
            "map",
            "null_type",
            "type",
            "optional_type",
            "dyn",
        ];
        if let Some(of) = self.find(name) {
            return of.clone();
        }
        if TYPES.contains(&name.trim_start_matches('.')) {
            return Type::Type;
        }
        self.fault(place, format!("undeclared reference to '{name}' (in container '')"))
    }

    fn select(&mut self, operand: Type, field: &str, optional: bool, place: usize) -> Type {
        let (operand, wraps) = match operand {
            Type::Optional(of) => ((*of).clone(), true),
            operand => (operand, optional),
        };
        let of = match operand.field(field) {
            Some(Ok(of)) => of,
            Some(Err(())) => self.fault(place, format!("undefined field '{field}'")),
            None => {
                let what = format!("type '{operand}' does not support field selection");
                self.fault(place, what)
            }
        };
        if wraps { Type::optional(of) } else { of }
    }

    fn list(&mut self, items: &[(Expr, bool)]) -> Type {
        let mut of: Option<Type> = None;
        for (item, optional) in items {
            let (found, place) = self.located(item);
            let found = unwrapped(found, *optional);
            of = Some(self.same(of, found, place));
        }
        self.place();
        Type::list(of.unwrap_or(Type::Dyn))
    }

    fn map(&mut self, entries: &[(Expr, Expr, bool)]) -> Type {
        let (mut keys, mut values): (Option<Type>, Option<Type>) = (None, None);
        for (key, value, optional) in entries {
            let (found, place) = self.located(key);
            keys = Some(self.same(keys, found, place));
            let (found, place) = self.located(value);
            let found = unwrapped(found, *optional);
            values = Some(self.same(values, found, place));
        }
        self.place();
        Type::Map(Arc::new((keys.unwrap_or(Type::Dyn), values.unwrap_or(Type::Dyn))))
    }

    /// The type of what stands beside others, which must be of one type.
    fn same(&mut self, others: Option<Type>, found: Type, place: usize) -> Type {
        match others {
            None => found,
            Some(others) if fits(&others, &found) => joined(&others, &found),
            Some(others) => {
                self.fault(place, format!("expected type '{others}' but found '{found}'"));
                others
            }
        }
    }

    fn call(&mut self, target: Option<&Expr>, function: &str, args: &[Expr]) -> Type {
        match (target, function, args) {
            (None, "_&&_" | "_||_", [a, b]) => {
                for side in [a, b] {
                    self.boolean(side);
                }
                self.place();
                return Type::Bool;
            }
            (None, "has", [Expr::Select { operand, field, optional }]) => {
                let operand = self.of(operand);
                self.place();
                let place = self.place();
                self.select(operand, field, *optional, place);
                return Type::Bool;
            }
            (Some(range), _, [Expr::Ident(variable), rest @ ..]) if is_macro(function, args.len()) => {
                return self.comprehension(range, function, variable, rest);
            }
            _ => {}
        }
        let mut types = Vec::with_capacity(args.len() + 1);
        let mut name = function.trim_start_matches('.').to_owned();
        let mut method = false;
        if let Some(target) = target {
            let library = qualified(target).filter(|of| {
                let first = of.split('.').next().unwrap_or_default();
                self.find(first).is_none() && overloads::is_known(&format!("{of}.{function}"), false)
            });
            if let Some(of) = library {
                name = format!("{of}.{function}");
                // Its nodes are names, not values.
                self.next += nodes(target);
            } else {
                method = true;
                types.push(self.of(target));
            }
        }
        for arg in args {
            types.push(self.of(arg));
        }
        let place = self.place();
        match overloads::resolve(&name, method, &types) {
            Ok(of) => of,
            Err(NoType::Undeclared) => {
                self.fault(place, format!("undeclared reference to '{name}' (in container '')"))
            }
            Err(NoType::NoOverload) => {
                let shown =
                    |types: &[Type]| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let applied = match types.split_first() {
                    Some((target, args)) if method => format!("{target}.({})", shown(args)),
                    _ => format!("({})", shown(&types)),
                };
                self.fault(place, format!("found no matching overload for '{name}' applied to '{applied}'"))
            }
        }
    }

    /// An expression that must be a boolean.
    fn boolean(&mut self, expr: &Expr) {
        let (of, place) = self.located(expr);
        if !fits(&of, &Type::Bool) {
            self.fault(place, format!("expected type 'bool' but found '{of}'"));
        }
    }

    /// `range.all(x, …)` and its kin; with two variables, index or key and value.
    fn comprehension(&mut self, range: &Expr, function: &str, first: &str, rest: &[Expr]) -> Type {
        let (range, range_place) = self.located(range);
        // The variable is a node too, and no value.
        self.next += 1;
        if let "optMap" | "optFlatMap" = function {
            let of = match range {
                Type::Optional(of) => (*of).clone(),
                _ => Type::Dyn,
            };
            let body = self.with(&[(first, of)], |checking| rest.first().map(|body| checking.of(body)));
            self.place();
            let body = body.unwrap_or(Type::Dyn);
            return if function == "optMap" { Type::optional(body) } else { body };
        }
        let (key, value) = match &range {
            Type::List(of) => (Type::Int, (**of).clone()),
            Type::Map(of) => (of.0.clone(), of.1.clone()),
            Type::Dyn => (Type::Dyn, Type::Dyn),
            other => {
                let what = format!(
                    "expression of type '{other}' cannot be range of a comprehension (must be list, map, or dynamic)"
                );
                self.fault(range_place, what);
                (Type::Dyn, Type::Dyn)
            }
        };
        let two = matches!(function, "all" | "exists" | "existsOne" | "exists_one") && rest.len() > 1
            || matches!(function, "transformList" | "transformMap");
        let (bound, bodies) = match rest {
            [Expr::Ident(second), bodies @ ..] if two => {
                self.next += 1;
                (vec![(first, key.clone()), (second.as_str(), value)], bodies)
            }
            // With one variable, a map gives its keys and a list its items.
            bodies => {
                let each = if matches!(range, Type::Map(_)) { key.clone() } else { value };
                (vec![(first, each)], bodies)
            }
        };
        let each = bound.last().map_or(Type::Dyn, |(_, of)| of.clone());
        let body = self.with(&bound, |checking| match (function, bodies) {
            ("map" | "transformList" | "transformMap", [filter, body]) => {
                checking.boolean(filter);
                checking.of(body)
            }
            ("map" | "transformList" | "transformMap", [body]) => checking.of(body),
            (_, bodies) => {
                for body in bodies {
                    checking.boolean(body);
                }
                Type::Bool
            }
        });
        self.place();
        match function {
            "map" | "transformList" => Type::list(body),
            "transformMap" => Type::Map(Arc::new((key, body))),
            "filter" => Type::list(each),
            _ => Type::Bool,
        }
    }

    fn with<T>(&mut self, bound: &[(&str, Type)], look: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.scope.len();
        self.scope.extend(bound.iter().map(|(name, of)| ((*name).to_owned(), of.clone())));
        let found = look(self);
        self.scope.truncate(depth);
        found
    }
}

fn unwrapped(of: Type, optional: bool) -> Type {
    match of {
        Type::Optional(inner) if optional => (*inner).clone(),
        of => of,
    }
}

/// Whether a method of this name with this many arguments is a macro.
fn is_macro(function: &str, args: usize) -> bool {
    match function {
        "all" | "exists" | "existsOne" | "exists_one" | "map" => args == 2 || args == 3,
        "filter" | "optMap" | "optFlatMap" => args == 2,
        "transformList" | "transformMap" => args == 3 || args == 4,
        _ => false,
    }
}

/// A name with dots, if an expression is one.
fn qualified(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Ident(name) => Some(name.clone()),
        Expr::Select { operand, field, optional: false } => Some(format!("{}.{field}", qualified(operand)?)),
        _ => None,
    }
}

/// How many nodes a name with dots has.
fn nodes(expr: &Expr) -> usize {
    match expr {
        Expr::Select { operand, .. } => nodes(operand) + 1,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checker() -> Checker {
        let parts = Type::object("part", [("name", Type::Text), ("size", Type::Int)]);
        let own = Type::object(
            "own",
            [
                ("text", Type::Text),
                ("count", Type::Int),
                ("flag", Type::Bool),
                ("names", Type::list(Type::Text)),
                ("labels", Type::map(Type::Text)),
                ("parts", Type::list(parts)),
                ("port", Type::Dyn),
            ],
        );
        Checker::new([("self", own.clone()), ("oldSelf", own)])
    }

    #[test]
    fn faults_are_told_with_their_places() {
        let told = |text: &str| checker().check(text).unwrap_err().to_string();
        assert_eq!(
            told("self.nope == 1"),
            "ERROR: <input>:1:5: undefined field 'nope'\n | self.nope == 1\n | ....^"
        );
        assert_eq!(
            told("self.names.all(n, n > 1)"),
            "ERROR: <input>:1:21: found no matching overload for '_>_' applied to '(string, int)'\n | \
             self.names.all(n, n > 1)\n | ....................^"
        );
        assert_eq!(
            told("true &&\nself.text.startsWith(1)"),
            "ERROR: <input>:2:21: found no matching overload for 'startsWith' applied to 'string.(int)'\n | \
             self.text.startsWith(1)\n | ....................^"
        );
        assert_eq!(
            told("math.greatest(self.count, 1) > 1"),
            "ERROR: <input>:1:1: undeclared reference to 'math' (in container '')\n | math.greatest(self.count, 1) > 1\n | \
             ^\nERROR: <input>:1:14: undeclared reference to 'greatest' (in container '')\n | math.greatest(self.count, 1) \
             > 1\n | .............^"
        );
    }

    #[test]
    fn types_follow_from_types() {
        let of =
            |text: &str| checker().check(text).map(|of| of.to_string()).map_err(|error| error.to_string());
        for (text, wanted) in [
            ("self.parts.map(p, p.size)", "list(int)"),
            ("self.parts.filter(p, p.size > 1).map(p, p.name).join(',')", "string"),
            ("self.labels.map(k, k)", "list(string)"),
            ("self.port", "dyn"),
            ("self.flag ? 1 : 2", "int"),
            ("self.?count.orValue(1)", "int"),
            ("sets.contains(self.names, ['a'])", "bool"),
            ("ip(self.text).family()", "int"),
            ("format.dns1123Label().validate(self.text)", "optional_type(list(string))"),
            ("self.names.transformList(i, n, i)", "list(int)"),
            ("{'a': [1]}", "map(string, list(int))"),
        ] {
            assert_eq!(of(text), Ok(wanted.to_owned()), "{text}");
        }
    }
}
