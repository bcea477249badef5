// A kind of one's own has the verbs and subresources that it was given, and no others.
use client_rs_client::{Api, RestClient};
use client_rs_custom::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "Widget", namespaced, crate = client_rs_custom)]
#[schema(crate = client_rs_custom)]
struct WidgetSpec {}

fn misuse(rest: &RestClient, widget: Widget) {
    let widgets = Api::<Widget>::namespaced(rest, "default");
    let _ = widgets.update_status(widget);
    let _ = widgets.scale("a").get();
    let _ = Api::<Widget>::cluster(rest);
}

fn main() {}
