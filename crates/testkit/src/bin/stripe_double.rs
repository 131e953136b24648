//! Serves the stand-in of Stripe until it is killed: `stripe_double ADDRESS SECONDS`, where the seconds since 1970 are its time.

use anyhow::Context as _;
use pavise_testkit::stripe::StripeServer;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut words = std::env::args().skip(1);
    let address = words.next().context("name the address to listen at")?;
    let now = words.next().context("name the time in seconds since 1970")?.parse()?;
    let server = StripeServer::start_at(&address, now).await?;
    eprintln!("the stand-in of Stripe serves at {}", server.url());
    std::future::pending::<()>().await;
    Ok(())
}
