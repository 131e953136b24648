//! The platform behind real ports, in one process or split in several.

use std::collections::BTreeMap;

use anyhow::Context as _;
use pavise::domains;
use pavise_catalog::demo::WILL;
use pavise_mesh::Endpoint;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::Engine;
use crate::app::{Database, TestApp, TestAppBuilder};
use crate::catalog::stock_with;

/// The distribution of the domains over processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// All in one.
    Whole,
    /// Orders apart, billing apart, the rest together.
    Split,
}

impl Cut {
    /// Both, for a test that runs on each.
    pub const BOTH: [Self; 2] = [Self::Whole, Self::Split];

    fn parts(self) -> Vec<Vec<String>> {
        let all = domains::every();
        match self {
            Self::Whole => vec![all],
            Self::Split => {
                let apart = ["orders", "billing"].map(|name| vec![name.to_owned()]);
                let rest = all.into_iter().filter(|name| name != "orders" && name != "billing").collect();
                apart.into_iter().chain([rest]).collect()
            }
        }
    }
}

/// The parts, each behind a port of its own; any of them answers every call.
#[derive(Debug)]
pub struct Platform {
    parts: Vec<(TestApp, String, JoinHandle<()>)>,
    stop: CancellationToken,
}

impl Platform {
    /// Starts the parts, with the catalog of the demonstration and the benefit of a will.
    ///
    /// # Errors
    /// When a part does not start.
    pub async fn start(engine: Engine, cut: Cut) -> anyhow::Result<Self> {
        Self::start_with(engine, cut, |settings| settings).await
    }

    /// The same with the settings that `change` makes of the usual ones.
    ///
    /// # Errors
    /// When a part does not start.
    pub async fn start_with(
        engine: Engine,
        cut: Cut,
        change: impl Fn(TestAppBuilder) -> TestAppBuilder,
    ) -> anyhow::Result<Self> {
        let platform = Self::begin(engine, cut, &Database::new(engine).await?, change).await?;
        let channel = |domain: &str| platform.app().channel(domain, &TestApp::machine());
        stock_with(channel, &[WILL]).await.context("the catalog")?;
        Ok(platform)
    }

    /// Starts the parts on a database, each with the settings that `change` makes of the usual ones.
    ///
    /// # Errors
    /// When a part does not start.
    pub async fn begin(
        engine: Engine,
        cut: Cut,
        database: &Database,
        change: impl Fn(TestAppBuilder) -> TestAppBuilder,
    ) -> anyhow::Result<Self> {
        let mut listeners = Vec::new();
        let mut places = BTreeMap::new();
        for part in cut.parts() {
            let listener = TcpListener::bind("127.0.0.1:0").await?;
            let url = format!("http://{}", listener.local_addr()?);
            places.extend(part.iter().map(|domain| (domain.clone(), url.clone())));
            listeners.push((part, listener, url));
        }
        let stop = CancellationToken::new();
        let mut parts = Vec::new();
        for (part, listener, url) in listeners {
            let mut peers = BTreeMap::new();
            for (domain, place) in places.iter().filter(|(domain, _)| !part.contains(domain)) {
                peers.insert(domain.clone(), pavise_mesh::remote(&Endpoint::new(place.clone()), domains::reads)?);
            }
            let app = change(TestApp::on(engine)).part(database, part, peers).start().await?;
            let front = app.app.rest.clone().before(app.app.router.clone());
            let (router, stop) = (pavise_mesh::guard(front, 512, pavise_mesh::Spans::default()), stop.clone());
            let serving = tokio::spawn(async move {
                pavise_mesh::serve(listener, router, None, stop, std::time::Duration::from_secs(5)).await;
            });
            parts.push((app, url, serving));
        }
        Ok(Self { parts, stop })
    }

    /// The addresses of the parts.
    #[must_use]
    pub fn addresses(&self) -> Vec<&str> {
        self.parts.iter().map(|(_, url, _)| url.as_str()).collect()
    }

    /// The first part.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "there is always one part")]
    pub fn app(&self) -> &TestApp {
        &self.parts[0].0
    }

    /// Stops all parts and replays every journal.
    pub async fn finish(self) {
        self.stop.cancel();
        for (app, _, serving) in self.parts {
            let _ = serving.await;
            app.finish().await;
        }
    }
}
