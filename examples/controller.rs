//! A controller over a built-in kind: prints the phase of each pod whenever it changes. `cargo run --example controller`

use client_rs::prelude::*;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rest = RestClient::from_config(&Config::infer()?)?;
    let factory = SharedInformerFactory::new(rest);
    let pods = factory.core().v1().pods();
    let lister = pods.lister();
    let controller = Controller::new("pods", pods.informer()).reconcile(move |key: ObjectKey, _: Context| {
        // Level triggered: look at the current state, not at the event.
        let pod = lister.get(&key);
        async move {
            match pod {
                Ok(pod) => println!("{key} is {}", pod.status.phase),
                Err(_) => println!("{key} is gone"),
            }
            Ok(Action::done())
        }
    });
    Manager::new(&factory).controller(controller).run_until_signal().await?;
    Ok(())
}
