// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of `k8s.io/api/events/v1`.

use crate::apply::{configuration, kind, part};

configuration! { Event + metadata
    set event_time "eventTime" client_rs_machinery::MicroTime;
    set series "series" EventSeries;
    set reporting_controller "reportingController" client_rs_machinery::Str;
    set reporting_instance "reportingInstance" client_rs_machinery::Str;
    set action "action" client_rs_machinery::Str;
    set reason "reason" client_rs_machinery::Str;
    set regarding "regarding" crate::apply::core::v1::ObjectReference;
    set related "related" crate::apply::core::v1::ObjectReference;
    set note "note" client_rs_machinery::Str;
    set type_ "type" client_rs_machinery::Str;
    set deprecated_source "deprecatedSource" crate::apply::core::v1::EventSource;
    set deprecated_first_timestamp "deprecatedFirstTimestamp" client_rs_machinery::Time;
    set deprecated_last_timestamp "deprecatedLastTimestamp" client_rs_machinery::Time;
    set deprecated_count "deprecatedCount" i32;
}

kind! { Event "events.k8s.io/v1" namespaced stateless client_rs_api::events::v1::Event }

configuration! { EventSeries
    set count "count" i32;
    set last_observed_time "lastObservedTime" client_rs_machinery::MicroTime;
}

part! { EventSeries }
