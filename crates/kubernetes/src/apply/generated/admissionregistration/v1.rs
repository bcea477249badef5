// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/admissionregistration/v1`.

use crate::apply::{configuration, kind, part};

configuration! { ApplyConfiguration
    set expression "expression" client_rs_machinery::Str;
}

part! { ApplyConfiguration }

configuration! { AuditAnnotation
    set key "key" client_rs_machinery::Str;
    set value_expression "valueExpression" client_rs_machinery::Str;
}

part! { AuditAnnotation }

configuration! { ExpressionWarning
    set field_ref "fieldRef" client_rs_machinery::Str;
    set warning "warning" client_rs_machinery::Str;
}

part! { ExpressionWarning }

configuration! { JSONPatch
    set expression "expression" client_rs_machinery::Str;
}

part! { JSONPatch }

configuration! { MatchCondition
    set name "name" client_rs_machinery::Str;
    set expression "expression" client_rs_machinery::Str;
}

part! { MatchCondition }

configuration! { MatchResources
    set namespace_selector "namespaceSelector" crate::apply::meta::v1::LabelSelector;
    set object_selector "objectSelector" crate::apply::meta::v1::LabelSelector;
    list resource_rules "resourceRules" NamedRuleWithOperations;
    list exclude_resource_rules "excludeResourceRules" NamedRuleWithOperations;
    set match_policy "matchPolicy" client_rs_machinery::Str;
}

part! { MatchResources }

configuration! { MutatingAdmissionPolicy + metadata
    set spec "spec" MutatingAdmissionPolicySpec;
}

kind! { MutatingAdmissionPolicy "admissionregistration.k8s.io/v1" cluster stateless client_rs_api::admissionregistration::v1::MutatingAdmissionPolicy }

configuration! { MutatingAdmissionPolicyBinding + metadata
    set spec "spec" MutatingAdmissionPolicyBindingSpec;
}

kind! { MutatingAdmissionPolicyBinding "admissionregistration.k8s.io/v1" cluster stateless client_rs_api::admissionregistration::v1::MutatingAdmissionPolicyBinding }

configuration! { MutatingAdmissionPolicyBindingSpec
    set policy_name "policyName" client_rs_machinery::Str;
    set param_ref "paramRef" ParamRef;
    set match_resources "matchResources" MatchResources;
}

part! { MutatingAdmissionPolicyBindingSpec }

configuration! { MutatingAdmissionPolicySpec
    set param_kind "paramKind" ParamKind;
    set match_constraints "matchConstraints" MatchResources;
    list variables "variables" Variable;
    list mutations "mutations" Mutation;
    set failure_policy "failurePolicy" client_rs_machinery::Str;
    list match_conditions "matchConditions" MatchCondition;
    set reinvocation_policy "reinvocationPolicy" client_rs_machinery::Str;
}

part! { MutatingAdmissionPolicySpec }

configuration! { MutatingWebhook
    set name "name" client_rs_machinery::Str;
    set client_config "clientConfig" WebhookClientConfig;
    list rules "rules" RuleWithOperations;
    set failure_policy "failurePolicy" client_rs_machinery::Str;
    set match_policy "matchPolicy" client_rs_machinery::Str;
    set namespace_selector "namespaceSelector" crate::apply::meta::v1::LabelSelector;
    set object_selector "objectSelector" crate::apply::meta::v1::LabelSelector;
    set side_effects "sideEffects" client_rs_machinery::Str;
    set timeout_seconds "timeoutSeconds" i32;
    list admission_review_versions "admissionReviewVersions" client_rs_machinery::Str;
    set reinvocation_policy "reinvocationPolicy" client_rs_machinery::Str;
    list match_conditions "matchConditions" MatchCondition;
}

part! { MutatingWebhook }

configuration! { MutatingWebhookConfiguration + metadata
    list webhooks "webhooks" MutatingWebhook;
}

kind! { MutatingWebhookConfiguration "admissionregistration.k8s.io/v1" cluster stateless client_rs_api::admissionregistration::v1::MutatingWebhookConfiguration }

configuration! { Mutation
    set patch_type "patchType" client_rs_machinery::Str;
    set apply_configuration "applyConfiguration" ApplyConfiguration;
    set json_patch "jsonPatch" JSONPatch;
}

part! { Mutation }

configuration! { NamedRuleWithOperations
    list resource_names "resourceNames" client_rs_machinery::Str;
    list operations "operations" client_rs_machinery::Str;
    list api_groups "apiGroups" client_rs_machinery::Str;
    list api_versions "apiVersions" client_rs_machinery::Str;
    list resources "resources" client_rs_machinery::Str;
    set scope "scope" client_rs_machinery::Str;
}

part! { NamedRuleWithOperations }

configuration! { ParamKind
    set api_version "apiVersion" client_rs_machinery::Str;
    set kind "kind" client_rs_machinery::Str;
}

part! { ParamKind }

configuration! { ParamRef
    set name "name" client_rs_machinery::Str;
    set namespace "namespace" client_rs_machinery::Str;
    set selector "selector" crate::apply::meta::v1::LabelSelector;
    set parameter_not_found_action "parameterNotFoundAction" client_rs_machinery::Str;
}

part! { ParamRef }

configuration! { RuleWithOperations
    list operations "operations" client_rs_machinery::Str;
    list api_groups "apiGroups" client_rs_machinery::Str;
    list api_versions "apiVersions" client_rs_machinery::Str;
    list resources "resources" client_rs_machinery::Str;
    set scope "scope" client_rs_machinery::Str;
}

part! { RuleWithOperations }

configuration! { ServiceReference
    set namespace "namespace" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
    set path "path" client_rs_machinery::Str;
    set port "port" i32;
}

part! { ServiceReference }

configuration! { TypeChecking
    list expression_warnings "expressionWarnings" ExpressionWarning;
}

part! { TypeChecking }

configuration! { ValidatingAdmissionPolicy + metadata
    set spec "spec" ValidatingAdmissionPolicySpec;
    set status "status" ValidatingAdmissionPolicyStatus;
}

kind! { ValidatingAdmissionPolicy "admissionregistration.k8s.io/v1" cluster status client_rs_api::admissionregistration::v1::ValidatingAdmissionPolicy }

configuration! { ValidatingAdmissionPolicyBinding + metadata
    set spec "spec" ValidatingAdmissionPolicyBindingSpec;
}

kind! { ValidatingAdmissionPolicyBinding "admissionregistration.k8s.io/v1" cluster stateless client_rs_api::admissionregistration::v1::ValidatingAdmissionPolicyBinding }

configuration! { ValidatingAdmissionPolicyBindingSpec
    set policy_name "policyName" client_rs_machinery::Str;
    set param_ref "paramRef" ParamRef;
    set match_resources "matchResources" MatchResources;
    list validation_actions "validationActions" client_rs_machinery::Str;
}

part! { ValidatingAdmissionPolicyBindingSpec }

configuration! { ValidatingAdmissionPolicySpec
    set param_kind "paramKind" ParamKind;
    set match_constraints "matchConstraints" MatchResources;
    list validations "validations" Validation;
    set failure_policy "failurePolicy" client_rs_machinery::Str;
    list audit_annotations "auditAnnotations" AuditAnnotation;
    list match_conditions "matchConditions" MatchCondition;
    list variables "variables" Variable;
}

part! { ValidatingAdmissionPolicySpec }

configuration! { ValidatingAdmissionPolicyStatus
    set observed_generation "observedGeneration" i64;
    set type_checking "typeChecking" TypeChecking;
    list conditions "conditions" crate::apply::meta::v1::Condition;
}

part! { ValidatingAdmissionPolicyStatus }

configuration! { ValidatingWebhook
    set name "name" client_rs_machinery::Str;
    set client_config "clientConfig" WebhookClientConfig;
    list rules "rules" RuleWithOperations;
    set failure_policy "failurePolicy" client_rs_machinery::Str;
    set match_policy "matchPolicy" client_rs_machinery::Str;
    set namespace_selector "namespaceSelector" crate::apply::meta::v1::LabelSelector;
    set object_selector "objectSelector" crate::apply::meta::v1::LabelSelector;
    set side_effects "sideEffects" client_rs_machinery::Str;
    set timeout_seconds "timeoutSeconds" i32;
    list admission_review_versions "admissionReviewVersions" client_rs_machinery::Str;
    list match_conditions "matchConditions" MatchCondition;
}

part! { ValidatingWebhook }

configuration! { ValidatingWebhookConfiguration + metadata
    list webhooks "webhooks" ValidatingWebhook;
}

kind! { ValidatingWebhookConfiguration "admissionregistration.k8s.io/v1" cluster stateless client_rs_api::admissionregistration::v1::ValidatingWebhookConfiguration }

configuration! { Validation
    set expression "expression" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
    set reason "reason" client_rs_machinery::Str;
    set message_expression "messageExpression" client_rs_machinery::Str;
}

part! { Validation }

configuration! { Variable
    set name "name" client_rs_machinery::Str;
    set expression "expression" client_rs_machinery::Str;
}

part! { Variable }

configuration! { WebhookClientConfig
    set url "url" client_rs_machinery::Str;
    set service "service" ServiceReference;
    set ca_bundle "caBundle" client_rs_machinery::Blob;
}

part! { WebhookClientConfig }
