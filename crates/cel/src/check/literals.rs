//! Literals that functions cannot parse: reported when an expression is checked, not when it is evaluated.

use super::{Checking, Found, Type};
use crate::Expr;
use crate::clause::{Clause, Verb, clauses};

impl Checking {
    /// Checks the literals among the arguments of a call whose types fit.
    pub(super) fn literals(
        &mut self,
        target: Option<&Expr>,
        name: &str,
        args: &[Expr],
        founds: &[Found],
        place: usize,
    ) {
        match (target, name, args) {
            (_, "duration" | "timestamp" | "matches", [Expr::Text(text), ..]) => {
                let method = usize::from(founds.len() > args.len());
                if let Some(found) = founds.get(method).filter(|_| !is_readable(name, text)) {
                    self.later.push((found.place, format!("invalid {name} argument")));
                }
            }
            (Some(Expr::Text(text)), "format", [Expr::List(items)]) => {
                // Children come before their node: the items precede the list, which precedes the call.
                self.format(text, items, place);
            }
            _ => {}
        }
    }

    fn format(&mut self, text: &str, items: &[(Expr, bool)], place: usize) {
        let (types, places) = self.parts_of(items);
        let mut at = place;
        let read = clauses(text, items.len(), &mut |piece| {
            let Clause::Argument { index, verb } = piece else { return Ok(()) };
            if let Some((bad, of)) = unwritable(&items[index].0, &types[index], &places[index], verb) {
                at = bad;
                return Err(format!("error during formatting: {}, was given {of}", verb.refusal()));
            }
            Ok(())
        });
        match read {
            Ok(used) if items.len() > used => {
                let count = items.len();
                let what =
                    format!("too many arguments supplied to string.format (expected {used}, got {count})");
                self.later.push((place, what));
            }
            Ok(_) => {}
            Err(why) => self.later.push((at, why)),
        }
    }

    /// Returns the types and places of the parts of each item of the list that was checked last.
    fn parts_of(&self, items: &[(Expr, bool)]) -> (Vec<Vec<Type>>, Vec<Vec<usize>>) {
        // The call and the list have been checked; the items precede them.
        let nodes: usize = items.iter().map(|(item, _)| count(item)).sum();
        let mut next = self.next.saturating_sub(2 + nodes);
        let mut found = (Vec::new(), Vec::new());
        for (item, _) in items {
            let mut parts = Vec::new();
            self.parts(item, &mut next, &mut parts);
            let (types, places) = parts.into_iter().unzip();
            found.0.push(types);
            found.1.push(places);
        }
        found
    }

    /// Collects an item and the parts of a literal list or map in it. Children come before their node.
    fn parts(&self, item: &Expr, next: &mut usize, parts: &mut Vec<(Type, usize)>) {
        let own = match item {
            Expr::List(items) => {
                for (item, _) in items {
                    self.parts(item, next, parts);
                }
                *next += 1;
                Some(Type::list(Type::Dyn))
            }
            Expr::Map(entries) => {
                for (key, value, _) in entries {
                    self.parts(key, next, parts);
                    self.parts(value, next, parts);
                }
                *next += 1;
                Some(Type::map(Type::Dyn))
            }
            item => {
                *next += count(item);
                None
            }
        };
        let node = next.saturating_sub(1);
        let of = own.or_else(|| self.formatted.get(&node).cloned()).unwrap_or(Type::Dyn);
        parts.push((of, self.places.get(node).copied().unwrap_or_default()));
    }
}

/// Counts the nodes of an expression.
fn count(expr: &Expr) -> usize {
    1 + match expr {
        Expr::Select { operand, .. } => count(operand),
        Expr::Call { target, args, .. } => {
            target.as_deref().map_or(0, count) + args.iter().map(count).sum::<usize>()
        }
        Expr::List(items) => items.iter().map(|(item, _)| count(item)).sum(),
        Expr::Map(entries) => entries.iter().map(|(key, value, _)| count(key) + count(value)).sum(),
        Expr::Struct { name, fields } => {
            let names = name.trim_start_matches('.').split('.').count();
            names + fields.iter().map(|(_, value, _)| count(value)).sum::<usize>()
        }
        _ => 0,
    }
}

/// Returns the first part of an item that the verb cannot print: its place and its type.
fn unwritable(item: &Expr, types: &[Type], places: &[usize], verb: Verb) -> Option<(usize, String)> {
    let whole = types.len().checked_sub(1)?;
    let parts = if verb == Verb::Text && matches!(item, Expr::List(_) | Expr::Map(_)) { 0 } else { whole };
    (parts..types.len())
        .find(|at| !is_writable(&types[*at], verb))
        .map(|at| (places[at], type_name(&types[at])))
}

fn is_writable(of: &Type, verb: Verb) -> bool {
    let number = matches!(of, Type::Int | Type::Uint);
    *of == Type::Dyn
        || match verb {
            Verb::Text => !matches!(of, Type::Object(_) | Type::Optional(_) | Type::Library(_)),
            Verb::Decimal | Verb::Octal => number,
            Verb::Fixed(_) | Verb::Scientific => matches!(of, Type::Double | Type::Text),
            Verb::Binary => number || *of == Type::Bool,
            Verb::Hex(_) => number || matches!(of, Type::Text | Type::Bytes),
        }
}

/// Returns the name of a type without its parameters.
fn type_name(of: &Type) -> String {
    match of {
        Type::List(_) => "list".to_owned(),
        Type::Map(_) => "map".to_owned(),
        Type::Optional(_) => "optional_type".to_owned(),
        Type::Null => "null_type".to_owned(),
        Type::Duration => "google.protobuf.Duration".to_owned(),
        Type::Timestamp => "google.protobuf.Timestamp".to_owned(),
        of => of.to_string(),
    }
}

/// Whether a function can parse a text. Without the feature `evaluate` this is unknown, and counts as true.
#[cfg(feature = "evaluate")]
fn is_readable(function: &str, text: &str) -> bool {
    match function {
        "duration" => crate::functions::duration(text).is_some(),
        "timestamp" => crate::functions::timestamp(text).is_some(),
        _ => crate::go::pattern(text).is_ok(),
    }
}

#[cfg(not(feature = "evaluate"))]
fn is_readable(_: &str, _: &str) -> bool {
    true
}
