//! The conversion between the versions. A client of `v1beta1` that reads an object and writes it back loses nothing: a size that is not
//! a whole number of GiB stays in an annotation.

use client_rs::prelude::Quantity;

use super::{v1, v1beta1};

/// The exact size, for objects whose size `v1beta1` can only round up.
const STORAGE: &str = "databases.example.com/storage";

const GIB: i64 = 1 << 30;

/// The size in GiB, rounded up. The schema has admitted it, so it is a number.
fn gibibytes(storage: &str) -> i64 {
    let bytes = storage.parse::<Quantity>().map_or(GIB, |quantity| quantity.value());
    (bytes / GIB + i64::from(bytes % GIB > 0)).max(1)
}

impl From<v1beta1::Database> for v1::Database {
    fn from(old: v1beta1::Database) -> Self {
        let mut metadata = old.metadata;
        let exact = metadata.annotations.remove(STORAGE).map(|exact| exact.to_string());
        let storage = exact
            .filter(|exact| gibibytes(exact) == old.spec.storage_gi)
            .unwrap_or_else(|| format!("{}Gi", old.spec.storage_gi));
        let backup =
            old.spec.backup_to.map(|to| v1::Backup { destination: Some(to).filter(|to| !to.is_empty()) });
        let spec = v1::DatabaseSpec { image: old.spec.image, replicas: old.spec.replicas, storage, backup };
        Self { metadata, status: old.status, ..Self::new("", spec) }
    }
}

impl From<v1::Database> for v1beta1::Database {
    fn from(new: v1::Database) -> Self {
        let mut metadata = new.metadata;
        let storage_gi = gibibytes(&new.spec.storage);
        if new.spec.storage != format!("{storage_gi}Gi") {
            metadata.annotations.insert(STORAGE, new.spec.storage.into());
        }
        let spec = v1beta1::DatabaseSpec {
            image: new.spec.image,
            replicas: new.spec.replicas,
            storage_gi,
            backup_to: new.spec.backup.map(|backup| backup.destination.unwrap_or_default()),
        };
        Self { metadata, status: new.status, ..Self::new("", spec) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(storage: &str, destination: Option<Option<&str>>) -> v1::Database {
        let backup = destination.map(|to| v1::Backup { destination: to.map(str::to_owned) });
        let spec =
            v1::DatabaseSpec { image: "db:1".to_owned(), replicas: 3, storage: storage.to_owned(), backup };
        v1::Database::new("shop", spec)
    }

    #[test]
    fn a_round_trip_loses_nothing() {
        for storage in ["1Gi", "10Gi", "512Mi", "1536Mi", "2048Mi", "2Ti"] {
            for backup in [None, Some(None), Some(Some("s3://here"))] {
                let new = database(storage, backup);
                let old = v1beta1::Database::from(new.clone());
                let back = v1::Database::from(old);
                assert_eq!((&back.spec, &back.metadata), (&new.spec, &new.metadata));
            }
        }
    }

    #[test]
    fn a_size_that_a_client_of_the_old_version_changes_wins_over_the_annotation() {
        let mut old = v1beta1::Database::from(database("1536Mi", None));
        assert_eq!((old.spec.storage_gi, old.metadata.annotations[STORAGE].as_str()), (2, "1536Mi"));
        old.spec.storage_gi = 5;
        let new = v1::Database::from(old);
        assert_eq!(new.spec.storage, "5Gi");
        assert!(new.metadata.annotations.is_empty());
    }
}
