//! Types and costs of macros.
//!
//! cel-go expands a macro to a loop with an accumulator. The costs here are those of the bodies plus those of that
//! loop.

use std::sync::Arc;

use super::cost::{self, Entry, LIST, MAP, Size};
use super::types::fits;
use super::{Checking, Found, Type, Variable, overloads};
use crate::Expr;
use crate::parser::second_variable;

impl Checking {
    /// Checks `range.all(x, …)` and similar macros; with two variables, the index or key and the value.
    pub(super) fn comprehension(
        &mut self,
        range: &Expr,
        function: &str,
        first: &str,
        rest: &[Expr],
    ) -> Found {
        let range = self.of(range);
        // The variable is also a node, but not a value.
        self.next += 1;
        match (function, rest) {
            ("optMap" | "optFlatMap", [body]) => return self.optional(&range, function, first, body),
            ("sortBy", [key]) => return self.sort_by(range, first, key),
            _ => {}
        }
        let (second, bodies) = second_variable(function, rest);
        self.next += usize::from(second.is_some());
        let bound = self.bound(&range, first, second);
        let (key, item) = (bound[0].of.clone(), bound[0].size_now(self));
        let depth = self.scope.len();
        self.scope.extend(bound);
        let filter = match bodies {
            [filter, _] => Some(self.of(filter)),
            _ => None,
        };
        let mut body = match bodies.last() {
            Some(body) if matches!(function, "all" | "exists") => self.boolean(body),
            Some(body) => self.of(body),
            None => Found::new(Type::Dyn, range.place, 0),
        };
        self.scope.truncate(depth);
        let place = self.place();
        if function == "transformMapEntry" && !matches!(body.of, Type::Map(_) | Type::Dyn) {
            let applied = format!("(map(dyn, dyn), {})", body.of);
            let what = format!("found no matching overload for 'cel.@mapInsert' applied to '{applied}'");
            body.of = self.fault(place, what);
        }
        let of = match function {
            "map" | "transformList" => Type::list(body.of.clone()),
            "filter" => Type::list(key),
            "transformMap" => Type::Map(Arc::new((key, body.of.clone()))),
            "transformMapEntry" => body.of.clone(),
            _ => Type::Bool,
        };
        // A condition decides which items are kept or counted.
        let condition = match function {
            "filter" | "exists_one" | "existsOne" => Some(body.of.clone()),
            _ => filter.as_ref().map(|filter| filter.of.clone()),
        };
        if let Some(condition) = condition.filter(|condition| !fits(condition, &Type::Bool)) {
            let kept = if of == Type::Bool { Type::Int } else { of.clone() };
            let applied = format!("({condition}, {kept}, {kept})");
            self.fault(place, format!("found no matching overload for '_?_:_' applied to '{applied}'"));
        }
        let own = match function {
            "all" | "transformMap" => 3,
            "exists" => 4,
            "filter" => 3 + LIST,
            "map" | "transformList" => 2 + LIST,
            _ => 2,
        };
        let step = body.cost.saturating_add(own);
        let step = step.saturating_add(filter.map_or(0, |filter| filter.cost));
        let count = range.size_or_unknown();
        let (start, end) = match function {
            "map" | "filter" | "transformList" => (LIST, 1),
            "transformMap" | "transformMapEntry" => (MAP, 1),
            "exists_one" | "existsOne" => (0, 2),
            _ => (0, 1),
        };
        let cost = range.cost.saturating_add(start + end).saturating_add(count.max.saturating_mul(step));
        let grown = |size: Size| Entry { is_list: true, key: Size::fixed(1), value: Size::fixed(0).or(size) };
        let entry = match function {
            "map" | "transformList" => Some(grown(body.size_or_unknown())),
            "filter" => Some(grown(item.unwrap_or(Size::UNKNOWN))),
            "transformMap" | "transformMapEntry" => None,
            _ => return Found::new(of, place, cost),
        };
        Found { size: Some(count), entry, ..Found::new(of, place, cost) }
    }

    /// Returns the variables of a loop over a range.
    fn bound(&mut self, range: &Found, first: &str, second: Option<&str>) -> Vec<Variable> {
        let (key, value) = match &range.of {
            Type::List(of) => (Type::Int, (**of).clone()),
            Type::Map(of) => (of.0.clone(), of.1.clone()),
            Type::Dyn => (Type::Dyn, Type::Dyn),
            other => {
                let what = format!(
                    "expression of type '{other}' cannot be range of a comprehension (must be list, map, or dynamic)"
                );
                self.fault(range.place, what);
                (Type::Dyn, Type::Dyn)
            }
        };
        let is_list = range.entry.map_or(matches!(range.of, Type::List(_)), |entry| entry.is_list);
        let variable = |name: &str, of: Type, step: &str, size: Option<Size>| Variable {
            name: name.to_owned(),
            of,
            path: range.path.iter().cloned().chain([step.to_owned()]).collect(),
            size,
            entry: None,
        };
        let keys = range.entry.map(|entry| entry.key);
        let values = range.entry.map(|entry| entry.value);
        match second {
            Some(second) => vec![
                variable(first, key, if is_list { "@indices" } else { "@keys" }, keys),
                variable(second, value, if is_list { "@items" } else { "@values" }, values),
            ],
            // With one variable, a map yields its keys and a list its items.
            None if is_list => vec![variable(first, value, "@items", values)],
            None => {
                let of = if matches!(range.of, Type::Map(_)) { key } else { value };
                vec![variable(first, of, "@keys", keys)]
            }
        }
    }

    fn optional(&mut self, range: &Found, function: &str, first: &str, body: &Expr) -> Found {
        let of = match &range.of {
            Type::Optional(of) => (**of).clone(),
            _ => Type::Dyn,
        };
        let size = cost::scalar(&of);
        self.scope.push(Variable { name: first.to_owned(), of, path: Vec::new(), size, entry: None });
        let body = self.of(body);
        self.scope.pop();
        let place = self.place();
        // An existing value is bound to a name: a loop over nothing.
        let inner = range.cost.saturating_add(1 + LIST).saturating_add(body.cost);
        let (of, yes, size) = if function == "optMap" {
            let of = Type::optional(body.of);
            let size = cost::scalar(&of);
            (of, inner.saturating_add(1), size)
        } else {
            (body.of, inner, body.size)
        };
        let cost = range.cost.saturating_add(1).saturating_add(yes.max(1));
        let size = Some(size.unwrap_or(Size::UNKNOWN).or(cost::scalar(&of).unwrap_or(Size::UNKNOWN)));
        Found { size, ..Found::new(of, place, cost) }
    }

    fn sort_by(&mut self, range: Found, first: &str, key: &Expr) -> Found {
        let faults = self.faults.len();
        let bound = self.bound(&range, first, None);
        let ranges = self.faults.len() == faults;
        let depth = self.scope.len();
        self.scope.extend(bound);
        let key = self.of(key);
        self.scope.truncate(depth);
        let place = self.place();
        // The range belongs to another loop, which has the place of the macro.
        for (at, _) in self.faults.iter_mut().skip(faults).take(usize::from(!ranges)) {
            *at = place;
        }
        let is_list = matches!(range.of, Type::List(_) | Type::Dyn);
        if !is_list || !(key.of == Type::Dyn || overloads::is_compared(&key.of)) {
            let of = if ranges { key.of.to_string() } else { "!error!".to_owned() };
            let applied = format!("{}.(list({of}))", range.of);
            let what =
                format!("found no matching overload for '@sortByAssociatedKeys' applied to '{applied}'");
            return Found::new(self.fault(place, what), place, 0);
        }
        let count = range.size_or_unknown();
        let each = key.cost.saturating_add(2 + LIST);
        let keys = count.max.saturating_mul(each).saturating_add(2 + LIST);
        let sorted = cost::sorted(&Type::list(key.of), count);
        let cost = range.cost.saturating_add(1 + LIST).saturating_add(keys).saturating_add(sorted.cost);
        Found { size: sorted.size, ..Found::new(range.of, place, cost) }
    }
}

impl Variable {
    /// Returns its possible sizes at the place of use.
    fn size_now(&self, checking: &Checking) -> Option<Size> {
        checking.limits.size(&self.path).or(cost::scalar(&self.of)).or(self.size)
    }
}
