//! The type checker: types and maximum costs of expressions, before an evaluation.

mod aggregates;
mod cost;
mod literals;
mod macros;
mod overloads;
mod types;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::Expr;
use crate::lexer::SyntaxError;
use crate::parser::{dotted, is_macro, parse_located};
use crate::text::beginning;
use cost::{Entry, Estimate, Size};
use overloads::NoType;
use types::fits;

pub use types::Type;

/// Finds the type of an expression, its mistakes, and its maximum cost.
///
/// ```
/// use client_rs_cel::{Checker, Type};
///
/// let checker = Checker::new([("self", Type::object("Spec", [("min", Type::Int), ("max", Type::Int)]))]);
/// let checked = checker.cost("self.min <= self.max").unwrap();
/// assert_eq!(checked.of, Type::Bool);
/// assert!(checked.cost > 0);
///
/// // Errors have cel-go's messages, with the line and a marker below the place.
/// let error = checker.check("self.min <= 'one'").unwrap_err();
/// assert!(error.to_string().contains("found no matching overload for '_<=_'"));
/// ```
#[derive(Clone, Debug)]
pub struct Checker {
    variables: Vec<(String, Type)>,
    limits: Arc<Limits>,
    patch_types: bool,
}

/// The maximum size of a value and of its parts, which bounds the cost of an expression.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of characters, bytes, items or entries; 0 for types without a size.
    pub max: u64,
    /// The limits of the keys of a map.
    pub keys: Option<Arc<Limits>>,
    /// The limits of the items of a list, or of the values of a map.
    pub items: Option<Arc<Limits>>,
    /// The limits of the fields of an object.
    pub fields: BTreeMap<String, Limits>,
}

/// The facts about an expression that are known before an evaluation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Checked {
    /// The type of the result.
    pub of: Type,
    /// The maximum cost of an evaluation, in the real server's units.
    pub cost: u64,
}

/// The mistakes in an expression, with cel-go's messages: each with its place and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckError {
    text: String,
    /// The byte offset and the message of each.
    faults: Vec<(usize, String)>,
}

impl CheckError {
    /// Returns the messages, without their places.
    pub fn faults(&self) -> impl Iterator<Item = &str> {
        self.faults.iter().map(|(_, what)| what.as_str())
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (place, what)) in self.faults.iter().enumerate() {
            let before = beginning(&self.text, *place);
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
    /// Creates a checker for expressions with these variables.
    pub fn new<'n>(variables: impl IntoIterator<Item = (&'n str, Type)>) -> Self {
        let variables = variables.into_iter().map(|(name, of)| (name.to_owned(), of)).collect();
        Self { variables, limits: Arc::default(), patch_types: false }
    }

    /// Adds a variable.
    pub fn declare(&mut self, name: &str, of: Type) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), of));
    }

    /// Allows the types and functions of mutations: `Object{}`, `JSONPatch{}`, `jsonpatch.escapeKey`.
    ///
    /// ```
    /// use client_rs_cel::{Checker, Type};
    ///
    /// let checker = Checker::new([("object", Type::Dyn)]).with_patch_types();
    /// let of = checker.check("Object{spec: Object.spec{replicas: object.spec.replicas + 1}}").unwrap();
    /// assert_eq!(of.to_string(), "Object");
    /// let of = checker.check("[JSONPatch{op: 'remove', path: '/spec/replicas'}]").unwrap();
    /// assert_eq!(of.to_string(), "list(JSONPatch)");
    /// ```
    #[must_use]
    pub fn with_patch_types(self) -> Self {
        Self { patch_types: true, ..self }
    }

    /// Sets the maximum sizes of each variable.
    #[must_use]
    pub fn with_limits(self, limits: Arc<Limits>) -> Self {
        Self { limits, ..self }
    }

    /// Returns the type of the result of an expression.
    ///
    /// # Errors
    ///
    /// The text is malformed, or a mistake was found.
    pub fn check(&self, text: &str) -> Result<Type, CheckError> {
        self.cost(text).map(|checked| checked.of)
    }

    /// Returns the type of the result of an expression and its maximum cost.
    ///
    /// # Errors
    ///
    /// The text is malformed, or a mistake was found.
    pub fn cost(&self, text: &str) -> Result<Checked, CheckError> {
        let (expr, places) = match parse_located(text) {
            Ok(parsed) => parsed,
            Err(error) => {
                let place = byte_of(text, &error);
                let what = if is_grammar(&error.message) {
                    format!("Syntax error: {}", error.message)
                } else {
                    error.message
                };
                return Err(CheckError { text: text.to_owned(), faults: vec![(place, what)] });
            }
        };
        let scope = self.variables.iter().map(|(name, of)| Variable {
            name: name.clone(),
            of: of.clone(),
            path: vec![name.clone()],
            size: None,
            entry: None,
        });
        let mut checking = Checking {
            scope: scope.collect(),
            limits: Arc::clone(&self.limits),
            places,
            next: 0,
            faults: Vec::new(),
            later: Vec::new(),
            in_format: 0,
            formatted: BTreeMap::new(),
            patch_types: self.patch_types,
        };
        let found = checking.of(&expr);
        // Literals are checked only if all types fit.
        let mut faults = if checking.faults.is_empty() { checking.later } else { checking.faults };
        if faults.is_empty() {
            return Ok(Checked { of: found.of, cost: found.cost });
        }
        faults.sort_by_key(|(place, _)| *place);
        Err(CheckError { text: text.to_owned(), faults })
    }
}

/// Whether the grammar of cel-go would find the mistake, and not a later stage.
fn is_grammar(message: &str) -> bool {
    let other = [
        "reserved identifier",
        "invalid int literal",
        "argument is not an identifier",
        "argument must be a simple name",
        "invalid argument to has() macro",
        "duplicate variable name",
        "optMap()",
        "optFlatMap()",
    ];
    !other.iter().any(|start| message.starts_with(start))
}

fn byte_of(text: &str, error: &SyntaxError) -> usize {
    let start: usize = text.split('\n').take(error.line.saturating_sub(1)).map(|line| line.len() + 1).sum();
    let rest = text.get(start..).unwrap_or_default();
    start + rest.char_indices().nth(error.column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}

/// A variable, and the known facts about its value.
struct Variable {
    name: String,
    of: Type,
    path: Vec<String>,
    size: Option<Size>,
    entry: Option<Entry>,
}

/// The known facts about a part of an expression.
#[derive(Clone, Debug)]
struct Found {
    of: Type,
    place: usize,
    cost: u64,
    /// The path from a variable to it; empty if there is none.
    path: Vec<String>,
    size: Option<Size>,
    entry: Option<Entry>,
    /// The number, if it is a literal.
    literal: Option<i64>,
}

impl Found {
    fn new(of: Type, place: usize, cost: u64) -> Self {
        let size = cost::scalar(&of);
        Self { of, place, cost, path: Vec::new(), size, entry: None, literal: None }
    }

    fn size_or_unknown(&self) -> Size {
        self.size.unwrap_or(Size::UNKNOWN)
    }
}

struct Checking {
    /// The innermost scope comes last.
    scope: Vec<Variable>,
    limits: Arc<Limits>,
    /// The places of the nodes, in the order in which they are checked: children come before their node.
    places: Vec<usize>,
    next: usize,
    faults: Vec<(usize, String)>,
    /// Mistakes that are reported only if there are no others.
    later: Vec<(usize, String)>,
    /// The number of calls of `format` around this node.
    in_format: usize,
    /// The types of nodes inside of such calls, by their number.
    formatted: BTreeMap<usize, Type>,
    /// Whether the types of mutations are known.
    patch_types: bool,
}

impl Checking {
    /// Returns the place of the node that was checked last.
    fn place(&mut self) -> usize {
        let place = self.places.get(self.next).copied().unwrap_or_default();
        self.next += 1;
        place
    }

    fn fault(&mut self, place: usize, what: impl Into<String>) -> Type {
        self.faults.push((place, what.into()));
        // A mistake does not cause further ones: treat the value as dynamic.
        Type::Dyn
    }

    fn of(&mut self, expr: &Expr) -> Found {
        let found = self.find_type(expr);
        if self.in_format > 0 {
            // A node is checked after its children, so it is the last one.
            self.formatted.insert(self.next.saturating_sub(1), found.of.clone());
        }
        found
    }

    fn find_type(&mut self, expr: &Expr) -> Found {
        let (of, size, literal) = match expr {
            Expr::Null => (Type::Null, 1, None),
            Expr::Bool(_) => (Type::Bool, 1, None),
            Expr::Int(value) => (Type::Int, 1, Some(*value)),
            Expr::Uint(_) => (Type::Uint, 1, None),
            Expr::Double(_) => (Type::Double, 1, None),
            Expr::Text(text) => (Type::Text, text.chars().count() as u64, None),
            Expr::Bytes(bytes) => (Type::Bytes, bytes.len() as u64, None),
            Expr::Ident(name) => {
                let place = self.place();
                return self.variable(name, place);
            }
            Expr::Select { operand, field, optional } => {
                if let Some(found) = self.type_named(expr) {
                    return found;
                }
                let operand = self.of(operand);
                let place = self.place();
                return self.select(operand, field, *optional, place);
            }
            Expr::Call { target, function, args } => return self.call(target.as_deref(), function, args),
            Expr::List(items) => return self.list(items),
            Expr::Map(entries) => return self.map(entries),
            Expr::Struct { name, fields } => {
                return self.structure(name, fields);
            }
        };
        let place = self.place();
        Found { size: Some(Size::fixed(size)), literal, ..Found::new(of, place, 0) }
    }

    fn find(&self, name: &str) -> Option<&Variable> {
        let plain = name.trim_start_matches('.');
        self.scope.iter().rev().find(|variable| variable.name == plain)
    }

    fn variable(&mut self, name: &str, place: usize) -> Found {
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
        if let Some(known) = self.find(name) {
            let size = self.limits.size(&known.path).or(cost::scalar(&known.of)).or(known.size);
            let (path, entry) = (known.path.clone(), known.entry);
            return Found { path, size, entry, ..Found::new(known.of.clone(), place, 1) };
        }
        if TYPES.contains(&name.trim_start_matches('.')) {
            return self.named(name, place);
        }
        let of = self.fault(place, format!("undeclared reference to '{name}' (in container '')"));
        Found::new(of, place, 1)
    }

    /// A type, which counts as a variable for the cost.
    fn named(&self, name: &str, place: usize) -> Found {
        let path = vec![name.to_owned()];
        Found { size: self.limits.size(&path), path, ..Found::new(Type::Type, place, 1) }
    }

    /// Looks up a type by a name with dots.
    fn type_named(&mut self, expr: &Expr) -> Option<Found> {
        const TYPES: [&str; 4] =
            ["net.IP", "net.CIDR", "google.protobuf.Timestamp", "google.protobuf.Duration"];
        let name = dotted(expr).filter(|name| TYPES.contains(&name.as_str()))?;
        if self.find(name.split('.').next().unwrap_or_default()).is_some() {
            return None;
        }
        self.next += nodes(expr) - 1;
        let place = self.place();
        Some(self.named(&name, place))
    }

    fn select(&mut self, operand: Found, field: &str, optional: bool, place: usize) -> Found {
        let (inner, wraps) = match &operand.of {
            Type::Optional(of) => ((**of).clone(), true),
            of => (of.clone(), optional),
        };
        let of = match inner.field(field) {
            Some(Ok(of)) => of,
            Some(Err(())) => self.fault(place, format!("undefined field '{field}'")),
            None => {
                let what = format!("type '{inner}' does not support field selection");
                self.fault(place, what)
            }
        };
        let of = if wraps { Type::optional(of) } else { of };
        if optional {
            return Found::new(of, place, operand.cost.saturating_add(1));
        }
        let step = u64::from(matches!(operand.of, Type::Map(_) | Type::Object(_)));
        let mut path = operand.path;
        path.push(field.to_owned());
        let size = self.limits.size(&path).or(cost::scalar(&of));
        Found { path, size, ..Found::new(of, place, operand.cost.saturating_add(step)) }
    }

    fn call(&mut self, target: Option<&Expr>, function: &str, args: &[Expr]) -> Found {
        match (target, function, args) {
            (None, "_&&_" | "_||_", [a, b]) => {
                let cost = self.boolean(a).cost.saturating_add(self.boolean(b).cost);
                let place = self.place();
                return Found::new(Type::Bool, place, cost);
            }
            (None, "has", [Expr::Select { operand, field, optional }]) => {
                let operand = self.of(operand);
                let cost = operand.cost;
                self.place();
                let place = self.place();
                self.select(operand, field, *optional, place);
                return Found::new(Type::Bool, place, cost);
            }
            (Some(range), _, [Expr::Ident(variable), rest @ ..]) if is_macro(function, args.len()) => {
                return self.comprehension(range, function, variable, rest);
            }
            _ => {}
        }
        let mut founds = Vec::with_capacity(args.len() + 1);
        let mut name = function.trim_start_matches('.').to_owned();
        let mut method = false;
        let format = usize::from(function == "format" && target.is_some());
        self.in_format += format;
        if let Some(target) = target {
            let library = dotted(target).filter(|of| {
                let first = of.split('.').next().unwrap_or_default();
                self.find(first).is_none()
                    && (self.patch_types || first != "jsonpatch")
                    && overloads::is_known(&format!("{of}.{function}"), false)
            });
            if let Some(of) = library {
                name = format!("{of}.{function}");
                // Its nodes are names, not values.
                self.next += nodes(target);
            } else {
                method = true;
                founds.push(self.of(target));
            }
        }
        for arg in args {
            founds.push(self.of(arg));
        }
        self.in_format -= format;
        let place = self.place();
        let types: Vec<Type> = founds.iter().map(|found| found.of.clone()).collect();
        match overloads::resolve(&name, method, &types) {
            Ok((of, fitting)) => {
                self.literals(target, &name, args, &founds, place);
                self.called(&name, method, of, &fitting, &founds, place)
            }
            Err(NoType::Undeclared) => {
                let what = format!("undeclared reference to '{name}' (in container '')");
                Found::new(self.fault(place, what), place, 0)
            }
            Err(NoType::NoOverload) => {
                let shown =
                    |types: &[Type]| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let applied = match types.split_first() {
                    Some((target, args)) if method => format!("{target}.({})", shown(args)),
                    _ => format!("({})", shown(&types)),
                };
                let what = format!("found no matching overload for '{name}' applied to '{applied}'");
                Found::new(self.fault(place, what), place, 0)
            }
        }
    }

    /// Returns the cost of a call of one of these functions, and the size of its result.
    fn called(
        &self,
        name: &str,
        method: bool,
        of: Type,
        fitting: &[&overloads::Overload],
        args: &[Found],
        place: usize,
    ) -> Found {
        let sum = args.iter().fold(0_u64, |sum, arg| sum.saturating_add(arg.cost));
        match (name, args) {
            ("dyn", [arg]) => {
                let (size, entry) = (arg.size, arg.entry);
                return Found { size, entry, ..Found::new(of, place, sum.saturating_add(1)) };
            }
            ("_?_:_", [condition, yes, no]) => {
                let size = Some(yes.size_or_unknown().or(no.size_or_unknown()));
                let entry = yes.entry.zip(no.entry).map(|(yes, no)| yes.or(no));
                let cost = condition.cost.saturating_add(yes.cost.max(no.cost));
                return Found { size, entry, ..Found::new(of, place, cost) };
            }
            _ => {}
        }
        let mut found = Found::new(of, place, 0);
        let mut size: Option<Size> = None;
        for overload in fitting {
            let Estimate { cost, size: given, entry } =
                cost::call(name, method, overload, args, &self.limits);
            found.cost = found.cost.max(cost);
            found.entry = entry.or(found.entry);
            size = match (size, given) {
                (Some(size), Some(given)) => Some(size.or(given)),
                (size, given) => size.or(given),
            };
            let step = match (name, overload.params.first()) {
                ("_[_]", Some(overloads::Pattern::List(_))) => Some("@items"),
                ("_[_]", Some(overloads::Pattern::Map(..))) => Some("@values"),
                _ => None,
            };
            if let Some(step) = step {
                size = args[0].entry.map(|entry| entry.value);
                found.path = args[0].path.iter().cloned().chain([step.to_owned()]).collect();
            }
            size = size.or_else(|| self.limits.size(&found.path)).or_else(|| cost::scalar(&found.of));
        }
        found.cost = found.cost.saturating_add(sum);
        Found { size, ..found }
    }

    /// Checks an expression that must be a boolean.
    fn boolean(&mut self, expr: &Expr) -> Found {
        let found = self.of(expr);
        if !fits(&found.of, &Type::Bool) {
            self.fault(found.place, format!("expected type 'bool' but found '{}'", found.of));
        }
        found
    }
}

/// Counts the nodes of a name with dots.
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
    fn faults_are_reported_with_their_places() {
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
