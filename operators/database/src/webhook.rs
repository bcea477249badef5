//! The webhooks: defaults and checks that a schema can't express, and the conversion between the versions. Each decision is a pure
//! function.

use std::sync::Arc;

use client_rs::machinery::labels::Selector;
use client_rs::prelude::{Json, Lister, Object};
use client_rs::webhook::{Admitted, Conversions, Denied, Hook, Review, WebhookServer};

use crate::api::v1::Database;
use crate::api::v1beta1;

/// Adds the routes. Their paths are those of `config/webhook` and of the definition. The lister answers from memory.
pub(crate) fn routes(server: WebhookServer, databases: &Lister<Database>) -> WebhookServer {
    let databases = databases.clone();
    let validate = move |review: Review<Database>| {
        let others = databases.list(&Selector::everything());
        async move { check(&review, &others).map(|()| Admitted::unchanged()) }
    };
    let convert = Conversions::<Database>::hub().version::<v1beta1::Database>().into_hook();
    server
        .route("/default", Hook::admission(|review| async { Ok(default(review)) }))
        .route("/validate", Hook::admission(validate))
        .route("/convert", convert)
}

/// Fills in the place of the backup, so that users see it.
pub fn default(review: Review<Database>) -> Admitted<Database> {
    let Some(mut database) = review.object else { return Admitted::unchanged() };
    let destination = database.destination();
    match &mut database.spec.backup {
        Some(backup) if backup.destination.is_none() => backup.destination = destination,
        _ => return Admitted::unchanged(),
    }
    Admitted::changed(database)
}

/// Checks that no other database has its backup at the same place, and that a deletion leaves the pods running for the backup.
///
/// The list comes from a cache, which may be behind: two databases that are created in the same moment are both admitted.
///
/// # Errors
///
/// The message for the user.
pub fn check(review: &Review<Database>, others: &[Arc<Database>]) -> Result<(), Denied> {
    let Some(database) = &review.object else {
        let options = Json::parse(review.request.options.as_bytes()).unwrap_or_default();
        let has_backup = review.old_object.as_ref().is_some_and(|old| old.spec.backup.is_some());
        return match options["propagationPolicy"].as_str() {
            Some("Foreground") if has_backup => Err(Denied::because(
                "a foreground deletion ends the pods before the backup; use --cascade=background",
            )),
            _ => Ok(()),
        };
    };
    unique(database, others)
}

/// No other database has its backup at the same place.
fn unique(database: &Database, others: &[Arc<Database>]) -> Result<(), Denied> {
    let Some(destination) = database.destination() else { return Ok(()) };
    let taken = others
        .iter()
        .find(|other| other.key() != database.key() && other.destination().as_ref() == Some(&destination));
    match taken {
        Some(other) => Err(Denied::because(format!(
            "spec.backup.destination: {destination} has the backup of {}",
            other.key()
        ))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::v1::{Backup, DatabaseSpec};

    fn database(name: &str, destination: Option<&str>) -> Database {
        let backup = Some(Backup { destination: destination.map(str::to_owned) });
        let spec = DatabaseSpec { image: "db:17".to_owned(), replicas: 1, storage: "1Gi".to_owned(), backup };
        let mut database = Database::new(name, spec);
        database.metadata.namespace = "default".into();
        database
    }

    #[test]
    fn a_destination_has_one_database() {
        let others = [Arc::new(database("shop", None)), Arc::new(database("blog", Some("s3://here")))];
        let admits = |name, destination| unique(&database(name, destination), &others).is_ok();
        assert!(admits("new", None));
        assert!(!admits("new", Some("s3://here")));
        // The default place of another one is taken, too.
        assert!(!admits("new", Some("s3://backups/default/shop")));
        // An update of the same database.
        assert!(admits("blog", Some("s3://here")));
    }
}
