//! Logs, metrics and traces.

use std::io::IsTerminal as _;

use anyhow::Context as _;
use http::{HeaderMap, Method};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use opentelemetry::propagation::Extractor;
use opentelemetry::trace::{TraceContextExt as _, TracerProvider as _};
use opentelemetry_otlp::WithExportConfig as _;
use opentelemetry_sdk::trace::SdkTracerProvider;
use pavise_mesh::Spans;
use tracing::{Span, field};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _};

use crate::settings::Settings;

/// Bounds of the time histograms, in seconds.
const BUCKETS: [f64; 12] = [0.000_1, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0];

/// The target of security events.
const SECURITY: &str = "pavise::security";

/// The exporter that must be closed at the end.
#[derive(Debug, Default)]
pub struct Telemetry(Option<SdkTracerProvider>);

impl Telemetry {
    /// Starts logging, and exporting traces where an endpoint is set.
    ///
    /// # Errors
    /// When the filter or the endpoint cannot be read.
    pub fn start(settings: &Settings) -> anyhow::Result<Self> {
        let filter = with_security(&settings.log);
        let filter = EnvFilter::try_new(filter).with_context(|| format!("--log {} is no filter", settings.log))?;
        let logs = match settings.log_format.as_str() {
            "json" => tracing_subscriber::fmt::layer().json().with_writer(std::io::stderr).boxed(),
            "text" => tracing_subscriber::fmt::layer()
                .with_ansi(std::io::stderr().is_terminal())
                .with_writer(std::io::stderr)
                .boxed(),
            other => anyhow::bail!("--log-format {other}: it is text or json"),
        };
        // Each has a filter of its own: quieter logs must not mean fewer traces.
        let logs = logs.with_filter(filter);
        let mut provider = None;
        let mut traces = None;
        if let Some(endpoint) = &settings.otlp_endpoint {
            let exporter = opentelemetry_otlp::SpanExporter::builder()
                .with_tonic()
                .with_endpoint(endpoint)
                .build()
                .context("the OTLP endpoint cannot be used")?;
            let built = SdkTracerProvider::builder().with_batch_exporter(exporter).build();
            let layer = tracing_opentelemetry::layer().with_tracer(built.tracer("pavise"));
            traces = Some(layer.with_filter(LevelFilter::INFO));
            opentelemetry::global::set_text_map_propagator(
                opentelemetry_sdk::propagation::TraceContextPropagator::new(),
            );
            provider = Some(built);
        }
        tracing_subscriber::registry().with(logs).with(traces).init();
        Ok(Self(provider))
    }

    /// The spans of requests: they hold more where traces are exported.
    pub fn spans(&self) -> Spans {
        if self.0.is_some() { Spans { begin: exported, routed: name_after } } else { Spans::default() }
    }

    /// Sends the remaining spans.
    pub fn stop(self) {
        if let Some(provider) = self.0
            && let Err(error) = provider.shutdown()
        {
            tracing::warn!(cause = %error, "the last traces were not sent");
        }
    }
}

/// Starts collecting metrics; the handle renders them.
///
/// # Errors
/// When a recorder is installed already.
pub fn metrics() -> anyhow::Result<PrometheusHandle> {
    let builder = PrometheusBuilder::new().set_buckets(&BUCKETS).context("bounds of the histograms")?;
    builder.install_recorder().context("metrics cannot be collected")
}

/// The filter of the log, with the security events: a quieter log has them still, unless it says otherwise about them.
fn with_security(filter: &str) -> String {
    if filter.contains(SECURITY) || filter.trim().eq_ignore_ascii_case("off") {
        return filter.to_owned();
    }
    let comma = if filter.trim().is_empty() { "" } else { "," };
    format!("{filter}{comma}{SECURITY}=info")
}

/// A request's span for export: below the span of its caller, which the W3C trace context of its headers names.
fn exported(method: &Method, headers: &HeaderMap, trace_id: &str) -> Span {
    let span = tracing::info_span!(
        "request",
        otel.kind = "server",
        http.request.method = %method,
        http.route = field::Empty,
        %trace_id,
    );
    let parent = opentelemetry::global::get_text_map_propagator(|propagator| propagator.extract(&Headers(headers)));
    // This fails without the exporting layer, and then no span needs a parent.
    let _ = span.set_parent(parent);
    span
}

/// Names a request's span after its route. The span has begun by then, so recording the name has no effect.
fn name_after(span: &Span, route: &str) {
    span.record("http.route", route);
    span.context().span().update_name(route.to_owned());
}

/// Headers as the propagator reads them.
struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_log_has_the_security_events_still() {
        for (given, used) in [
            ("warn", "warn,pavise::security=info"),
            ("", "pavise::security=info"),
            ("info,pavise::access=warn", "info,pavise::access=warn,pavise::security=info"),
            ("off", "off"),
            ("info,pavise::security=off", "info,pavise::security=off"),
        ] {
            assert_eq!(with_security(given), used);
            EnvFilter::try_new(used).unwrap();
        }
    }
}
