// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1`.

use crate::apply::{configuration, kind, part};

configuration! { CustomResourceColumnDefinition
    set name "name" client_rs_machinery::Str;
    set type_ "type" client_rs_machinery::Str;
    set format "format" client_rs_machinery::Str;
    set description "description" client_rs_machinery::Str;
    set priority "priority" i32;
    set json_path "jsonPath" client_rs_machinery::Str;
}

part! { CustomResourceColumnDefinition }

configuration! { CustomResourceConversion
    set strategy "strategy" client_rs_machinery::Str;
    set webhook "webhook" WebhookConversion;
}

part! { CustomResourceConversion }

configuration! { CustomResourceDefinition + metadata
    set spec "spec" CustomResourceDefinitionSpec;
    set status "status" CustomResourceDefinitionStatus;
}

kind! { CustomResourceDefinition "apiextensions.k8s.io/v1" cluster status client_rs_api::apiextensions::v1::CustomResourceDefinition }

configuration! { CustomResourceDefinitionCondition
    set type_ "type" client_rs_machinery::Str;
    set status "status" client_rs_machinery::Str;
    set last_transition_time "lastTransitionTime" client_rs_machinery::Time;
    set reason "reason" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
    set observed_generation "observedGeneration" i64;
}

part! { CustomResourceDefinitionCondition }

configuration! { CustomResourceDefinitionNames
    set plural "plural" client_rs_machinery::Str;
    set singular "singular" client_rs_machinery::Str;
    list short_names "shortNames" client_rs_machinery::Str;
    set kind "kind" client_rs_machinery::Str;
    set list_kind "listKind" client_rs_machinery::Str;
    list categories "categories" client_rs_machinery::Str;
}

part! { CustomResourceDefinitionNames }

configuration! { CustomResourceDefinitionSpec
    set group "group" client_rs_machinery::Str;
    set names "names" CustomResourceDefinitionNames;
    set scope "scope" client_rs_machinery::Str;
    list versions "versions" CustomResourceDefinitionVersion;
    set conversion "conversion" CustomResourceConversion;
    set preserve_unknown_fields "preserveUnknownFields" bool;
}

part! { CustomResourceDefinitionSpec }

configuration! { CustomResourceDefinitionStatus
    list conditions "conditions" CustomResourceDefinitionCondition;
    set accepted_names "acceptedNames" CustomResourceDefinitionNames;
    list stored_versions "storedVersions" client_rs_machinery::Str;
    set observed_generation "observedGeneration" i64;
}

part! { CustomResourceDefinitionStatus }

configuration! { CustomResourceDefinitionVersion
    set name "name" client_rs_machinery::Str;
    set served "served" bool;
    set storage "storage" bool;
    set deprecated "deprecated" bool;
    set deprecation_warning "deprecationWarning" client_rs_machinery::Str;
    set schema "schema" CustomResourceValidation;
    set subresources "subresources" CustomResourceSubresources;
    list additional_printer_columns "additionalPrinterColumns" CustomResourceColumnDefinition;
    list selectable_fields "selectableFields" SelectableField;
}

part! { CustomResourceDefinitionVersion }

configuration! { CustomResourceSubresourceScale
    set spec_replicas_path "specReplicasPath" client_rs_machinery::Str;
    set status_replicas_path "statusReplicasPath" client_rs_machinery::Str;
    set label_selector_path "labelSelectorPath" client_rs_machinery::Str;
}

part! { CustomResourceSubresourceScale }

configuration! { CustomResourceSubresourceStatus
}

part! { CustomResourceSubresourceStatus }

configuration! { CustomResourceSubresources
    set status "status" CustomResourceSubresourceStatus;
    set scale "scale" CustomResourceSubresourceScale;
}

part! { CustomResourceSubresources }

configuration! { CustomResourceValidation
    set open_apiv3_schema "openAPIV3Schema" JSONSchemaProps;
}

part! { CustomResourceValidation }

configuration! { ExternalDocumentation
    set description "description" client_rs_machinery::Str;
    set url "url" client_rs_machinery::Str;
}

part! { ExternalDocumentation }

configuration! { JSONSchemaProps
    set id "id" client_rs_machinery::Str;
    set schema "$schema" client_rs_machinery::Str;
    set ref_ "$ref" client_rs_machinery::Str;
    set description "description" client_rs_machinery::Str;
    set type_ "type" client_rs_machinery::Str;
    set format "format" client_rs_machinery::Str;
    set title "title" client_rs_machinery::Str;
    set default "default" client_rs_machinery::Json;
    set maximum "maximum" f64;
    set exclusive_maximum "exclusiveMaximum" bool;
    set minimum "minimum" f64;
    set exclusive_minimum "exclusiveMinimum" bool;
    set max_length "maxLength" i64;
    set min_length "minLength" i64;
    set pattern "pattern" client_rs_machinery::Str;
    set max_items "maxItems" i64;
    set min_items "minItems" i64;
    set unique_items "uniqueItems" bool;
    set multiple_of "multipleOf" f64;
    list enum_ "enum" client_rs_machinery::Json;
    set max_properties "maxProperties" i64;
    set min_properties "minProperties" i64;
    list required "required" client_rs_machinery::Str;
    set items "items" client_rs_machinery::Json;
    list all_of "allOf" JSONSchemaProps;
    list one_of "oneOf" JSONSchemaProps;
    list any_of "anyOf" JSONSchemaProps;
    set not "not" JSONSchemaProps;
    map properties "properties" JSONSchemaProps;
    set additional_properties "additionalProperties" client_rs_machinery::Json;
    map pattern_properties "patternProperties" JSONSchemaProps;
    map dependencies "dependencies" client_rs_machinery::Json;
    set additional_items "additionalItems" client_rs_machinery::Json;
    map definitions "definitions" JSONSchemaProps;
    set external_docs "externalDocs" ExternalDocumentation;
    set example "example" client_rs_machinery::Json;
    set nullable "nullable" bool;
    set x_kubernetes_preserve_unknown_fields "x-kubernetes-preserve-unknown-fields" bool;
    set x_kubernetes_embedded_resource "x-kubernetes-embedded-resource" bool;
    set x_kubernetes_int_or_string "x-kubernetes-int-or-string" bool;
    list x_kubernetes_list_map_keys "x-kubernetes-list-map-keys" client_rs_machinery::Str;
    set x_kubernetes_list_type "x-kubernetes-list-type" client_rs_machinery::Str;
    set x_kubernetes_map_type "x-kubernetes-map-type" client_rs_machinery::Str;
    list x_kubernetes_validations "x-kubernetes-validations" ValidationRule;
}

part! { JSONSchemaProps }

configuration! { SelectableField
    set json_path "jsonPath" client_rs_machinery::Str;
}

part! { SelectableField }

configuration! { ServiceReference
    set namespace "namespace" client_rs_machinery::Str;
    set name "name" client_rs_machinery::Str;
    set path "path" client_rs_machinery::Str;
    set port "port" i32;
}

part! { ServiceReference }

configuration! { ValidationRule
    set rule "rule" client_rs_machinery::Str;
    set message "message" client_rs_machinery::Str;
    set message_expression "messageExpression" client_rs_machinery::Str;
    set reason "reason" client_rs_machinery::Str;
    set field_path "fieldPath" client_rs_machinery::Str;
    set optional_old_self "optionalOldSelf" bool;
}

part! { ValidationRule }

configuration! { WebhookClientConfig
    set url "url" client_rs_machinery::Str;
    set service "service" ServiceReference;
    set ca_bundle "caBundle" client_rs_machinery::Blob;
}

part! { WebhookClientConfig }

configuration! { WebhookConversion
    set client_config "clientConfig" WebhookClientConfig;
    list conversion_review_versions "conversionReviewVersions" client_rs_machinery::Str;
}

part! { WebhookConversion }
