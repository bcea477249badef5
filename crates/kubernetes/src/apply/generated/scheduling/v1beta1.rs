// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/scheduling/v1beta1`.

use crate::apply::{configuration, kind, part};

configuration! { AllCompositeDisruptionMode
}

part! { AllCompositeDisruptionMode }

configuration! { AllDisruptionMode
}

part! { AllDisruptionMode }

configuration! { BasicSchedulingPolicy
}

part! { BasicSchedulingPolicy }

configuration! { CompositeBasicSchedulingPolicy
}

part! { CompositeBasicSchedulingPolicy }

configuration! { CompositeDisruptionMode
    set single "single" SingleCompositeDisruptionMode;
    set all "all" AllCompositeDisruptionMode;
}

part! { CompositeDisruptionMode }

configuration! { CompositeGangSchedulingPolicy
    set min_group_count "minGroupCount" i32;
}

part! { CompositeGangSchedulingPolicy }

configuration! { CompositePodGroupSchedulingConstraints
    list topology "topology" TopologyConstraint;
}

part! { CompositePodGroupSchedulingConstraints }

configuration! { CompositePodGroupSchedulingPolicy
    set basic "basic" CompositeBasicSchedulingPolicy;
    set gang "gang" CompositeGangSchedulingPolicy;
}

part! { CompositePodGroupSchedulingPolicy }

configuration! { CompositePodGroupTemplate
    set name "name" client_rs_machinery::Str;
    set scheduling_policy "schedulingPolicy" CompositePodGroupSchedulingPolicy;
    set scheduling_constraints "schedulingConstraints" CompositePodGroupSchedulingConstraints;
    set disruption_mode "disruptionMode" CompositeDisruptionMode;
    set priority_class_name "priorityClassName" client_rs_machinery::Str;
    set priority "priority" i32;
    set preemption_policy "preemptionPolicy" client_rs_machinery::Str;
    list pod_group_templates "podGroupTemplates" PodGroupTemplate;
    list composite_pod_group_templates "compositePodGroupTemplates" CompositePodGroupTemplate;
}

part! { CompositePodGroupTemplate }

configuration! { DisruptionMode
    set single "single" SingleDisruptionMode;
    set all "all" AllDisruptionMode;
}

part! { DisruptionMode }

configuration! { GangSchedulingPolicy
    set min_count "minCount" i32;
}

part! { GangSchedulingPolicy }

configuration! { PodGroup + metadata
    set spec "spec" PodGroupSpec;
    set status "status" PodGroupStatus;
}

kind! { PodGroup "scheduling.k8s.io/v1beta1" namespaced status client_rs_api::scheduling::v1beta1::PodGroup }

configuration! { PodGroupResourceClaim
    set name "name" client_rs_machinery::Str;
    set resource_claim_name "resourceClaimName" client_rs_machinery::Str;
    set resource_claim_template_name "resourceClaimTemplateName" client_rs_machinery::Str;
}

part! { PodGroupResourceClaim }

configuration! { PodGroupResourceClaimStatus
    set name "name" client_rs_machinery::Str;
    set resource_claim_name "resourceClaimName" client_rs_machinery::Str;
}

part! { PodGroupResourceClaimStatus }

configuration! { PodGroupSchedulingConstraints
    list topology "topology" TopologyConstraint;
}

part! { PodGroupSchedulingConstraints }

configuration! { PodGroupSchedulingPolicy
    set basic "basic" BasicSchedulingPolicy;
    set gang "gang" GangSchedulingPolicy;
}

part! { PodGroupSchedulingPolicy }

configuration! { PodGroupSpec
    set parent_composite_pod_group_name "parentCompositePodGroupName" client_rs_machinery::Str;
    set workload_ref "workloadRef" WorkloadReference;
    set scheduling_policy "schedulingPolicy" PodGroupSchedulingPolicy;
    set scheduling_constraints "schedulingConstraints" PodGroupSchedulingConstraints;
    list resource_claims "resourceClaims" PodGroupResourceClaim;
    set disruption_mode "disruptionMode" DisruptionMode;
    set priority_class_name "priorityClassName" client_rs_machinery::Str;
    set priority "priority" i32;
    set preemption_policy "preemptionPolicy" client_rs_machinery::Str;
}

part! { PodGroupSpec }

configuration! { PodGroupStatus
    list conditions "conditions" crate::apply::meta::v1::Condition;
    list resource_claim_statuses "resourceClaimStatuses" PodGroupResourceClaimStatus;
}

part! { PodGroupStatus }

configuration! { PodGroupTemplate
    set name "name" client_rs_machinery::Str;
    set scheduling_policy "schedulingPolicy" PodGroupSchedulingPolicy;
    set scheduling_constraints "schedulingConstraints" PodGroupSchedulingConstraints;
    list resource_claims "resourceClaims" PodGroupResourceClaim;
    set disruption_mode "disruptionMode" DisruptionMode;
    set priority_class_name "priorityClassName" client_rs_machinery::Str;
    set priority "priority" i32;
    set preemption_policy "preemptionPolicy" client_rs_machinery::Str;
}

part! { PodGroupTemplate }

configuration! { SingleCompositeDisruptionMode
}

part! { SingleCompositeDisruptionMode }

configuration! { SingleDisruptionMode
}

part! { SingleDisruptionMode }

configuration! { TopologyConstraint
    set key "key" client_rs_machinery::Str;
}

part! { TopologyConstraint }

configuration! { TypedLocalObjectReference
    set api_group "apiGroup" client_rs_machinery::Str;
    set kind "kind" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
}

part! { TypedLocalObjectReference }

configuration! { Workload + metadata
    set spec "spec" WorkloadSpec;
}

kind! { Workload "scheduling.k8s.io/v1beta1" namespaced stateless client_rs_api::scheduling::v1beta1::Workload }

configuration! { WorkloadReference
    set workload_name "workloadName" client_rs_machinery::Str;
    set template_name "templateName" client_rs_machinery::Str;
}

part! { WorkloadReference }

configuration! { WorkloadSpec
    set controller_ref "controllerRef" TypedLocalObjectReference;
    list pod_group_templates "podGroupTemplates" PodGroupTemplate;
    list composite_pod_group_templates "compositePodGroupTemplates" CompositePodGroupTemplate;
}

part! { WorkloadSpec }
