// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `batch`.

use client_rs_api::batch::{v1, v1beta1};

use crate::informers::accessors::{group, version};

group!(Informers of "batch" {
    v1: V1,
    v1beta1: V1beta1,
});

version!(V1 of "batch/v1" {
    cron_jobs: v1::CronJob,
    jobs: v1::Job,
});

version!(V1beta1 of "batch/v1beta1" {
    cron_jobs: v1beta1::CronJob,
});
