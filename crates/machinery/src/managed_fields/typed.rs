//! Values seen through their type: checked, compared, merged, and cut down to a set of fields.

use std::collections::BTreeMap;

use super::path::compare as compare_values;
use super::schema::{Form, ListRule, ListType, MapType, Scalar, TypeRef};
use super::set::Node;
use super::{FieldSet, PathElement};
use crate::{Json, Map, Quantity, Str};

/// What does not fit a type, in the API server's words.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TypeErrors(Vec<TypeError>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct TypeError {
    path: String,
    message: String,
}

/// How two values of a type differ.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Comparison {
    /// What only the first has.
    pub removed: FieldSet,
    /// What both have, with another value.
    pub modified: FieldSet,
    /// What only the second has.
    pub added: FieldSet,
}

impl TypeRef<'_> {
    /// Checks that a value fits the type. An associative list may hold an item twice only where `duplicates` says so:
    /// what is stored may, what is applied may not.
    pub fn validate(self, value: &Json, duplicates: bool) -> Result<(), TypeErrors> {
        let mut errors = Vec::new();
        Validate { duplicates, errors: &mut errors }.value(self, value, &mut String::new());
        TypeErrors(errors).into_result()
    }

    /// Every field that a value has: what a manager owns that applies it.
    pub fn fields_of(self, value: &Json) -> FieldSet {
        let mut set = FieldSet::EMPTY;
        collect(self, value, &mut Vec::new(), &mut set);
        set
    }

    /// How `new` differs from `old`.
    pub fn compare(self, old: &Json, new: &Json) -> Result<Comparison, TypeErrors> {
        let mut walk = Compare { found: Comparison::default(), path: Vec::new(), errors: Vec::new() };
        walk.value(self, Some(old), Some(new));
        TypeErrors(walk.errors).into_result()?;
        Ok(walk.found)
    }

    /// What is there with what is applied laid over it: nothing is removed.
    pub fn merge(self, live: &Json, applied: &Json) -> Result<Json, TypeErrors> {
        let mut walk = Merge { path: String::new(), errors: Vec::new() };
        let merged = walk.value(self, Some(live), Some(applied));
        TypeErrors(walk.errors).into_result()?;
        Ok(merged.unwrap_or_default())
    }

    /// The value with its amounts as the API server writes them: `1000m` is `1`. What is no amount stays.
    #[must_use]
    pub fn with_canonical_quantities(self, value: &Json) -> Json {
        match (self.form(Some(value)), value) {
            (Form::Scalar(Scalar::Quantity), Json::Str(text)) => match Quantity::parse(text) {
                Ok(amount) => amount.as_str().into(),
                Err(_) => value.clone(),
            },
            (Form::List(list), Json::List(items)) => {
                let item = self.other(list.item);
                items.iter().map(|value| item.with_canonical_quantities(value)).collect()
            }
            (Form::Map(map), Json::Map(entries)) => {
                let entries = entries.iter().map(|(key, value)| {
                    let value = match map.entry(key) {
                        Some(entry) => self.other(entry).with_canonical_quantities(value),
                        None => value.clone(),
                    };
                    (key.clone(), value)
                });
                Json::Map(entries.collect())
            }
            _ => value.clone(),
        }
    }

    /// The value without the fields of a set.
    pub fn remove(self, value: &Json, fields: &FieldSet) -> Json {
        removed(self, value, fields)
    }

    /// The set with every field that a type names and that has something below it in the set: such a field goes and
    /// comes with what is in it.
    pub(super) fn with_named_fields(self, set: &FieldSet) -> FieldSet {
        let map = self.as_map();
        let nodes = set.nodes().iter().map(|node| {
            let named = match &node.element {
                PathElement::Field(name) => {
                    !node.children.is_empty() && map.is_some_and(|map| map.field(name).is_some())
                }
                _ => false,
            };
            let below = match &node.element {
                PathElement::Field(name) => map.and_then(|map| map.entry(name)),
                PathElement::Key(_) => self.as_list().map(|list| list.item),
                _ => None,
            };
            Node {
                element: node.element.clone(),
                member: node.member || named,
                children: match below {
                    Some(ty) => self.other(ty).with_named_fields(&node.children),
                    None => node.children.clone(),
                },
            }
        });
        FieldSet::of_nodes(nodes.collect())
    }

    /// The set where the type has become atomic since it was made: who owned a part owns the whole.
    pub(super) fn reconciled(self, set: &FieldSet) -> FieldSet {
        let nodes = set.nodes().iter().map(|node| {
            let below = match &node.element {
                PathElement::Field(name) => self.as_map().and_then(|map| map.entry(name)),
                PathElement::Key(_) | PathElement::Value(_) => self.as_list().map(|list| list.item),
                PathElement::Index(_) => None,
            };
            let Some(ty) = below.map(|ty| self.other(ty)) else { return node.clone() };
            let own = ty.form(None);
            let atomic = match own {
                Form::Map(map) => map.atomic && !map.is_deduced(),
                Form::List(list) => list.is_atomic(),
                Form::Scalar(_) => false,
            };
            if atomic && !node.children.is_empty() {
                return Node { element: node.element.clone(), member: true, children: FieldSet::EMPTY };
            }
            Node {
                element: node.element.clone(),
                member: node.member,
                children: ty.reconciled(&node.children),
            }
        });
        FieldSet::of_nodes(nodes.collect())
    }
}

/// The element by which an item of an associative list is known.
fn element_of(ty: TypeRef<'_>, list: &ListType, item: &Json) -> Result<PathElement, String> {
    let keys = match &list.rule {
        ListRule::Atomic => return Err("invalid indexing of non-associative list".to_owned()),
        ListRule::Set => {
            let what = match item {
                Json::Map(_) => "associative list without keys has an element that's a map type",
                Json::List(_) => "not supported: associative list with lists as elements",
                Json::Null => "associative list without keys has an element that's an explicit null",
                value => return Ok(PathElement::Value(value.clone())),
            };
            return Err(what.to_owned());
        }
        ListRule::Map(keys) => keys,
    };
    let fields = match item {
        Json::Map(fields) => fields,
        Json::Null => return Err("associative list with keys may not have a null element".to_owned()),
        _ => return Err("associative list with keys may not have non-map elements".to_owned()),
    };
    let item_type = ty.other(list.item).as_map();
    let mut found: Vec<(Str, Json)> = Vec::with_capacity(keys.len());
    for key in keys.iter() {
        let default = || {
            let text = item_type?.field(key)?.default.as_deref()?;
            Json::parse(text.as_bytes()).ok()
        };
        if let Some(value) = fields.get(key).cloned().or_else(default) {
            found.push((key.as_ref().into(), value));
        }
    }
    if found.is_empty() {
        let keys: Vec<String> = keys.iter().map(|key| crate::quote::Quoted(key).to_string()).collect();
        return Err(format!(
            "associative list with keys has an element that omits all key fields [{}] (and doesn't have default values \
             for any key fields)",
            keys.join(" ")
        ));
    }
    Ok(PathElement::key(found))
}

fn as_items(value: Option<&Json>) -> Option<&[Json]> {
    value.and_then(Json::as_list).map(|list| list.as_slice())
}

fn is_empty_map(map: Option<&Map<Json>>) -> bool {
    map.is_none_or(Map::is_empty)
}

// ---------------------------------------------------------------------------------------------------------------------

struct Validate<'e> {
    duplicates: bool,
    errors: &'e mut Vec<TypeError>,
}

impl Validate<'_> {
    fn value(&mut self, ty: TypeRef<'_>, value: &Json, path: &mut String) {
        match ty.form(Some(value)) {
            Form::Scalar(scalar) => self.errors.extend(check_scalar(scalar, value, path)),
            Form::List(list) => match value {
                Json::List(items) => self.items(ty, list, items, path),
                Json::Null => {}
                other => self.wrong(path, format!("expected list, got {}", GoValue(other))),
            },
            Form::Map(map) => match value {
                Json::Map(entries) => self.entries(ty, map, entries, path),
                Json::Null => {}
                other => self.wrong(path, format!("expected map, got {}", GoValue(other))),
            },
        }
    }

    fn items(&mut self, ty: TypeRef<'_>, list: &ListType, items: &[Json], path: &mut String) {
        let mut seen: Vec<PathElement> = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let element = if list.is_atomic() {
                PathElement::Index(i64::try_from(at).unwrap_or(i64::MAX))
            } else {
                match element_of(ty, list, item) {
                    Ok(element) => element,
                    Err(why) => return self.wrong(path, format!("element {at}: {why}")),
                }
            };
            if !list.is_atomic() {
                match seen.binary_search(&element) {
                    Ok(_) if !self.duplicates => {
                        self.wrong(path, format!("duplicate entries for key {element}"));
                    }
                    Ok(_) => {}
                    Err(place) => seen.insert(place, element.clone()),
                }
            }
            self.below(ty.other(list.item), item, &element, path);
        }
    }

    fn entries(&mut self, ty: TypeRef<'_>, map: &MapType, entries: &Map<Json>, path: &mut String) {
        for (key, value) in entries {
            let element = PathElement::Field(key.clone());
            let Some(entry) = map.entry(key) else {
                // The real server looks no further here.
                return self.wrong(&format!("{path}{element}"), "field not declared in schema".to_owned());
            };
            self.below(ty.other(entry), value, &element, path);
        }
    }

    fn below(&mut self, ty: TypeRef<'_>, value: &Json, element: &PathElement, path: &mut String) {
        let length = path.len();
        path.push_str(&element.to_string());
        self.value(ty, value, path);
        path.truncate(length);
    }

    fn wrong(&mut self, path: &str, message: String) {
        self.errors.push(TypeError { path: path.to_owned(), message });
    }
}

fn check_scalar(scalar: Scalar, value: &Json, path: &str) -> Option<TypeError> {
    let message = match (scalar, value) {
        (_, Json::Null)
        | (Scalar::Number, Json::Int(_) | Json::Float(_))
        | (Scalar::String, Json::Str(_))
        | (Scalar::Boolean, Json::Bool(_))
        | (Scalar::Any | Scalar::Quantity, Json::Int(_) | Json::Float(_) | Json::Str(_) | Json::Bool(_)) => {
            return None;
        }
        (Scalar::Number, other) => format!("expected numeric (int or float), got {}", go_type(other)),
        (Scalar::String, other) => {
            format!("expected string, got &value.valueUnstructured{{Value:{}}}", go_syntax(other))
        }
        (Scalar::Boolean, other) => format!("expected boolean, got {}", GoValue(other)),
        (Scalar::Any | Scalar::Quantity, other) => format!("expected any scalar, got {}", GoValue(other)),
    };
    Some(TypeError { path: path.to_owned(), message })
}

/// What Go calls the type of a value.
fn go_type(value: &Json) -> &'static str {
    match value {
        Json::Null => "<nil>",
        Json::Bool(_) => "bool",
        Json::Int(_) => "int64",
        Json::Float(_) => "float64",
        Json::Str(_) => "string",
        Json::List(_) => "[]interface {}",
        Json::Map(_) => "map[string]interface {}",
    }
}

/// A value in Go's own syntax.
fn go_syntax(value: &Json) -> String {
    match value {
        Json::Null => "interface {}(nil)".to_owned(),
        Json::Str(text) => crate::quote::Quoted(text).to_string(),
        Json::List(items) => {
            let items: Vec<String> = items.iter().map(go_syntax).collect();
            format!("[]interface {{}}{{{}}}", items.join(", "))
        }
        Json::Map(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{}:{}", crate::quote::Quoted(key), go_syntax(value)))
                .collect();
            format!("map[string]interface {{}}{{{}}}", entries.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

/// A value as Go prints one.
struct GoValue<'v>(&'v Json);

impl std::fmt::Display for GoValue<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        fn plain(value: &Json) -> String {
            match value {
                Json::Null => "<nil>".to_owned(),
                Json::Str(text) => text.to_string(),
                Json::List(items) => format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(" ")),
                Json::Map(entries) => {
                    let entries = entries.iter().map(|(key, value)| format!("{key}:{}", plain(value)));
                    format!("map[{}]", entries.collect::<Vec<_>>().join(" "))
                }
                scalar => scalar.to_string(),
            }
        }
        write!(f, "&{{{}}}", plain(self.0))
    }
}

// ---------------------------------------------------------------------------------------------------------------------

fn collect(ty: TypeRef<'_>, value: &Json, path: &mut Vec<PathElement>, set: &mut FieldSet) {
    match ty.form(Some(value)) {
        Form::Scalar(_) => set.insert(path),
        Form::List(list) if list.is_atomic() => set.insert(path),
        Form::Map(map) if map.atomic => set.insert(path),
        Form::List(list) => {
            let items = as_items(Some(value)).unwrap_or_default();
            let elements = items.iter().filter_map(|item| Some((element_of(ty, list, item).ok()?, item)));
            let mut groups: BTreeMap<PathElement, Vec<&Json>> = BTreeMap::new();
            for (element, item) in elements {
                groups.entry(element).or_default().push(item);
            }
            for (element, items) in groups {
                path.push(element);
                // An item that is there twice is owned as one.
                if let [item] = items.as_slice() {
                    collect(ty.other(list.item), item, path, set);
                }
                set.insert(path);
                path.pop();
            }
        }
        Form::Map(map) => {
            for (key, value) in value.as_map().into_iter().flatten() {
                let Some(entry) = map.entry(key) else { continue };
                path.push(PathElement::Field(key.clone()));
                collect(ty.other(entry), value, path, set);
                let empty = value.is_null() || value.as_map().is_some_and(Map::is_empty);
                if empty || map.field(key).is_none() {
                    set.insert(path);
                }
                path.pop();
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------

struct Compare {
    found: Comparison,
    path: Vec<PathElement>,
    errors: Vec<TypeError>,
}

impl Compare {
    fn value(&mut self, ty: TypeRef<'_>, old: Option<&Json>, new: Option<&Json>) {
        let (form_old, form_new) = (ty.form(old), ty.form(new));
        let leaf = match (old, new) {
            (_, None) => self.form(ty, form_old, old, new),
            (None, _) => self.form(ty, form_new, old, new),
            _ if form_old.is_that_of(form_new) => self.form(ty, form_new, old, new),
            _ => {
                self.form(ty, form_old, old, new);
                self.form(ty, form_new, old, new)
            }
        };
        if !leaf {
            match (old, new) {
                (None, _) => self.found.added.insert(&self.path),
                (_, None) => self.found.removed.insert(&self.path),
                _ => {}
            }
        }
    }

    /// True where the values were compared as one.
    fn form(&mut self, ty: TypeRef<'_>, form: Form<'_>, old: Option<&Json>, new: Option<&Json>) -> bool {
        match form {
            Form::Scalar(scalar) => {
                let wrong = |value: Option<&Json>, side| {
                    let error = check_scalar(scalar, value?, "")?;
                    Some(TypeError { message: format!("{side}: {}", error.message), ..error })
                };
                if let (Some(left), Some(right)) = (wrong(old, "lhs"), wrong(new, "rhs")) {
                    let path: String = self.path.iter().map(ToString::to_string).collect();
                    let at = |error: TypeError| TypeError { path: path.clone(), ..error };
                    self.errors.extend([at(left), at(right)]);
                    return false;
                }
                self.leaf(old, new);
                true
            }
            Form::List(list) => {
                let (left, right) = (as_items(old), as_items(new));
                if list.is_atomic()
                    || left.unwrap_or_default().is_empty() && right.unwrap_or_default().is_empty()
                {
                    self.leaf(old, new);
                    return true;
                }
                self.items(ty, list, left.unwrap_or_default(), right.unwrap_or_default());
                false
            }
            Form::Map(map) => {
                let (left, right) = (old.and_then(Json::as_map), new.and_then(Json::as_map));
                if map.atomic || is_empty_map(left) && is_empty_map(right) {
                    self.leaf(old, new);
                    return true;
                }
                for (key, left, right) in zipped(left, right) {
                    self.path.push(PathElement::Field(key.clone()));
                    match map.entry(key) {
                        Some(entry) => self.value(ty.other(entry), left, right),
                        None => self.undeclared(),
                    }
                    self.path.pop();
                }
                false
            }
        }
    }

    fn undeclared(&mut self) {
        let path = self.path.iter().map(ToString::to_string).collect();
        self.errors.push(TypeError { path, message: "field not declared in schema".to_owned() });
    }

    fn leaf(&mut self, old: Option<&Json>, new: Option<&Json>) {
        match (old, new) {
            (None, _) => self.found.added.insert(&self.path),
            (_, None) => self.found.removed.insert(&self.path),
            (Some(old), Some(new)) => {
                if old != new && compare_values(old, new).is_ne() {
                    self.found.modified.insert(&self.path);
                }
            }
        }
    }

    fn items(&mut self, ty: TypeRef<'_>, list: &ListType, old: &[Json], new: &[Json]) {
        let mut groups: BTreeMap<PathElement, (Vec<&Json>, Vec<&Json>)> = BTreeMap::new();
        for (second, items) in [(false, old), (true, new)] {
            for (at, item) in items.iter().enumerate() {
                match element_of(ty, list, item) {
                    Ok(element) => {
                        let group = groups.entry(element).or_default();
                        if second { group.1.push(item) } else { group.0.push(item) }
                    }
                    Err(why) => {
                        let path = self.path.iter().map(ToString::to_string).collect();
                        self.errors.push(TypeError { path, message: format!("element {at}: {why}") });
                    }
                }
            }
        }
        let item_type = ty.other(list.item);
        for (element, (old, new)) in groups {
            self.path.push(element);
            match (old.as_slice(), new.as_slice()) {
                ([] | [_], [] | [_]) => self.value(item_type, old.first().copied(), new.first().copied()),
                // What is there twice is compared as one.
                ([_, _, ..], [_, _, ..]) => {
                    if old != new {
                        self.found.modified.insert(&self.path);
                    }
                }
                ([_, _, ..], _) => {
                    if let Some(new) = new.first() {
                        self.value(item_type, None, Some(new));
                    }
                    self.found.removed.insert(&self.path);
                }
                (_, _) => {
                    if let Some(old) = old.first() {
                        self.value(item_type, Some(old), None);
                    }
                    self.found.added.insert(&self.path);
                }
            }
            self.path.pop();
        }
    }
}

/// The entries of two objects, by key.
fn zipped<'v>(
    left: Option<&'v Map<Json>>,
    right: Option<&'v Map<Json>>,
) -> impl Iterator<Item = (&'v Str, Option<&'v Json>, Option<&'v Json>)> {
    let mut entries: BTreeMap<&Str, (Option<&Json>, Option<&Json>)> = BTreeMap::new();
    for (key, value) in left.into_iter().flatten() {
        entries.entry(key).or_default().0 = Some(value);
    }
    for (key, value) in right.into_iter().flatten() {
        entries.entry(key).or_default().1 = Some(value);
    }
    entries.into_iter().map(|(key, (left, right))| (key, left, right))
}

// ---------------------------------------------------------------------------------------------------------------------

struct Merge {
    path: String,
    errors: Vec<TypeError>,
}

impl Merge {
    fn value(&mut self, ty: TypeRef<'_>, live: Option<&Json>, applied: Option<&Json>) -> Option<Json> {
        let form = if applied.is_none() { ty.form(live) } else { ty.form(applied) };
        match form {
            Form::Scalar(_) => applied.or(live).cloned(),
            Form::List(list) => {
                let (left, right) = (as_items(live), as_items(applied));
                if list.is_atomic()
                    || left.unwrap_or_default().is_empty() && right.unwrap_or_default().is_empty()
                {
                    return applied.or(live).cloned();
                }
                self.items(ty, list, left.unwrap_or_default(), right.unwrap_or_default())
            }
            Form::Map(map) => {
                let (left, right) = (live.and_then(Json::as_map), applied.and_then(Json::as_map));
                if map.atomic || is_empty_map(left) && is_empty_map(right) {
                    return applied.or(live).cloned();
                }
                let mut merged = Vec::new();
                for (key, left, right) in zipped(left, right) {
                    let length = self.path.len();
                    self.path.push('.');
                    self.path.push_str(key);
                    match map.entry(key) {
                        Some(entry) => {
                            let value = self.value(ty.other(entry), left, right);
                            merged.extend(value.map(|value| (key.clone(), value)));
                        }
                        None => self.wrong("field not declared in schema".to_owned()),
                    }
                    self.path.truncate(length);
                }
                (!merged.is_empty()).then(|| Json::Map(merged.into_iter().collect()))
            }
        }
    }

    /// Merges two lists of items that are known by their elements. What both have comes in the order of what is applied;
    /// what only one has keeps its place among its neighbours as far as that goes.
    fn items(&mut self, ty: TypeRef<'_>, list: &ListType, live: &[Json], applied: &[Json]) -> Option<Json> {
        let right = self.index(ty, list, applied, false)?;
        let left = self.index(ty, list, live, true)?;
        let mut shared = right.elements.iter().filter(|element| left.by_element.contains_key(*element));
        let mut next_shared = shared.next();
        let mut merged_right: std::collections::BTreeSet<&PathElement> = std::collections::BTreeSet::new();
        let mut out = Vec::with_capacity(live.len().max(applied.len()));
        let item_type = ty.other(list.item);
        let (mut at_left, mut at_right) = (0, 0);
        while at_left < left.elements.len() || at_right < right.elements.len() {
            if let (Some(one), Some(two)) = (left.elements.get(at_left), right.elements.get(at_right)) {
                if one == two {
                    merged_right.insert(two);
                    out.extend(self.item(item_type, one, left.get(one), right.get(two)));
                    (at_left, at_right) = (at_left + 1, at_right + 1);
                    next_shared = shared.next();
                    continue;
                }
                let wanted_later = next_shared.is_some_and(|next| next != one);
                if right.by_element.contains_key(one) && wanted_later {
                    // Both have it, but it is not its turn yet.
                    at_left += 1;
                    continue;
                }
            }
            if let Some(one) = left.elements.get(at_left) {
                if !right.by_element.contains_key(one) {
                    // By its place: of an item that is there twice, each is kept.
                    out.extend(self.item(item_type, one, live.get(at_left), None));
                    at_left += 1;
                    continue;
                }
                if merged_right.contains(one) {
                    at_left += 1;
                }
            }
            if let Some(two) = right.elements.get(at_right) {
                merged_right.insert(two);
                out.extend(self.item(item_type, two, left.get(two), right.get(two)));
                at_right += 1;
                if next_shared == Some(two) {
                    next_shared = shared.next();
                }
            }
        }
        (!out.is_empty()).then(|| out.into())
    }

    fn item(
        &mut self,
        ty: TypeRef<'_>,
        element: &PathElement,
        live: Option<&Json>,
        applied: Option<&Json>,
    ) -> Option<Json> {
        let length = self.path.len();
        self.path.push_str(&element.to_string());
        let merged = self.value(ty, live, applied);
        self.path.truncate(length);
        merged
    }

    /// The items by their elements; `None` where they can't be told apart.
    fn index<'v>(
        &mut self,
        ty: TypeRef<'_>,
        list: &ListType,
        items: &'v [Json],
        duplicates: bool,
    ) -> Option<Index<'v>> {
        let before = self.errors.len();
        let mut index = Index { elements: Vec::with_capacity(items.len()), by_element: BTreeMap::new() };
        for (at, item) in items.iter().enumerate() {
            match element_of(ty, list, item) {
                Err(why) => self.wrong(format!("element {at}: {why}")),
                Ok(element) => {
                    if index.by_element.contains_key(&element) {
                        if !duplicates {
                            self.wrong(format!("duplicate entries for key {element}"));
                            continue;
                        }
                        // Which of them would be merged with is not to be told: none is.
                        index.by_element.insert(element.clone(), &NOTHING);
                    } else {
                        index.by_element.insert(element.clone(), item);
                    }
                    index.elements.push(element);
                }
            }
        }
        (self.errors.len() == before).then_some(index)
    }

    fn wrong(&mut self, message: String) {
        self.errors.push(TypeError { path: self.path.clone(), message });
    }
}

static NOTHING: Json = Json::Null;

struct Index<'v> {
    elements: Vec<PathElement>,
    by_element: BTreeMap<PathElement, &'v Json>,
}

impl<'v> Index<'v> {
    fn get(&self, element: &PathElement) -> Option<&'v Json> {
        self.by_element.get(element).copied()
    }
}

// ---------------------------------------------------------------------------------------------------------------------

/// What is left of a value; `null` where that is nothing.
fn removed(ty: TypeRef<'_>, value: &Json, fields: &FieldSet) -> Json {
    match (ty.form(Some(value)), value) {
        (Form::Scalar(_), _) => value.clone(),
        (Form::List(list), Json::List(items)) if !list.is_atomic() && !items.is_empty() => {
            let mut kept = Vec::with_capacity(items.len());
            for item in items {
                let Ok(element) = element_of(ty, list, item) else {
                    kept.push(item.clone());
                    continue;
                };
                if fields.has_member(&element) {
                    continue;
                }
                kept.push(match fields.below(&element) {
                    Some(below) => removed(ty.other(list.item), item, below),
                    None => item.clone(),
                });
            }
            if kept.is_empty() { Json::Null } else { kept.into() }
        }
        (Form::Map(map), Json::Map(entries)) if !map.atomic && !entries.is_empty() => {
            let mut kept = Vec::with_capacity(entries.len());
            for (key, value) in entries {
                let element = PathElement::Field(key.clone());
                if fields.has_member(&element) {
                    continue;
                }
                let value = match (fields.below(&element), map.entry(key)) {
                    (Some(below), Some(entry)) => removed(ty.other(entry), value, below),
                    _ => value.clone(),
                };
                kept.push((key.clone(), value));
            }
            if kept.is_empty() { Json::Null } else { Json::Map(kept.into_iter().collect()) }
        }
        _ => Json::Null,
    }
}

impl TypeErrors {
    fn into_result(self) -> Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl std::fmt::Display for TypeErrors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let one = |error: &TypeError| match error.path.as_str() {
            "" => error.message.clone(),
            path => format!("{path}: {}", error.message),
        };
        match self.0.as_slice() {
            [error] => f.write_str(&one(error)),
            errors => {
                f.write_str("errors:")?;
                errors.iter().try_for_each(|error| write!(f, "\n  {}", one(error)))
            }
        }
    }
}

impl std::error::Error for TypeErrors {}
