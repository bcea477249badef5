// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/flowcontrol/v1`.

use crate::apply::{configuration, kind, part};

configuration! { ExemptPriorityLevelConfiguration
    set nominal_concurrency_shares "nominalConcurrencyShares" i32;
    set lendable_percent "lendablePercent" i32;
}

part! { ExemptPriorityLevelConfiguration }

configuration! { FlowDistinguisherMethod
    set type_ "type" client_rs_machinery::Str;
}

part! { FlowDistinguisherMethod }

configuration! { FlowSchema + metadata
    set spec "spec" FlowSchemaSpec;
    set status "status" FlowSchemaStatus;
}

kind! { FlowSchema "flowcontrol.apiserver.k8s.io/v1" cluster status client_rs_api::flowcontrol::v1::FlowSchema }

configuration! { FlowSchemaCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { FlowSchemaCondition }

configuration! { FlowSchemaSpec
    set priority_level_configuration "priorityLevelConfiguration" PriorityLevelConfigurationReference;
    set matching_precedence "matchingPrecedence" i32;
    set distinguisher_method "distinguisherMethod" FlowDistinguisherMethod;
    list rules "rules" PolicyRulesWithSubjects;
}

part! { FlowSchemaSpec }

configuration! { FlowSchemaStatus
    list conditions "conditions" FlowSchemaCondition;
}

part! { FlowSchemaStatus }

configuration! { GroupSubject
    set name "name" client_rs_machinery::Str;
}

part! { GroupSubject }

configuration! { LimitResponse
    set type_ "type" client_rs_machinery::Str;
    set queuing "queuing" QueuingConfiguration;
}

part! { LimitResponse }

configuration! { LimitedPriorityLevelConfiguration
    set nominal_concurrency_shares "nominalConcurrencyShares" i32;
    set limit_response "limitResponse" LimitResponse;
    set lendable_percent "lendablePercent" i32;
    set borrowing_limit_percent "borrowingLimitPercent" i32;
}

part! { LimitedPriorityLevelConfiguration }

configuration! { NonResourcePolicyRule
    list verbs "verbs" client_rs_machinery::Str;
    list non_resource_urls "nonResourceURLs" client_rs_machinery::Str;
}

part! { NonResourcePolicyRule }

configuration! { PolicyRulesWithSubjects
    list subjects "subjects" Subject;
    list resource_rules "resourceRules" ResourcePolicyRule;
    list non_resource_rules "nonResourceRules" NonResourcePolicyRule;
}

part! { PolicyRulesWithSubjects }

configuration! { PriorityLevelConfiguration + metadata
    set spec "spec" PriorityLevelConfigurationSpec;
    set status "status" PriorityLevelConfigurationStatus;
}

kind! { PriorityLevelConfiguration "flowcontrol.apiserver.k8s.io/v1" cluster status client_rs_api::flowcontrol::v1::PriorityLevelConfiguration }

configuration! { PriorityLevelConfigurationCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
}

part! { PriorityLevelConfigurationCondition }

configuration! { PriorityLevelConfigurationReference
    set name "name" client_rs_machinery::Str;
}

part! { PriorityLevelConfigurationReference }

configuration! { PriorityLevelConfigurationSpec
    set type_ "type" client_rs_machinery::Str;
    set limited "limited" LimitedPriorityLevelConfiguration;
    set exempt "exempt" ExemptPriorityLevelConfiguration;
}

part! { PriorityLevelConfigurationSpec }

configuration! { PriorityLevelConfigurationStatus
    list conditions "conditions" PriorityLevelConfigurationCondition;
}

part! { PriorityLevelConfigurationStatus }

configuration! { QueuingConfiguration
    set queues "queues" i32;
    set hand_size "handSize" i32;
    set queue_length_limit "queueLengthLimit" i32;
}

part! { QueuingConfiguration }

configuration! { ResourcePolicyRule
    list verbs "verbs" client_rs_machinery::Str;
    list api_groups "apiGroups" client_rs_machinery::Str;
    list resources "resources" client_rs_machinery::Str;
    set cluster_scope "clusterScope" bool;
    list namespaces "namespaces" client_rs_machinery::Str;
}

part! { ResourcePolicyRule }

configuration! { ServiceAccountSubject
    set namespace "namespace" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
}

part! { ServiceAccountSubject }

configuration! { Subject
    set kind "kind" client_rs_machinery::Str;
    set user "user" UserSubject;
    set group "group" GroupSubject;
    set service_account "serviceAccount" ServiceAccountSubject;
}

part! { Subject }

configuration! { UserSubject
    set name "name" client_rs_machinery::Str;
}

part! { UserSubject }
