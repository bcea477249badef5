//! [`Managers`]: who wrote an object.

use client_rs_machinery::{Metadata, Str, Time};

/// When an object was written for the last time, and who wrote it before that.
#[derive(Debug)]
pub(crate) struct Managers {
    newest: i64,
    /// The newest of the earlier writes: its manager and its time.
    before: Option<(Str, i64)>,
}

impl Managers {
    /// No manager.
    pub(crate) const NOBODY: Self = Self { newest: 0, before: None };

    pub(crate) fn of(metadata: &dyn Metadata) -> Self {
        if let Some(own) = metadata.as_object_meta() {
            // Most objects have one.
            if let [only] = &own.managed_fields[..] {
                return Self { newest: only.time.map_or(0, Time::seconds), before: None };
            }
            let writes = own.managed_fields.iter();
            return Self::from_writes(
                writes.filter_map(|entry| Some((&entry.manager, entry.time.map(Time::seconds)?))),
            );
        }
        let writes: Vec<(Str, i64)> = metadata
            .field_managers()
            .filter_map(|(manager, time)| Some((manager, time.map(Time::seconds)?)))
            .collect();
        Self::from_writes(writes.iter().map(|(manager, time)| (manager, *time)))
    }

    /// From the last writes of the managers, in any order, with their times in seconds.
    pub(super) fn from_writes<'a>(writes: impl Iterator<Item = (&'a Str, i64)> + Clone) -> Self {
        let newest = writes.clone().map(|(_, time)| time).max().unwrap_or(0);
        let before = writes.filter(|(_, time)| *time < newest).max_by_key(|(_, time)| *time);
        Self { newest, before: before.map(|(manager, time)| (manager.clone(), time)) }
    }

    /// When a manager wrote the object for the last time, in seconds.
    pub(crate) fn newest(&self) -> i64 {
        self.newest
    }

    /// The last manager that wrote the object at this time or later, but before the newest write.
    pub(crate) fn rival(&self, since: i64) -> Option<&Str> {
        let (manager, time) = self.before.as_ref()?;
        (*time >= since).then_some(manager)
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::meta::v1::{ManagedFieldsEntry, ObjectMeta};
    use client_rs_machinery::{Object as _, Unstructured, json};

    use super::*;

    fn entry(manager: &str, time: i64) -> ManagedFieldsEntry {
        let time = Time::parse(format!("2026-01-01T00:00:{time:02}Z")).ok();
        ManagedFieldsEntry { manager: manager.into(), time, ..ManagedFieldsEntry::EMPTY }
    }

    #[test]
    fn a_rival_wrote_after_the_last_own_write_and_before_the_newest() {
        let list = [entry("kubectl", 1), entry("helm", 3), entry("us", 10)];
        let [_, helm, us] = list.each_ref().map(|entry| entry.time.unwrap().seconds());
        let managed = |manager: &str, time: i64| json!({"manager": manager, "time": format!("2026-01-01T00:00:{time:02}Z")});
        let other = Unstructured::try_from(json!({
            "apiVersion": "v1", "kind": "Thing",
            "metadata": {"name": "a", "managedFields": [managed("us", 10), managed("helm", 3), managed("kubectl", 1)]},
        }));
        let own = ObjectMeta { managed_fields: list.into(), ..ObjectMeta::EMPTY };
        for managers in [Managers::of(&own), Managers::of(other.unwrap().meta())] {
            assert_eq!(managers.newest(), us);
            assert_eq!(managers.rival(helm).map(Str::as_str), Some("helm"));
            assert_eq!(managers.rival(0).map(Str::as_str), Some("helm"), "the newest of two");
            assert_eq!(managers.rival(helm + 1), None, "the newest write is the own one");
        }
    }

    #[test]
    fn a_single_manager_has_no_rival() {
        let us = entry("us", 10);
        let time = us.time.unwrap().seconds();
        let meta = ObjectMeta { managed_fields: [us].into(), ..ObjectMeta::EMPTY };
        assert_eq!((Managers::of(&meta).newest(), Managers::of(&meta).rival(0)), (time, None));
        assert_eq!(Managers::of(&ObjectMeta::EMPTY).newest(), 0);
    }
}
