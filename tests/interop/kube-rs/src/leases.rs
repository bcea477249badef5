//! Leadership by hand, as operators without a library for it write it.

use anyhow::{Context, Result, ensure};
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use k8s_openapi::jiff::Timestamp;
use kube::api::{Patch, PatchParams, PostParams};
use kube::{Client, ResourceExt as _};
use serde_json::json;

use crate::{api, named, refused};

pub(crate) async fn hand_over(client: &Client) -> Result<()> {
    let leases = api::<Lease>(client);
    let now = || Some(MicroTime(Timestamp::now()));
    let spec = LeaseSpec {
        holder_identity: Some("one".to_owned()),
        lease_duration_seconds: Some(15),
        acquire_time: now(),
        renew_time: now(),
        lease_transitions: Some(0),
        ..LeaseSpec::default()
    };
    let mut lease = Lease { metadata: named("leader"), spec: Some(spec) };
    lease = leases.create(&PostParams::default(), &lease).await?;
    let taken = lease.clone();
    for _ in 0..3 {
        lease.spec.as_mut().context("no spec")?.renew_time = now();
        let renewed = leases.replace("leader", &PostParams::default(), &lease).await?;
        ensure!(renewed.resource_version() != lease.resource_version(), "nothing was written");
        let (ours, theirs) = (&lease.spec, &renewed.spec);
        ensure!(micros(ours.as_ref()) == micros(theirs.as_ref()), "{ours:?} became {theirs:?}");
        lease = renewed;
    }
    // Another who saw the lease before it was renewed is too late.
    let mut late = taken;
    late.spec.as_mut().context("no spec")?.holder_identity = Some("two".to_owned());
    let status = refused(leases.replace("leader", &PostParams::default(), &late).await)?;
    ensure!(status.is_conflict(), "{status:?}");
    // A released Lease may be taken; server-side apply does both in one step.
    lease.spec.as_mut().context("no spec")?.holder_identity = None;
    leases.replace("leader", &PostParams::default(), &lease).await?;
    let wish = json!({
        "apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "leader"},
        "spec": {"holderIdentity": "two", "leaseTransitions": 1},
    });
    let apply = PatchParams::apply("two").force();
    let handed = leases.patch("leader", &apply, &Patch::Apply(wish)).await?;
    let spec = handed.spec.context("no spec")?;
    ensure!(spec.holder_identity.as_deref() == Some("two") && spec.lease_transitions == Some(1), "{spec:?}");
    Ok(())
}

/// The time of renewal, to the microsecond that the API keeps.
fn micros(spec: Option<&LeaseSpec>) -> Option<i64> {
    Some(spec?.renew_time.as_ref()?.0.as_microsecond())
}
