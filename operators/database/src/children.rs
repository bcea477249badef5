//! The objects that a database owns, as pure functions of it.

use client_rs::prelude::{Json, json};

use crate::api::v1::Database;

const PORT: i32 = 5432;

fn labels(database: &Database) -> Json {
    json!({
        "app.kubernetes.io/name": "database",
        "app.kubernetes.io/instance": database.metadata.name.as_str(),
        "app.kubernetes.io/managed-by": crate::NAME,
    })
}

/// The headless service, which gives each pod a name.
pub(crate) fn service(database: &Database) -> Json {
    json!({
        "metadata": {"name": database.metadata.name.as_str(), "labels": labels(database)},
        "spec": {
            "clusterIP": "None",
            "selector": labels(database),
            "ports": [{"name": "database", "port": PORT}],
        },
    })
}

/// The stateful set with the pods and their volumes.
pub(crate) fn stateful_set(database: &Database) -> Json {
    let (name, spec) = (database.metadata.name.as_str(), &database.spec);
    let container = json!({
        "name": "database",
        "image": spec.image.as_str(),
        "args": ["serve"],
        "ports": [{"name": "database", "containerPort": PORT}],
        "readinessProbe": {"tcpSocket": {"port": "database"}},
        "volumeMounts": [{"name": "data", "mountPath": "/data"}],
    });
    let claim = json!({
        "metadata": {"name": "data"},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": spec.storage.as_str()}},
        },
    });
    json!({
        "metadata": {"name": name, "labels": labels(database)},
        "spec": {
            "replicas": spec.replicas,
            "serviceName": name,
            "selector": {"matchLabels": labels(database)},
            "template": {
                "metadata": {"labels": labels(database)},
                "spec": {"containers": [container]},
            },
            "volumeClaimTemplates": [claim],
            // The backup has the data. Without a backup, the user has decided to lose them.
            "persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Delete", "whenScaled": "Retain"},
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::v1::DatabaseSpec;

    #[test]
    fn the_children_follow_the_spec_and_find_each_other() {
        let spec =
            DatabaseSpec { image: "db:17".to_owned(), replicas: 3, storage: "10Gi".to_owned(), backup: None };
        let database = Database::new("shop", spec);
        let (service, set) = (service(&database), stateful_set(&database));
        assert_eq!(set["spec"]["replicas"].as_i64(), Some(3));
        assert_eq!(set["spec"]["serviceName"], service["metadata"]["name"]);
        assert_eq!(set["spec"]["template"]["metadata"]["labels"], service["spec"]["selector"]);
        assert_eq!(set["spec"]["template"]["spec"]["containers"][0]["image"].as_str(), Some("db:17"));
        let claim = &set["spec"]["volumeClaimTemplates"][0];
        assert_eq!(claim["spec"]["resources"]["requests"]["storage"].as_str(), Some("10Gi"));
    }
}
