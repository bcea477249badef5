//! A controller over a built-in kind: says of each pod what it is, whenever that changes. `cargo run --example controller`

use client_rs_cache::FactoryOptions;
use client_rs_client::RestClient;
use client_rs_controller::{Action, Context, Controller, ControllerOptions, Manager, ManagerOptions};
use client_rs_informers::SharedInformerFactory;
use client_rs_kubernetes::informers::BuiltInInformers;
use client_rs_machinery::ObjectKey;
use client_rs_transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rest = RestClient::from_config(&Config::infer()?)?;
    let factory = SharedInformerFactory::new(rest, FactoryOptions::default());
    let pods = factory.core().v1().pods();
    let lister = pods.lister();
    let controller = Controller::new("pods", pods.informer(), ControllerOptions::default()).reconcile(
        move |key: ObjectKey, _: Context| {
            // Level triggered: look at what is there now, not at what happened.
            let pod = lister.get(&key);
            async move {
                match pod {
                    Ok(pod) => println!("{key} is {}", pod.status.phase),
                    Err(_) => println!("{key} is gone"),
                }
                Ok(Action::done())
            }
        },
    );
    let manager = Manager::new(factory.informers().clone(), ManagerOptions::default());
    manager.controller(controller).run_until_signal().await?;
    Ok(())
}
