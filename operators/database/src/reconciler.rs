//! The reconcile function: it reads, asks the pure functions what to do, and writes.

use std::sync::Arc;
use std::time::Duration;

use client_rs::api::apps::v1::StatefulSet;
use client_rs::api::batch::v1::Job;
use client_rs::api::core::v1::Service;
use client_rs::prelude::{
    Action, ClusterClient, Context, ControllerOptions, EventType, Finalizing, Object, ObjectKey,
    ReconcileError, Reconciler, RunnableController, condition,
};

use crate::api::v1::{Database, DatabaseStatus};
use crate::backup::Progress;
use crate::{backup, children, status};

/// Keeps a deleted database until its backup is complete.
const FINALIZER: &str = "databases.example.com/backup";

/// A change of the job leads to a run, so this is only how long a lost change can matter.
const BACKUP_LOOK: Duration = Duration::from_mins(5);

/// The controller: runs for a change of a database, or of an object that one owns.
pub(crate) fn controller(client: &ClusterClient, options: ControllerOptions) -> RunnableController {
    client
        .controller_with::<Database>("databases", options)
        .owns(&client.informer::<Service>())
        .owns(&client.informer::<StatefulSet>())
        .owns(&client.informer::<Job>())
        .reconcile(Databases { client: client.clone() })
}

struct Databases {
    client: ClusterClient,
}

impl Reconciler for Databases {
    async fn reconcile(&self, key: ObjectKey, context: Context) -> Result<Action, ReconcileError> {
        let client = self.client.of_run(&context); // Writes are refused as soon as the term is over.
        let Some(database) = client.get::<Database>(&key).await? else {
            return Ok(Action::done());
        };
        let step = |step| async {
            match step {
                Finalizing::Apply(database) => apply(&client, &database).await,
                Finalizing::CleanUp(database) => back_up(&client, &database).await,
            }
        };
        client.finalizer(FINALIZER, &database, step).await
    }
}

async fn apply(client: &ClusterClient, database: &Arc<Database>) -> Result<Action, ReconcileError> {
    let mut owned = client.owned(&**database)?;
    owned.apply::<Service>(children::service(database)).await?;
    owned.apply::<StatefulSet>(children::stateful_set(database)).await?;
    let set = client.get::<StatefulSet>(&database.key()).await?;
    write(client, database, status::ready(database, set.as_deref())).await?;
    Ok(Action::done())
}

/// Runs the backup. Only `Action::done` lets the database go.
async fn back_up(client: &ClusterClient, database: &Arc<Database>) -> Result<Action, ReconcileError> {
    let Some(destination) = database.destination() else {
        return Ok(Action::done());
    };
    let key = ObjectKey::new(database.metadata.namespace.clone(), backup::name(database));
    let progress = if let Some(job) = client.get::<Job>(&key).await? {
        backup::progress(&job)
    } else {
        // Applied once: the pods of a job can't be changed.
        client.owned(&**database)?.apply::<Job>(backup::job(database, &destination)).await?;
        Progress::Running
    };
    let (reason, message) = match progress {
        Progress::Complete => {
            let message = format!("the backup is at {destination}");
            client.event(&**database, EventType::Normal, "BackedUp", message);
            return Ok(Action::done());
        }
        Progress::Running => ("BackupRunning", format!("the job {} writes to {destination}", key.name)),
        Progress::Failed(why) => ("BackupFailed", format!("delete the job {} to try again: {why}", key.name)),
    };
    let backed_up = condition(&**database, "BackedUp", false, reason, message);
    write(client, database, status::with(database, backed_up)).await?;
    Ok(Action::requeue_after(BACKUP_LOOK))
}

/// Writes the status if it has changed, and records an event with the reason of the condition that did.
async fn write(
    client: &ClusterClient,
    database: &Arc<Database>,
    status: DatabaseStatus,
) -> Result<(), ReconcileError> {
    if database.status.as_ref() == Some(&status) {
        return Ok(());
    }
    let old = database.status.as_ref().map(|status| &*status.conditions).unwrap_or_default();
    for changed in status.conditions.iter().filter(|condition| !old.contains(condition)) {
        let failed = changed.reason == "BackupFailed";
        let event = if failed { EventType::Warning } else { EventType::Normal };
        client.event(&**database, event, &changed.reason, &changed.message);
    }
    client.update_status(Database { status: Some(status), ..(**database).clone() }).await?;
    Ok(())
}
