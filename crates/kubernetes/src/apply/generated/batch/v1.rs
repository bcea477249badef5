// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/batch/v1`.

use crate::apply::{configuration, kind, part};

configuration! { CronJob + metadata
    set spec "spec" CronJobSpec;
    set status "status" CronJobStatus;
}

kind! { CronJob "batch/v1" namespaced status client_rs_api::batch::v1::CronJob }

configuration! { CronJobSpec
    set schedule "schedule" client_rs_machinery::Str;
    set time_zone "timeZone" client_rs_machinery::Str;
    set starting_deadline_seconds "startingDeadlineSeconds" i64;
    set concurrency_policy "concurrencyPolicy" client_rs_machinery::Str;
    set suspend "suspend" bool;
    set job_template "jobTemplate" JobTemplateSpec;
    set successful_jobs_history_limit "successfulJobsHistoryLimit" i32;
    set failed_jobs_history_limit "failedJobsHistoryLimit" i32;
}

part! { CronJobSpec }

configuration! { CronJobStatus
    list active "active" crate::apply::core::v1::ObjectReference;
    set last_schedule_time "lastScheduleTime" client_rs_machinery::Time;
    set last_successful_time "lastSuccessfulTime" client_rs_machinery::Time;
}

part! { CronJobStatus }

configuration! { Job + metadata
    set spec "spec" JobSpec;
    set status "status" JobStatus;
}

kind! { Job "batch/v1" namespaced status client_rs_api::batch::v1::Job }

configuration! { JobCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set last_probe_time "lastProbeTime" client_rs_machinery::Time;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { JobCondition }

configuration! { JobSchedulingConfiguration
    set scheduling_policy "schedulingPolicy" crate::apply::scheduling::v1alpha3::WorkloadPodGroupSchedulingPolicy;
    set scheduling_constraints "schedulingConstraints" crate::apply::scheduling::v1alpha3::WorkloadPodGroupSchedulingConstraints;
    set disruption_mode "disruptionMode" crate::apply::scheduling::v1alpha3::WorkloadPodGroupDisruptionMode;
    list resource_claims "resourceClaims" crate::apply::scheduling::v1alpha3::WorkloadPodGroupResourceClaim;
}

part! { JobSchedulingConfiguration }

configuration! { JobSpec
    set parallelism "parallelism" i32;
    set completions "completions" i32;
    set active_deadline_seconds "activeDeadlineSeconds" i64;
    set pod_failure_policy "podFailurePolicy" PodFailurePolicy;
    set success_policy "successPolicy" SuccessPolicy;
    set backoff_limit "backoffLimit" i32;
    set backoff_limit_per_index "backoffLimitPerIndex" i32;
    set max_failed_indexes "maxFailedIndexes" i32;
    set selector "selector" crate::apply::meta::v1::LabelSelector;
    set manual_selector "manualSelector" bool;
    set template "template" crate::apply::core::v1::PodTemplateSpec;
    set ttl_seconds_after_finished "ttlSecondsAfterFinished" i32;
    set completion_mode "completionMode" client_rs_machinery::Str;
    set suspend "suspend" bool;
    set pod_replacement_policy "podReplacementPolicy" client_rs_machinery::Str;
    set managed_by "managedBy" client_rs_machinery::Str;
    set scheduling "scheduling" JobSchedulingConfiguration;
}

part! { JobSpec }

configuration! { JobStatus
    list conditions "conditions" JobCondition;
    set start_time "startTime" client_rs_machinery::Time;
    set completion_time "completionTime" client_rs_machinery::Time;
    set active "active" i32;
    set succeeded "succeeded" i32;
    set failed "failed" i32;
    set terminating "terminating" i32;
    set completed_indexes "completedIndexes" client_rs_machinery::Str;
    set failed_indexes "failedIndexes" client_rs_machinery::Str;
    set uncounted_terminated_pods "uncountedTerminatedPods" UncountedTerminatedPods;
    set ready "ready" i32;
}

part! { JobStatus }

configuration! { JobTemplateSpec + metadata
    set spec "spec" JobSpec;
}

part! { JobTemplateSpec }

configuration! { PodFailurePolicy
    list rules "rules" PodFailurePolicyRule;
}

part! { PodFailurePolicy }

configuration! { PodFailurePolicyOnExitCodesRequirement
    set container_name "containerName" client_rs_machinery::Str;
    set operator "operator" client_rs_machinery::Str;
    list values "values" i32;
}

part! { PodFailurePolicyOnExitCodesRequirement }

configuration! { PodFailurePolicyOnPodConditionsPattern
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
}

part! { PodFailurePolicyOnPodConditionsPattern }

configuration! { PodFailurePolicyRule
    set action "action" client_rs_machinery::Str;
    set on_exit_codes "onExitCodes" PodFailurePolicyOnExitCodesRequirement;
    list on_pod_conditions "onPodConditions" PodFailurePolicyOnPodConditionsPattern;
}

part! { PodFailurePolicyRule }

configuration! { SuccessPolicy
    list rules "rules" SuccessPolicyRule;
}

part! { SuccessPolicy }

configuration! { SuccessPolicyRule
    set succeeded_indexes "succeededIndexes" client_rs_machinery::Str;
    set succeeded_count "succeededCount" i32;
}

part! { SuccessPolicyRule }

configuration! { UncountedTerminatedPods
    list succeeded "succeeded" client_rs_machinery::Str;
    list failed "failed" client_rs_machinery::Str;
}

part! { UncountedTerminatedPods }
