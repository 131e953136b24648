//! The settings of the operator: by flag, by environment variable, or in a file; the first that sets a value counts.

mod checks;
mod given;
mod passkeys;
mod stripe;

pub use given::Given;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use figment::Figment;
use figment::providers::{Format as _, Serialized, Toml};
use pavise_billing::contract::v1::UnusedDays;
use pavise_identity::SignInApplication;
use pavise_identity::contract::v1::{IdentityRealm, LoginRealm};
use pavise_kernel::common::v1::Date;
use pavise_mesh::Network;

/// The complete settings.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "each is the flag of the same name")]
pub struct Settings {
    pub listen: String,
    pub admin_listen: String,
    pub database: String,
    pub files: Option<String>,
    pub base_domain: String,
    pub public_url: String,
    pub sign_in_apps: Option<Vec<SignInApplication>>,
    pub passkey_domain: String,
    pub passkey_origins: Vec<String>,
    pub web: PathBuf,
    pub only: Vec<String>,
    pub peers: BTreeMap<String, String>,
    pub mesh_secret: Option<String>,
    pub mesh_secret_also: Option<String>,
    pub key_secret: Option<String>,
    pub key_database: Option<String>,
    pub second_factor_realms: Vec<IdentityRealm>,
    pub leaked_passwords: Option<PathBuf>,
    pub key_secret_also: Option<String>,
    pub smtp_url: Option<String>,
    pub mail_from: String,
    pub outbox: bool,
    pub sendgrid_verification_key: Option<String>,
    pub twilio_auth_token: Option<String>,
    pub chromium: Option<PathBuf>,
    pub print_hosts: Vec<String>,
    pub clamd: Option<String>,
    pub sellers: Option<PathBuf>,
    pub unused_days: UnusedDays,
    pub repricing_notice_days: Option<u16>,
    pub cooling_off: pavise_orders::CoolingOff,
    pub tls: Option<(PathBuf, PathBuf)>,
    pub tls_client_ca: Option<PathBuf>,
    pub peer_ca: Option<PathBuf>,
    pub peer_cert: Option<(PathBuf, PathBuf)>,
    pub max_in_flight: usize,
    pub max_body: usize,
    pub database_connections: usize,
    pub grace: Duration,
    pub allowed_origins: Vec<String>,
    pub trusted_proxies: Vec<Network>,
    pub reflection: bool,
    pub otlp_endpoint: Option<String>,
    pub log: String,
    pub log_format: String,
    pub stripe: Option<pavise_billing::StripeConfig>,
    pub test_vendor: bool,
    pub demo_data: bool,
    pub demo_members: u32,
    pub test_clock: Option<TestClockStart>,
}

/// Where the test clock of an empty database begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TestClockStart {
    /// On the machine's day.
    Today,
    /// On this day.
    On(Date),
}

impl Given {
    /// The settings with those of the file below them.
    fn with_file(self) -> anyhow::Result<Self> {
        let mut figment = Figment::new();
        if let Some(file) = &self.config {
            if !file.is_file() {
                bail!("there is no configuration file {}", file.display());
            }
            figment = figment.merge(Toml::file_exact(file));
        }
        figment.merge(Serialized::defaults(&self)).extract().context("the configuration file is not right")
    }

    /// Completes the settings with their defaults.
    ///
    /// # Errors
    /// When the file cannot be read, or settings contradict each other; the text says what to do.
    pub fn decide(self) -> anyhow::Result<Settings> {
        let given = self.with_file()?;
        let only =
            checks::here(given.only.as_deref().unwrap_or_default(), given.except.as_deref().unwrap_or_default())?;
        let peers = checks::peers(given.peer.as_deref().unwrap_or_default(), &only)?;
        checks::check(&given)?;
        checks::certificates(&given, &peers)?;
        check_secrets(&given, &peers)?;
        let stripe = stripe::read_account(&given)?;
        let tls = pair(given.tls_cert, given.tls_key, "--tls-cert and --tls-key belong together")?;
        let peer_cert = pair(given.peer_cert, given.peer_key, "--peer-cert and --peer-key belong together")?;
        let listen = given.listen.unwrap_or_else(|| "127.0.0.1:8080".to_owned());
        let base_domain = given.base_domain.unwrap_or_else(|| "localhost".to_owned());
        let public_url = given.public_url.unwrap_or_else(|| public_url(&base_domain, &listen, tls.is_some()));
        if !public_url.starts_with("http://") && !public_url.starts_with("https://") {
            bail!("--public-url {public_url}: write it as https://…");
        }
        let (passkey_domain, passkey_origins) =
            passkeys::site(&public_url, given.passkey_domain, given.passkey_origin.unwrap_or_default())?;
        let proxies = given.trusted_proxy.unwrap_or_else(|| ["127.0.0.1", "::1"].map(str::to_owned).to_vec());
        let network = |text: &String| text.parse().with_context(|| format!("--trusted-proxy {text}"));
        let sign_in_apps =
            given.sign_in_app.map(|apps| apps.iter().map(|app| sign_in_app(app)).collect()).transpose()?;
        let demo_data = given.demo_data.unwrap_or(false);
        let test_vendor = checks::test_vendor(given.test_vendor, demo_data, &public_url)?;
        let test_clock = checks::test_clock(given.test_clock.as_deref(), given.smtp_url.as_deref(), stripe.as_ref())?;
        let database = given.database.unwrap_or_else(|| "sqlite://data/pavise.db".to_owned());
        checks::one_database(test_clock.is_some(), &database, &only)?;
        Ok(Settings {
            listen,
            admin_listen: given.admin_listen.unwrap_or_else(|| "127.0.0.1:8081".to_owned()),
            database,
            files: given.files,
            base_domain,
            public_url,
            sign_in_apps,
            passkey_domain,
            passkey_origins,
            web: given.web.unwrap_or_else(|| PathBuf::from("web/dist")),
            only,
            peers,
            mesh_secret: given.mesh_secret,
            mesh_secret_also: given.mesh_secret_also,
            key_secret: given.key_secret,
            key_database: given.key_database,
            second_factor_realms: second_factor_realms(given.second_factor_realm, demo_data)?,
            leaked_passwords: given.leaked_passwords,
            key_secret_also: given.key_secret_also,
            smtp_url: given.smtp_url,
            mail_from: given.mail_from.unwrap_or_else(|| "Pavise <no-reply@localhost>".to_owned()),
            outbox: given.outbox.unwrap_or(demo_data),
            sendgrid_verification_key: given.sendgrid_verification_key,
            twilio_auth_token: given.twilio_auth_token,
            chromium: given.chromium,
            print_hosts: given.print_host.unwrap_or_default(),
            clamd: given.clamd,
            sellers: given.sellers,
            unused_days: checks::unused_days(given.unused_days.as_deref())?,
            repricing_notice_days: checks::repricing_notice_days(given.repricing_notice_days)?,
            cooling_off: checks::cooling_off(given.cooling_off_days.as_deref().unwrap_or_default())?,
            tls,
            tls_client_ca: given.tls_client_ca,
            peer_ca: given.peer_ca,
            peer_cert,
            max_in_flight: given.max_in_flight.unwrap_or(1024),
            max_body: given.max_body.unwrap_or(4 << 20),
            database_connections: given.database_connections.unwrap_or(16),
            grace: Duration::from_secs(given.grace.unwrap_or(20)),
            allowed_origins: checks::origins(given.allowed_origin.unwrap_or_default())?,
            trusted_proxies: proxies.iter().map(network).collect::<anyhow::Result<_>>()?,
            reflection: given.reflection.unwrap_or(demo_data),
            otlp_endpoint: given.otlp_endpoint,
            log: given.log.unwrap_or_else(|| "info".to_owned()),
            log_format: given.log_format.unwrap_or_else(|| "text".to_owned()),
            stripe,
            test_vendor,
            demo_data,
            demo_members: given.demo_members.unwrap_or(300),
            test_clock,
        })
    }
}

impl Settings {
    /// Whether browsers may send cookies over TLS only: always, except for a server that is tried on its own machine.
    #[must_use]
    pub fn secure_cookies(&self) -> bool {
        let host = self.listen.rsplit_once(':').map_or(self.listen.as_str(), |(host, _)| host);
        let host = host.trim_matches(['[', ']']);
        let loopback =
            host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
        !loopback || self.https()
    }

    /// Whether the server's pages are at https: it has TLS itself, or a proxy in front of it has.
    #[must_use]
    pub fn https(&self) -> bool {
        self.tls.is_some() || self.public_url.starts_with("https://")
    }
}

/// Checks that each secret that needs another one has it.
fn check_secrets(given: &Given, peers: &BTreeMap<String, String>) -> anyhow::Result<()> {
    if !peers.is_empty() && given.mesh_secret.is_none() {
        bail!("with --peer, all processes need the same --mesh-secret (or PAVISE_MESH_SECRET)");
    }
    if given.mesh_secret_also.is_some() && given.mesh_secret.is_none() {
        bail!("--mesh-secret-also is a second secret: set --mesh-secret, too");
    }
    if given.key_secret_also.is_some() && given.key_secret.is_none() {
        bail!("--key-secret-also is a second secret: set --key-secret, too");
    }
    Ok(())
}

/// A certificate and its key; none without both.
fn pair<T>(cert: Option<T>, key: Option<T>, refusal: &str) -> anyhow::Result<Option<(T, T)>> {
    match (cert, key) {
        (Some(cert), Some(key)) => Ok(Some((cert, key))),
        (None, None) => Ok(None),
        _ => bail!("{refusal}"),
    }
}

/// The public URL of a server that was not told.
fn public_url(base_domain: &str, listen: &str, tls: bool) -> String {
    let scheme = if tls { "https" } else { "http" };
    let port = listen.rsplit_once(':').map_or("", |(_, port)| port);
    match base_domain {
        "localhost" => format!("{scheme}://localhost:{port}"),
        // An installation with a domain has TLS in front of it.
        domain => format!("https://{domain}"),
    }
}

/// The realms whose sign-ins need a second factor.
fn second_factor_realms(given: Option<Vec<String>>, demo_data: bool) -> anyhow::Result<Vec<IdentityRealm>> {
    let Some(given) = given else {
        return Ok(if demo_data { Vec::new() } else { vec![IdentityRealm::Internal, IdentityRealm::Partner] });
    };
    if given == ["none"] {
        return Ok(Vec::new());
    }
    let realm = |text: &String| match text.as_str() {
        "user" => Ok(IdentityRealm::User),
        "internal" => Ok(IdentityRealm::Internal),
        "partner" => Ok(IdentityRealm::Partner),
        "groupAdmin" => Ok(IdentityRealm::GroupAdmin),
        _ => bail!("--second-factor-realm {text}: write user, internal, partner, groupAdmin, or none alone"),
    };
    given.iter().map(realm).collect()
}

fn sign_in_app(text: &str) -> anyhow::Result<SignInApplication> {
    let parts = text.split_once('=').and_then(|(name, rest)| Some((name, rest.split_once('@')?)));
    let (name, (realm, place)) =
        parts.with_context(|| format!("--sign-in-app {text}: write it as NAME=REALM@PLACE"))?;
    let realm = LoginRealm::from_spelling(realm)
        .with_context(|| format!("--sign-in-app {text}: the realm is user, internal, partner or groupAdmin"))?;
    if !place.starts_with('/') && !place.starts_with("https://") && !place.starts_with("http://") {
        bail!("--sign-in-app {text}: the place is a path or an address");
    }
    Ok(SignInApplication { name: name.to_owned(), realm, place: place.to_owned() })
}

#[cfg(test)]
mod tests;
