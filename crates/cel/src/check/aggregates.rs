//! Literals of lists and maps.

use std::sync::Arc;

use super::cost::{self, Entry, Size};
use super::types::{fits, joined};
use super::{Checking, Found, Type};
use crate::Expr;
use crate::patch_types::{JSON_PATCH, is_patch_type};

impl Checking {
    pub(super) fn list(&mut self, items: &[(Expr, bool)]) -> Found {
        let (mut of, mut cost) = (Same::default(), cost::LIST);
        let mut size = if items.is_empty() { Size::fixed(0) } else { Size::NONE };
        for (item, optional) in items {
            let found = self.of(item);
            cost = cost.saturating_add(found.cost);
            size = size.or(found.size_or_unknown());
            // Only the first item of another type is reported.
            if !of.mixed {
                self.same(&mut of, item, unwrapped(found.of, *optional), found.place);
            }
        }
        let place = self.place();
        let entry = Entry { is_list: true, key: Size::fixed(1), value: size };
        let own = Size::fixed(items.len() as u64);
        Found { size: Some(own), entry: Some(entry), ..Found::new(Type::list(of.of()), place, cost) }
    }

    /// Checks `Name{field: value}`. Only expressions of mutations can create objects.
    pub(super) fn structure(&mut self, name: &str, fields: &[(String, Expr, bool)]) -> Found {
        let plain = name.trim_start_matches('.');
        // The parts of the name are nodes too, but not values.
        self.next += plain.split('.').count();
        let known = self.patch_types && is_patch_type(plain);
        let mut cost = cost::STRUCT;
        for (field, value, optional) in fields {
            let found = self.of(value);
            cost = cost.saturating_add(found.cost);
            if !known || plain != JSON_PATCH {
                continue;
            }
            let given = unwrapped(found.of, *optional);
            match field.as_str() {
                "value" => {}
                "op" | "path" | "from" if fits(&given, &Type::Text) => {}
                "op" | "path" | "from" => {
                    let what = format!(
                        "expected type of field '{field}' is 'string' but provided type is '{given}'"
                    );
                    self.fault(found.place, what);
                }
                _ => drop(self.fault(found.place, format!("undefined field '{field}'"))),
            }
        }
        let place = self.place();
        if !known {
            let of = self.fault(place, format!("undeclared reference to '{name}' (in container '')"));
            return Found::new(of, place, 0);
        }
        Found::new(Type::object(plain, []), place, cost)
    }

    pub(super) fn map(&mut self, entries: &[(Expr, Expr, bool)]) -> Found {
        let (mut keys, mut values) = (Same::default(), Same::default());
        let mut cost = cost::MAP;
        let none = if entries.is_empty() { Size::fixed(0) } else { Size::NONE };
        let (mut key_size, mut value_size) = (none, none);
        for (key, value, optional) in entries {
            let found = self.of(key);
            cost = cost.saturating_add(found.cost);
            key_size = key_size.or(found.size_or_unknown());
            self.same(&mut keys, key, found.of, found.place);
            let found = self.of(value);
            cost = cost.saturating_add(found.cost);
            value_size = value_size.or(found.size_or_unknown());
            self.same(&mut values, value, unwrapped(found.of, *optional), found.place);
        }
        let place = self.place();
        let entry = Entry { is_list: false, key: key_size, value: value_size };
        let own = Size::fixed(entries.len() as u64);
        // The keys of a map cannot be maps or lists. A type that contained them twice would double with each level.
        let key = match keys.of() {
            Type::List(_) | Type::Map(_) | Type::Optional(_) => Type::Dyn,
            key => key,
        };
        let of = Type::Map(Arc::new((key, values.of())));
        Found { size: Some(own), entry: Some(entry), ..Found::new(of, place, cost) }
    }

    /// Takes the type of an item of a literal, whose items should have one type.
    fn same(&mut self, others: &mut Same, expr: &Expr, found: Type, place: usize) {
        // The items of an empty list have any type.
        let empty = match expr {
            Expr::List(items) => items.is_empty(),
            Expr::Map(entries) => entries.is_empty(),
            _ => false,
        };
        match &others.first {
            None => others.first = Some(found),
            Some(first) if *first == found || (empty || others.empty) && fits(first, &found) => {
                others.first = Some(joined(first, &found));
            }
            Some(first) => {
                if self.in_format == 0 {
                    self.later.push((place, format!("expected type '{first}' but found '{found}'")));
                }
                others.mixed = true;
            }
        }
        others.empty = empty;
    }
}

/// The common type of the items of a literal.
#[derive(Default)]
struct Same {
    first: Option<Type>,
    /// Whether the last item was an empty list or map.
    empty: bool,
    mixed: bool,
}

impl Same {
    fn of(self) -> Type {
        self.first.filter(|_| !self.mixed).unwrap_or(Type::Dyn)
    }
}

fn unwrapped(of: Type, optional: bool) -> Type {
    match of {
        Type::Optional(inner) if optional => (*inner).clone(),
        of => of,
    }
}
