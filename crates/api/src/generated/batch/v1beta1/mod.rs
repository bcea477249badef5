// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/batch/v1beta1`.

mod constants;
mod cron_job;
mod cron_job_list;
mod cron_job_spec;
mod cron_job_status;
mod job_template_spec;

pub use constants::*;
pub use cron_job::CronJob;
pub use cron_job_list::CronJobList;
pub use cron_job_spec::CronJobSpec;
pub use cron_job_status::CronJobStatus;
pub use job_template_spec::JobTemplateSpec;
