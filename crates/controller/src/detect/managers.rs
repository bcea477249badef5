//! [`Managers`]: who wrote an object.

use client_rs_machinery::collections::List;
use client_rs_machinery::meta::v1::ManagedFieldsEntry;
use client_rs_machinery::{Metadata, Str, Time};

/// How many managers of one object are looked at.
const MOST: usize = 8;

/// The managers of an object after a write, and when each of them wrote it.
#[derive(Debug)]
pub(crate) struct Managers {
    newest: i64,
    entries: Entries,
}

#[derive(Debug)]
enum Entries {
    /// The list of the object itself: it is shared, so nothing is copied.
    Shared(List<ManagedFieldsEntry>),
    Copied(Vec<(Str, i64)>),
}

impl Default for Managers {
    fn default() -> Self {
        Self::NOBODY
    }
}

impl Managers {
    /// No manager.
    pub(crate) const NOBODY: Self = Self::only(0);

    /// One manager: it has no rival.
    const fn only(newest: i64) -> Self {
        Self { newest, entries: Entries::Shared(List::EMPTY) }
    }

    pub(crate) fn of(metadata: &dyn Metadata) -> Self {
        let Some(own) = metadata.as_object_meta() else {
            let times = metadata.field_managers().filter_map(|(name, time)| Some((name, time?.seconds())));
            return Self::copied(times.take(2 * MOST).collect());
        };
        match &own.managed_fields[..] {
            // Most objects have one.
            [only] => Self::only(only.time.map_or(0, Time::seconds)),
            several => Self {
                newest: several.iter().filter_map(|entry| entry.time).map(Time::seconds).max().unwrap_or(0),
                entries: Entries::Shared(own.managed_fields.clone()),
            },
        }
    }

    pub(super) fn copied(entries: Vec<(Str, i64)>) -> Self {
        let newest = entries.iter().map(|(_, time)| *time).max().unwrap_or(0);
        Self { newest, entries: Entries::Copied(entries) }
    }

    /// When a manager wrote the object for the last time, in seconds.
    pub(crate) fn newest(&self) -> i64 {
        self.newest
    }

    /// A manager that wrote the object at this time or later, but before the newest write.
    pub(crate) fn rival(&self, since: i64) -> Option<&Str> {
        let is_rival = |time: i64| time < self.newest && time >= since;
        match &self.entries {
            Entries::Shared(list) => {
                let rival = |entry: &&ManagedFieldsEntry| entry.time.is_some_and(|at| is_rival(at.seconds()));
                list.iter().take(MOST).find(rival).map(|entry| &entry.manager)
            }
            Entries::Copied(list) => {
                list.iter().take(MOST).find(|(_, at)| is_rival(*at)).map(|(name, _)| name)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::meta::v1::ObjectMeta;

    use super::*;

    fn entry(manager: &str, time: i64) -> ManagedFieldsEntry {
        let time = Time::parse(format!("2026-01-01T00:00:{time:02}Z")).ok();
        ManagedFieldsEntry { manager: manager.into(), time, ..ManagedFieldsEntry::EMPTY }
    }

    #[test]
    fn a_rival_wrote_after_the_last_own_write_and_before_the_newest() {
        let list = [entry("helm", 3), entry("us", 10)];
        let [helm, us] = list.each_ref().map(|entry| entry.time.unwrap().seconds());
        let copied = Managers::copied(vec![("helm".into(), helm), ("us".into(), us)]);
        let shared = Managers::of(&ObjectMeta { managed_fields: list.into(), ..ObjectMeta::EMPTY });
        for managers in [shared, copied] {
            assert_eq!(managers.newest(), us);
            assert_eq!(managers.rival(helm).map(Str::as_str), Some("helm"));
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
