// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/admissionregistration/v1alpha1`.

use crate::apply::{configuration, kind, part};

configuration! { ApplyConfiguration
    set expression "expression" client_rs_machinery::Str;
}

part! { ApplyConfiguration }

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

kind! { MutatingAdmissionPolicy "admissionregistration.k8s.io/v1alpha1" cluster stateless client_rs_api::admissionregistration::v1alpha1::MutatingAdmissionPolicy }

configuration! { MutatingAdmissionPolicyBinding + metadata
    set spec "spec" MutatingAdmissionPolicyBindingSpec;
}

kind! { MutatingAdmissionPolicyBinding "admissionregistration.k8s.io/v1alpha1" cluster stateless client_rs_api::admissionregistration::v1alpha1::MutatingAdmissionPolicyBinding }

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

configuration! { Variable
    set name "name" client_rs_machinery::Str;
    set expression "expression" client_rs_machinery::Str;
}

part! { Variable }
