//! The fields that every object has.

use super::Unstructured;
use crate::{Json, Map, Metadata, Object, OwnerRef, Pairs, Str, Time};

/// The fields that every object has. A field that is absent or has another type reads as empty.
impl Unstructured {
    /// `apiVersion`, such as `apps/v1`.
    pub fn api_version(&self) -> &str {
        text(self.object.get("apiVersion"))
    }

    /// `kind`, such as `Deployment`.
    pub fn kind(&self) -> &str {
        text(self.object.get("kind"))
    }

    /// `metadata.name`.
    pub fn name(&self) -> &str {
        text(self.metadata("name"))
    }

    /// `metadata.generateName`.
    pub fn generate_name(&self) -> &str {
        text(self.metadata("generateName"))
    }

    /// `metadata.namespace`; empty for a cluster-scoped object.
    pub fn namespace(&self) -> &str {
        text(self.metadata("namespace"))
    }

    /// `metadata.uid`.
    pub fn uid(&self) -> &str {
        text(self.metadata("uid"))
    }

    /// `metadata.resourceVersion`.
    pub fn resource_version(&self) -> &str {
        text(self.metadata("resourceVersion"))
    }

    /// `metadata.generation`; 0 if it is absent.
    pub fn generation(&self) -> i64 {
        self.metadata("generation").and_then(Json::as_i64).unwrap_or(0)
    }

    /// `metadata.creationTimestamp`.
    pub fn creation_timestamp(&self) -> Option<Time> {
        self.time("creationTimestamp")
    }

    /// `metadata.deletionTimestamp`: the object is being deleted.
    pub fn deletion_timestamp(&self) -> Option<Time> {
        self.time("deletionTimestamp")
    }

    /// `metadata.deletionGracePeriodSeconds`.
    pub fn deletion_grace_period_seconds(&self) -> Option<i64> {
        self.metadata("deletionGracePeriodSeconds")?.as_i64()
    }

    /// A label's value.
    pub fn label(&self, key: &str) -> Option<&str> {
        self.metadata("labels")?.get(key)?.as_str()
    }

    /// The labels, sorted by key.
    pub fn labels(&self) -> impl Iterator<Item = (&str, &str)> {
        strings(self.metadata("labels"))
    }

    /// An annotation's value.
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.metadata("annotations")?.get(key)?.as_str()
    }

    /// The annotations, sorted by key.
    pub fn annotations(&self) -> impl Iterator<Item = (&str, &str)> {
        strings(self.metadata("annotations"))
    }

    /// The finalizers, in order.
    pub fn finalizers(&self) -> impl Iterator<Item = &str> {
        self.metadata("finalizers").and_then(Json::as_list).into_iter().flatten().filter_map(Json::as_str)
    }

    /// The references to owners, in order.
    pub fn owner_references(&self) -> impl Iterator<Item = OwnerRef<'_>> {
        let list = self.metadata("ownerReferences").and_then(Json::as_list);
        list.into_iter().flatten().filter(|reference| reference.as_map().is_some()).map(|reference| {
            OwnerRef {
                api_version: text(reference.get("apiVersion")),
                kind: text(reference.get("kind")),
                name: text(reference.get("name")),
                uid: text(reference.get("uid")),
                controller: reference["controller"] == true,
                block_owner_deletion: reference["blockOwnerDeletion"] == true,
            }
        })
    }

    /// The reference to the owner that controls this object.
    pub fn controller(&self) -> Option<OwnerRef<'_>> {
        self.owner_references().find(|reference| reference.controller)
    }

    fn metadata(&self, key: &str) -> Option<&Json> {
        self.object.get("metadata")?.get(key)
    }

    fn time(&self, key: &str) -> Option<Time> {
        self.metadata(key)?.as_str()?.parse().ok()
    }
}

/// Setters. An empty value removes the field. A `metadata` that is not an object is replaced by one.
impl Unstructured {
    /// Sets `apiVersion`.
    pub fn set_api_version(&mut self, value: impl Into<Str>) {
        self.object.insert("apiVersion", value.into().into());
    }

    /// Sets `kind`.
    pub fn set_kind(&mut self, value: impl Into<Str>) {
        self.object.insert("kind", value.into().into());
    }

    /// Sets `metadata.name`.
    pub fn set_name(&mut self, value: impl Into<Str>) {
        self.set_text("name", value);
    }

    /// Sets `metadata.generateName`.
    pub fn set_generate_name(&mut self, value: impl Into<Str>) {
        self.set_text("generateName", value);
    }

    /// Sets `metadata.namespace`.
    pub fn set_namespace(&mut self, value: impl Into<Str>) {
        self.set_text("namespace", value);
    }

    /// Sets `metadata.uid`.
    pub fn set_uid(&mut self, value: impl Into<Str>) {
        self.set_text("uid", value);
    }

    /// Sets `metadata.resourceVersion`.
    pub fn set_resource_version(&mut self, value: impl Into<Str>) {
        self.set_text("resourceVersion", value);
    }

    /// Sets `metadata.generation`; 0 removes it.
    pub fn set_generation(&mut self, value: i64) {
        self.set_metadata("generation", (value != 0).then_some(value).map(Json::from));
    }

    /// Sets or removes `metadata.creationTimestamp`.
    pub fn set_creation_timestamp(&mut self, value: Option<Time>) {
        self.set_metadata("creationTimestamp", value.map(|time| time.to_string().into()));
    }

    /// Sets or removes `metadata.deletionTimestamp`.
    pub fn set_deletion_timestamp(&mut self, value: Option<Time>) {
        self.set_metadata("deletionTimestamp", value.map(|time| time.to_string().into()));
    }

    /// Sets or removes `metadata.deletionGracePeriodSeconds`.
    pub fn set_deletion_grace_period_seconds(&mut self, value: Option<i64>) {
        self.set_metadata("deletionGracePeriodSeconds", value.map(Json::from));
    }

    /// Sets all labels.
    pub fn set_labels<K: Into<Str>, V: Into<Str>>(&mut self, labels: impl IntoIterator<Item = (K, V)>) {
        self.set_strings("labels", labels);
    }

    /// Sets one label.
    pub fn set_label(&mut self, key: impl Into<Str>, value: impl Into<Str>) {
        self.set_string("labels", key, value);
    }

    /// Sets all annotations.
    pub fn set_annotations<K: Into<Str>, V: Into<Str>>(
        &mut self,
        annotations: impl IntoIterator<Item = (K, V)>,
    ) {
        self.set_strings("annotations", annotations);
    }

    /// Sets one annotation.
    pub fn set_annotation(&mut self, key: impl Into<Str>, value: impl Into<Str>) {
        self.set_string("annotations", key, value);
    }

    /// Sets all finalizers.
    pub fn set_finalizers<T: Into<Str>>(&mut self, finalizers: impl IntoIterator<Item = T>) {
        let list: Vec<Json> = finalizers.into_iter().map(|finalizer| Json::Str(finalizer.into())).collect();
        self.set_metadata("finalizers", (!list.is_empty()).then(|| list.into()));
    }

    /// Sets all references to owners.
    pub fn set_owner_references<'a>(&mut self, references: impl IntoIterator<Item = OwnerRef<'a>>) {
        let list: Vec<Json> = references.into_iter().map(owner_json).collect();
        self.set_metadata("ownerReferences", (!list.is_empty()).then(|| list.into()));
    }

    fn set_text(&mut self, key: &str, value: impl Into<Str>) {
        let value = value.into();
        self.set_metadata(key, (!value.is_empty()).then_some(Json::Str(value)));
    }

    fn set_strings<K: Into<Str>, V: Into<Str>>(
        &mut self,
        key: &str,
        entries: impl IntoIterator<Item = (K, V)>,
    ) {
        let map: Vec<(Str, Json)> =
            entries.into_iter().map(|(key, value)| (key.into(), Json::Str(value.into()))).collect();
        self.set_metadata(key, (!map.is_empty()).then(|| map.into_iter().collect()));
    }

    fn set_string(&mut self, field: &str, key: impl Into<Str>, value: impl Into<Str>) {
        let mut map = self.metadata(field).and_then(Json::as_map).cloned().unwrap_or_default();
        map.insert(key, Json::Str(value.into()));
        self.set_metadata(field, Some(Json::Map(map)));
    }

    fn set_metadata(&mut self, key: &str, value: Option<Json>) {
        let Some(value) = value else {
            self.remove_nested(&["metadata", key]);
            return;
        };
        if self.object.get("metadata").and_then(Json::as_map).is_none() {
            self.object.insert("metadata", Json::EMPTY_MAP);
        }
        // `metadata` is an object now, so nothing blocks the path.
        let _ = self.set_nested(&["metadata", key], value);
    }
}

impl Object for Unstructured {
    fn meta(&self) -> &dyn Metadata {
        self
    }

    fn api_version(&self) -> &str {
        self.api_version()
    }

    fn kind(&self) -> &str {
        self.kind()
    }
}

impl Metadata for Unstructured {
    fn name(&self) -> &str {
        self.name()
    }

    fn generate_name(&self) -> &str {
        self.generate_name()
    }

    fn namespace(&self) -> &str {
        self.namespace()
    }

    fn uid(&self) -> &str {
        self.uid()
    }

    fn resource_version(&self) -> &str {
        self.resource_version()
    }

    fn generation(&self) -> i64 {
        self.generation()
    }

    fn creation_timestamp(&self) -> Option<Time> {
        self.creation_timestamp()
    }

    fn deletion_timestamp(&self) -> Option<Time> {
        self.deletion_timestamp()
    }

    fn label(&self, key: &str) -> Option<&str> {
        self.label(key)
    }

    fn labels(&self) -> Pairs<'_> {
        Pairs::from_sorted(self.labels())
    }

    fn annotation(&self, key: &str) -> Option<&str> {
        self.annotation(key)
    }

    fn annotations(&self) -> Pairs<'_> {
        Pairs::from_sorted(self.annotations())
    }

    fn finalizers(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.finalizers())
    }

    fn owner_references(&self) -> Box<dyn Iterator<Item = OwnerRef<'_>> + '_> {
        Box::new(self.owner_references())
    }

    fn field_managers(&self) -> Box<dyn Iterator<Item = (Str, Option<Time>)> + '_> {
        let entries = self.metadata("managedFields").and_then(Json::as_list);
        Box::new(entries.into_iter().flatten().map(|entry| {
            let time = entry.get("time").and_then(Json::as_str).and_then(|text| text.parse().ok());
            (text(entry.get("manager")).into(), time)
        }))
    }
}

fn owner_json(owner: OwnerRef<'_>) -> Json {
    let texts =
        [("apiVersion", owner.api_version), ("kind", owner.kind), ("name", owner.name), ("uid", owner.uid)];
    // An absent flag means false.
    let flags = [("controller", owner.controller), ("blockOwnerDeletion", owner.block_owner_deletion)];
    let flags = flags.into_iter().filter(|(_, set)| *set).map(|(key, set)| (key, Json::Bool(set)));
    texts.into_iter().map(|(key, text)| (key, Json::from(text))).chain(flags).collect()
}

fn text(value: Option<&Json>) -> &str {
    value.and_then(Json::as_str).unwrap_or_default()
}

fn strings(value: Option<&Json>) -> impl Iterator<Item = (&str, &str)> {
    let entries = value.and_then(Json::as_map).map(Map::iter);
    entries.into_iter().flatten().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn setters_and_getters_agree() {
        let mut object = Unstructured::new("apps/v1", "Deployment", "web");
        object.set_generate_name("web-");
        object.set_namespace("shop");
        object.set_uid("u-1");
        object.set_resource_version("42");
        object.set_generation(3);
        let (created, deleted): (Time, Time) =
            ("2026-01-02T03:04:05Z".parse().unwrap(), "2026-01-03T03:04:05Z".parse().unwrap());
        object.set_creation_timestamp(Some(created));
        object.set_deletion_timestamp(Some(deleted));
        object.set_deletion_grace_period_seconds(Some(30));
        object.set_labels([("b", "2"), ("a", "1")]);
        object.set_label("c", "3");
        object.set_annotations([("x", "y")]);
        object.set_annotation("x", "z");
        object.set_finalizers(["f2", "f1"]);
        let owner = OwnerRef {
            api_version: "v1",
            kind: "Node",
            name: "n",
            uid: "u-2",
            controller: true,
            block_owner_deletion: false,
        };
        let other = OwnerRef { uid: "u-3", controller: false, block_owner_deletion: true, ..owner };
        object.set_owner_references([other, owner]);

        assert_eq!((object.api_version(), object.kind(), object.name()), ("apps/v1", "Deployment", "web"));
        assert_eq!((object.generate_name(), object.namespace(), object.uid()), ("web-", "shop", "u-1"));
        assert_eq!((object.resource_version(), object.generation()), ("42", 3));
        assert_eq!(object.creation_timestamp(), Some(created));
        assert_eq!(object.deletion_timestamp(), Some(deleted));
        assert_eq!(object.nested_str(&["metadata", "creationTimestamp"]), Ok(Some("2026-01-02T03:04:05Z")));
        assert_eq!(object.deletion_grace_period_seconds(), Some(30));
        assert_eq!(object.labels().collect::<Vec<_>>(), [("a", "1"), ("b", "2"), ("c", "3")]);
        assert_eq!((object.label("b"), object.label("z")), (Some("2"), None));
        assert_eq!(object.annotations().collect::<Vec<_>>(), [("x", "z")]);
        assert_eq!(object.annotation("x"), Some("z"));
        assert_eq!(object.finalizers().collect::<Vec<_>>(), ["f2", "f1"]);
        assert_eq!(object.owner_references().collect::<Vec<_>>(), [other, owner]);
        assert_eq!(object.controller(), Some(owner));
        let written = object.nested_slice(&["metadata", "ownerReferences"]).unwrap().unwrap();
        let expected =
            json!({"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "u-2", "controller": true});
        assert_eq!(written[1], expected);
    }

    #[test]
    fn is_an_object_as_typed_ones_are() {
        let text =
            br#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","generateName":"g","namespace":"n",
            "uid":"u","resourceVersion":"1","generation":2,"creationTimestamp":"2026-01-02T03:04:05Z",
            "deletionTimestamp":"2026-01-02T03:04:06Z","labels":{"b":"1","a":"2"},"annotations":{"c":"3"},
            "finalizers":["f"],"ownerReferences":[{"apiVersion":"v1","kind":"K","name":"o","uid":"v",
            "controller":true}]}}"#;
        let object = Unstructured::from_json(text).unwrap();
        let typed: crate::meta::v1::ObjectMeta =
            object.nested(&["metadata"]).unwrap().unwrap().to_message().unwrap();
        let (ours, typed): (&dyn Metadata, &dyn Metadata) = (object.meta(), &typed);
        let texts = |meta: &dyn Metadata| {
            [meta.name(), meta.generate_name(), meta.namespace(), meta.uid(), meta.resource_version()]
                .map(str::to_owned)
        };
        assert_eq!(texts(ours), texts(typed));
        assert_eq!(ours.generation(), typed.generation());
        assert!(ours.creation_timestamp().is_some() && ours.deletion_timestamp().is_some());
        assert_eq!(ours.creation_timestamp(), typed.creation_timestamp());
        assert_eq!(ours.deletion_timestamp(), typed.deletion_timestamp());
        assert!(ours.labels().eq(typed.labels()) && ours.annotations().eq(typed.annotations()));
        assert_eq!((ours.label("a"), ours.annotation("c")), (typed.label("a"), typed.annotation("c")));
        assert!(
            ours.finalizers().eq(typed.finalizers()) && ours.owner_references().eq(typed.owner_references())
        );
        let object: &dyn Object = &object;
        assert_eq!((object.api_version(), object.kind(), object.name()), ("v1", "Pod", "x"));
        assert!(object.is_being_deleted());
        assert_eq!(object.controller().map(|owner| owner.name), Some("o"));
    }

    #[test]
    fn an_empty_value_removes_the_field() {
        let mut object = Unstructured::new("v1", "Pod", "x");
        object.set_namespace("n");
        object.set_labels([("a", "1")]);
        object.set_generation(1);
        object.set_finalizers(["f"]);
        object.set_owner_references(Unstructured::new("v1", "Pod", "y").owner_references());
        object.set_deletion_grace_period_seconds(Some(1));
        object.set_namespace("");
        object.set_name("");
        object.set_labels::<Str, Str>([]);
        object.set_generation(0);
        object.set_finalizers::<Str>([]);
        object.set_owner_references([]);
        object.set_deletion_grace_period_seconds(None);
        assert_eq!(Json::from(object), json!({"apiVersion": "v1", "kind": "Pod", "metadata": {}}));
    }

    #[test]
    fn other_types_read_as_empty() {
        for metadata in [json!(null), json!(1), json!([]), json!({"name": 1, "labels": [], "finalizers": {}})]
        {
            let object = Unstructured::try_from(json!({"kind": 1, "metadata": metadata})).unwrap();
            assert_eq!((object.kind(), object.api_version(), object.name()), ("", "", ""));
            assert_eq!(
                (object.generation(), object.creation_timestamp(), object.label("a")),
                (0, None, None)
            );
            assert_eq!(
                object.labels().count() + object.finalizers().count() + object.owner_references().count(),
                0
            );
        }
        let mixed = json!({"metadata": {
            "labels": {"a": 1, "b": "2"}, "finalizers": [1, "f"], "ownerReferences": [1, {"name": "n"}],
        }});
        let object = Unstructured::try_from(mixed).unwrap();
        assert_eq!(object.labels().collect::<Vec<_>>(), [("b", "2")]);
        assert_eq!(object.finalizers().collect::<Vec<_>>(), ["f"]);
        assert_eq!(object.owner_references().map(|owner| owner.name).collect::<Vec<_>>(), ["n"]);
    }

    #[test]
    fn setters_mend_metadata() {
        let mut object = Unstructured::try_from(json!({"metadata": [1]})).unwrap();
        object.set_name("x");
        assert_eq!(Json::from(&object), json!({"metadata": {"name": "x"}}));
        let mut object = Unstructured::try_from(json!({"metadata": {"labels": 1}})).unwrap();
        object.set_label("a", "1");
        assert_eq!(Json::from(&object), json!({"metadata": {"labels": {"a": "1"}}}));
    }
}
