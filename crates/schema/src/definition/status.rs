//! The status of a definition: its names and its conditions.

use client_rs_machinery::{FieldError, Json, Str, Time, Unstructured, collections::VecMap, json};

use super::spec::names_errors as check_names;
use super::{at, list};

/// The finalizer of a definition that is removed after its objects are gone.
pub const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

/// The names of a custom resource.
///
/// In a definition's spec they are requested, in its status they are accepted. [`decide`](Self::decide) computes the
/// accepted ones.
///
/// ```
/// use client_rs_machinery::{Unstructured, json};
/// use client_rs_schema::definition::Names;
///
/// let object: Unstructured = json!({
///     "kind": "CustomResourceDefinition",
///     "spec": {"names": {"plural": "webs", "singular": "web", "kind": "Web", "listKind": "WebList"}},
/// })
/// .try_into()
/// .unwrap();
/// // Another definition of the group has the plural name.
/// let (names, refused) =
///     Names::decide(&Names::asked(&object), &Names::accepted(&object), &["webs".into()], &[]);
/// assert_eq!((&*names.plural, &*names.kind), ("", "Web"));
/// assert_eq!(refused.unwrap().0, "PluralConflict");
/// ```
// Named like the fields of a definition.
#[allow(clippy::struct_field_names)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The plural name, as in paths.
    pub plural: Str,
    /// The singular name.
    pub singular: Str,
    /// Abbreviations for command lines.
    pub short_names: Vec<Str>,
    /// The kind of an object.
    pub kind: Str,
    /// The kind of a list.
    pub list_kind: Str,
    /// The categories of the resource, such as `all`.
    pub categories: Vec<Str>,
}

impl Names {
    /// The requested names, from the spec.
    pub fn asked(object: &Unstructured) -> Self {
        Self::read(at(object, &["spec", "names"]))
    }

    /// The accepted names, from the status.
    pub fn accepted(object: &Unstructured) -> Self {
        Self::read(at(object, &["status", "acceptedNames"]))
    }

    fn read(names: &Json) -> Self {
        let text = |key: &str| names[key].as_shared_str().cloned().unwrap_or_default();
        let texts = |key: &str| list(&names[key]).filter_map(|name| name.as_shared_str().cloned()).collect();
        Self {
            plural: text("plural"),
            singular: text("singular"),
            short_names: texts("shortNames"),
            kind: text("kind"),
            list_kind: text("listKind"),
            categories: texts("categories"),
        }
    }

    /// The names as JSON, for the status.
    pub fn written(&self) -> Json {
        let mut names = json!({"plural": self.plural.as_str(), "kind": self.kind.as_str()});
        let texts = |all: &[Str]| Json::from(all.iter().map(Json::from).collect::<Vec<_>>());
        if let Some(map) = names.as_map_mut() {
            for (key, value) in [("singular", &self.singular), ("listKind", &self.list_kind)] {
                if !value.is_empty() {
                    map.insert(key, value.clone().into());
                }
            }
            for (key, value) in [("shortNames", &self.short_names), ("categories", &self.categories)] {
                if !value.is_empty() {
                    map.insert(key, texts(value));
                }
            }
        }
        names
    }

    /// Computes the accepted names. `resources` and `kinds` are the names that other definitions of the group have.
    /// If a name is refused, it also returns the reason and the message of the condition.
    pub fn decide(
        asked: &Self,
        accepted: &Self,
        resources: &[Str],
        kinds: &[Str],
    ) -> (Self, Option<(&'static str, String)>) {
        let mut new = accepted.clone();
        let mut refused = None;
        let taken = |name: &Str, own: &str, used: &[Str]| {
            (name != own && used.contains(name)).then(|| format!("{:?} is already in use", name.as_str()))
        };
        match taken(&asked.plural, &accepted.plural, resources) {
            Some(why) => refused = Some(("PluralConflict", why)),
            None => new.plural = asked.plural.clone(),
        }
        match taken(&asked.singular, &accepted.singular, resources) {
            Some(why) => refused = Some(("SingularConflict", why)),
            None => new.singular = asked.singular.clone(),
        }
        if asked.short_names != accepted.short_names {
            let fresh = asked.short_names.iter().filter(|name| !accepted.short_names.contains(name));
            let conflicts: Vec<String> = fresh.filter_map(|name| taken(name, "", resources)).collect();
            match conflicts.as_slice() {
                [] => new.short_names.clone_from(&asked.short_names),
                [only] => refused = Some(("ShortNamesConflict", only.clone())),
                all => refused = Some(("ShortNamesConflict", format!("[{}]", all.join(", ")))),
            }
        }
        match taken(&asked.kind, &accepted.kind, kinds) {
            Some(why) => refused = Some(("KindConflict", why)),
            None => new.kind = asked.kind.clone(),
        }
        match taken(&asked.list_kind, &accepted.list_kind, kinds) {
            Some(why) => refused = Some(("ListKindConflict", why)),
            None => new.list_kind = asked.list_kind.clone(),
        }
        new.categories.clone_from(&asked.categories);
        (new, refused)
    }
}

/// A condition of a definition.
pub fn condition<'o>(object: &'o Unstructured, kind: &str) -> Option<&'o Json> {
    list(at(object, &["status", "conditions"])).find(|condition| condition["type"].as_str() == Some(kind))
}

/// Whether a condition is true.
pub fn is_true(object: &Unstructured, kind: &str) -> bool {
    condition(object, kind).is_some_and(|condition| condition["status"].as_str() == Some("True"))
}

/// Sets a condition. Its transition time changes only if its status does.
pub fn set_condition(
    object: &mut Unstructured,
    kind: &str,
    status: &str,
    reason: &str,
    message: &str,
    now: Time,
) {
    let generation = object.generation();
    let mut all: Vec<Json> =
        at(object, &["status", "conditions"]).as_list().map(|all| all.to_vec()).unwrap_or_default();
    let found = all.iter().position(|condition| condition["type"].as_str() == Some(kind));
    let same = found.and_then(|at| {
        (all[at]["status"].as_str() == Some(status)).then(|| all[at]["lastTransitionTime"].clone())
    });
    let since = same.unwrap_or_else(|| Json::from(now.to_string()));
    let mut new = json!({
        "type": kind, "status": status, "lastTransitionTime": since, "reason": reason, "message": message,
    });
    if let Some(map) = new.as_map_mut()
        && generation > 0
        && found.is_some_and(|at| !all[at]["observedGeneration"].is_null())
    {
        map.insert("observedGeneration", generation.into());
    }
    match found {
        Some(at) => all[at] = new,
        None => all.push(new),
    }
    drop(object.set_nested(&["status", "conditions"], Json::from(all)));
}

/// Validates the status.
pub(super) fn check(object: &Unstructured) -> Vec<FieldError> {
    let mut errors = names_errors(object);
    let path = "status.storedVersions";
    let stored: Vec<&str> =
        list(at(object, &["status", "storedVersions"])).filter_map(Json::as_str).collect();
    let shown = at(object, &["status", "storedVersions"]).to_string();
    if stored.is_empty() {
        errors.push(FieldError::invalid_json(path, shown, "must have at least one stored version"));
        return errors;
    }
    let mut missing: VecMap<&str, usize> = stored.iter().enumerate().map(|(at, name)| (*name, at)).collect();
    for version in list(at(object, &["spec", "versions"])) {
        let name = version["name"].as_str().unwrap_or_default();
        let known = missing.remove(name).is_some();
        if version["storage"].as_bool() == Some(true) && !known && !stored.contains(&name) {
            let why = format!("must have the storage version {name}");
            errors.push(FieldError::invalid_json(path, shown.clone(), why));
        }
    }
    for (name, at) in missing {
        let why = format!(
            "missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions \
             until a storage migration ensures no data remains persisted in {name} and removes {name} from \
             status.storedVersions"
        );
        errors.push(FieldError::invalid(format!("{path}[{at}]"), name, why));
    }
    errors
}

pub(super) fn names_errors(object: &Unstructured) -> Vec<FieldError> {
    check_names(at(object, &["status", "acceptedNames"]), "status.acceptedNames")
}
