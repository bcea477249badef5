//! Server-side apply by two managers, their conflict, and its resolution: `cargo run --example apply -- NAMESPACE`.

use client_rs::kubernetes::Clientset;
use client_rs::kubernetes::apply::core::v1::ConfigMap;
use client_rs::machinery::{ApiError, Json};
use client_rs::transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = Config::infer()?;
    let namespace = std::env::args().nth(1).unwrap_or_else(|| config.default_namespace.clone());
    let maps = Clientset::from_config(&config)?.core_v1().config_maps(namespace.as_str());
    let settings = || ConfigMap::new("apply-demo", namespace.as_str());

    // The first manager creates the object, and owns the fields that it applies.
    let applied = maps.apply(settings().data([("colour", "red"), ("size", "10")]), "painter").await?;
    println!("painter applied {:?}", applied.data);

    // The second manager applies another value to a field that has an owner.
    let wanted = settings().data([("colour", "blue")]);
    match maps.apply(&wanted, "decorator").await {
        Ok(_) => println!("no conflict"),
        Err(error) => {
            for conflict in error.api().into_iter().flat_map(ApiError::apply_conflicts) {
                println!("{} owns {}", conflict.manager, conflict.field);
            }
        }
    }
    let forced = maps.apply(&wanted, "decorator").force().await?;
    println!("decorator forced {:?}", forced.data);

    // The forced apply has taken the colour from the first manager: it still owns only the size.
    let owned = ConfigMap::extract(&forced, "painter")?;
    println!("painter still owns {:?}", Json::from(owned.clone())["data"]);
    maps.apply(owned, "painter").await?;

    maps.delete("apply-demo").await?;
    Ok(())
}
