//! The settings of the operator: by flag, by environment variable, or in a file; the first that sets a value counts.

mod checks;
mod passkeys;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;
use figment::Figment;
use figment::providers::{Format as _, Serialized, Toml};
use pavise_identity::SignInApplication;
use pavise_identity::contract::v1::{IdentityRealm, LoginRealm};
use pavise_mesh::Network;
use serde::{Deserialize, Serialize};

/// The settings as given; [`Settings`] has the defaults.
#[derive(Debug, Clone, Default, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Given {
    /// A TOML file with any of these settings, named as the flags are; what may be given several times is a list
    #[arg(long, env = "PAVISE_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,

    /// Where gRPC, gRPC-web, REST and the web apps are served [default: 127.0.0.1:8080]
    #[arg(long, env = "PAVISE_LISTEN", value_name = "ADDR", help_heading = "Where")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listen: Option<String>,

    /// Where /healthz, /readyz and /metrics are served [default: 127.0.0.1:8081]
    #[arg(long, env = "PAVISE_ADMIN_LISTEN", value_name = "ADDR", help_heading = "Where")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admin_listen: Option<String>,

    /// sqlite://FILE or postgres://USER@HOST/NAME [default: sqlite://data/pavise.db]
    #[arg(long, env = "PAVISE_DATABASE", value_name = "URL", help_heading = "Where")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,

    /// The domain below which each service has a host of its own: orders.<DOMAIN> [default: localhost]
    #[arg(long, env = "PAVISE_BASE_DOMAIN", value_name = "DOMAIN", help_heading = "Where")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_domain: Option<String>,

    /// An application that people sign in to, as NAME=REALM@PLACE, where the realm is user, internal, partner or
    /// groupAdmin and the place a path below the public URL or an address; may be given several times
    /// [default: app=user@/app and console=internal@/console]
    #[arg(
        long,
        env = "PAVISE_SIGN_IN_APPS",
        value_name = "NAME=REALM@PLACE",
        value_delimiter = ',',
        help_heading = "Where"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign_in_app: Option<Vec<String>>,

    /// The domain that passkeys belong to: the public URL's host, or a domain above it for sites that share them. With
    /// another one, the passkeys that people have sign in no more [default: the public URL's host]
    #[arg(long, env = "PAVISE_PASSKEY_DOMAIN", value_name = "DOMAIN", help_heading = "Where")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passkey_domain: Option<String>,

    /// A further site in that domain whose pages use passkeys, as https://app.pavise.example; may be given several times
    #[arg(long, env = "PAVISE_PASSKEY_ORIGINS", value_name = "ORIGINS", value_delimiter = ',', help_heading = "Where")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passkey_origin: Option<Vec<String>>,

    /// The folder of the built web apps, served under /app/, /console/ and /docs/ where it exists [default: web/dist]
    #[arg(long, env = "PAVISE_WEB", value_name = "DIR", help_heading = "Where")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web: Option<PathBuf>,

    /// Run only these domains (comma-separated); say with --peer where the others are
    #[arg(long, env = "PAVISE_ONLY", value_name = "DOMAINS", value_delimiter = ',', help_heading = "Which part")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<Vec<String>>,

    /// Run all domains but these (comma-separated), in place of --only
    #[arg(long, env = "PAVISE_EXCEPT", value_name = "DOMAINS", value_delimiter = ',', help_heading = "Which part")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub except: Option<Vec<String>>,

    /// Where the domains are that do not run here: an address for all of them, and DOMAIN=URL for one that is elsewhere; may
    /// be given several times
    #[arg(long, env = "PAVISE_PEERS", value_name = "[DOMAIN=]URL", value_delimiter = ',', help_heading = "Which part")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer: Option<Vec<String>>,

    /// The secret that the processes of one platform share; their calls to each other are signed with it.
    /// Required with --peer; random otherwise
    #[arg(long, env = "PAVISE_MESH_SECRET", value_name = "SECRET", hide_env_values = true, help_heading = "Secrets")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh_secret: Option<String>,

    /// A second mesh secret that is accepted, too, while --mesh-secret is being changed in one process after another
    #[arg(
        long,
        env = "PAVISE_MESH_SECRET_ALSO",
        value_name = "SECRET",
        hide_env_values = true,
        help_heading = "Secrets"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh_secret_also: Option<String>,

    /// The secret that seals the token keys in the database. Without it one is kept in a file beside an SQLite database
    #[arg(long, env = "PAVISE_KEY_SECRET", value_name = "SECRET", hide_env_values = true, help_heading = "Secrets")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_secret: Option<String>,

    /// A realm whose sign-ins need a second factor: user, internal, partner or groupAdmin; may be given several times, and
    /// `none` for none [default: internal and partner, with --demo-data none]
    #[arg(
        long,
        env = "PAVISE_SECOND_FACTOR_REALMS",
        value_name = "REALM",
        value_delimiter = ',',
        help_heading = "Secrets"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second_factor_realm: Option<Vec<String>>,

    /// A sorted text file of the SHA-1 hashes of leaked passwords, one a line, with or without `:COUNT`: none of them can be
    /// chosen
    #[arg(long, env = "PAVISE_LEAKED_PASSWORDS", value_name = "FILE", help_heading = "Secrets")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaked_passwords: Option<PathBuf>,

    /// A second key secret that unseals, too, while --key-secret is being changed in one process after another
    #[arg(
        long,
        env = "PAVISE_KEY_SECRET_ALSO",
        value_name = "SECRET",
        hide_env_values = true,
        help_heading = "Secrets"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_secret_also: Option<String>,

    /// The mail server: smtps://USER:PASSWORD@HOST, or smtp://USER:PASSWORD@HOST:587?tls=required for STARTTLS
    #[arg(long, env = "PAVISE_SMTP_URL", value_name = "URL", hide_env_values = true, help_heading = "Messages")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smtp_url: Option<String>,

    /// The sender of mails [default: Pavise <no-reply@localhost>]
    #[arg(long, env = "PAVISE_MAIL_FROM", value_name = "ADDRESS", help_heading = "Messages")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mail_from: Option<String>,

    /// Where people find the pages that messages and sign-ins lead to [default: made of the base domain, or of the port]
    #[arg(long, env = "PAVISE_PUBLIC_URL", value_name = "URL", help_heading = "Messages")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_url: Option<String>,

    /// Keep messages that no mail server takes in memory and show them, codes too, at /outbox of the admin port, to
    /// callers on the same machine
    /// [default: with --demo-data]
    #[arg(long, env = "PAVISE_OUTBOX", help_heading = "Messages", num_args = 0..=1, default_missing_value = "true")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outbox: Option<bool>,

    /// The server's certificate chain (PEM); with --tls-key, everything is served over TLS
    #[arg(long, env = "PAVISE_TLS_CERT", value_name = "FILE", help_heading = "TLS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_cert: Option<PathBuf>,

    /// The server's private key (PEM)
    #[arg(long, env = "PAVISE_TLS_KEY", value_name = "FILE", help_heading = "TLS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_key: Option<PathBuf>,

    /// Admit only clients with a certificate of this authority (PEM)
    #[arg(long, env = "PAVISE_TLS_CLIENT_CA", value_name = "FILE", help_heading = "TLS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_client_ca: Option<PathBuf>,

    /// The authority of the certificates of peers at https:// (PEM)
    #[arg(long, env = "PAVISE_PEER_CA", value_name = "FILE", help_heading = "TLS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer_ca: Option<PathBuf>,

    /// The certificate that is shown to peers which ask for one (PEM)
    #[arg(long, env = "PAVISE_PEER_CERT", value_name = "FILE", help_heading = "TLS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer_cert: Option<PathBuf>,

    /// Its private key (PEM)
    #[arg(long, env = "PAVISE_PEER_KEY", value_name = "FILE", help_heading = "TLS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer_key: Option<PathBuf>,

    /// Requests in progress at once; one more is answered 429 with Retry-After [default: 1024]
    #[arg(long, env = "PAVISE_MAX_IN_FLIGHT", value_name = "N", help_heading = "Limits")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_in_flight: Option<usize>,

    /// Largest body of a request, in bytes [default: 4194304]
    #[arg(long, env = "PAVISE_MAX_BODY", value_name = "BYTES", help_heading = "Limits")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_body: Option<usize>,

    /// Connections to a PostgreSQL database [default: 16]
    #[arg(long, env = "PAVISE_DATABASE_CONNECTIONS", value_name = "N", help_heading = "Limits")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database_connections: Option<usize>,

    /// Seconds that requests in progress get to end when the server stops [default: 20]
    #[arg(long, env = "PAVISE_GRACE", value_name = "SECONDS", help_heading = "Limits")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grace: Option<u64>,

    /// Pages of these origins may call with the session cookie, besides the server's own
    #[arg(
        long,
        env = "PAVISE_ALLOWED_ORIGINS",
        value_name = "ORIGINS",
        value_delimiter = ',',
        help_heading = "Limits"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_origin: Option<Vec<String>>,

    /// Addresses or ranges of proxies, and of the platform's other machines, whose x-forwarded-for is believed
    /// [default: 127.0.0.1,::1]
    #[arg(long, env = "PAVISE_TRUSTED_PROXIES", value_name = "RANGES", value_delimiter = ',', help_heading = "Limits")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trusted_proxy: Option<Vec<String>>,

    /// Describe the services to tools such as grpcurl (gRPC reflection) [default: with --demo-data]
    #[arg(long, env = "PAVISE_REFLECTION", help_heading = "Limits", num_args = 0..=1, default_missing_value = "true")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reflection: Option<bool>,

    /// Send traces to this OTLP endpoint (gRPC without TLS, so one that is near), e.g. http://127.0.0.1:4317
    #[arg(long, env = "PAVISE_OTLP_ENDPOINT", value_name = "URL", help_heading = "Telemetry")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub otlp_endpoint: Option<String>,

    /// The level of the log: error, warn, info, debug, or a filter such as info,pavise_kernel=debug [default: info]
    #[arg(long, env = "PAVISE_LOG", value_name = "FILTER", help_heading = "Telemetry")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,

    /// How it is logged: text or json [default: text]
    #[arg(long, env = "PAVISE_LOG_FORMAT", value_name = "FORMAT", help_heading = "Telemetry")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_format: Option<String>,

    /// Let people add and charge cards of the built-in test vendor, which moves no money, and let purchases use the sample
    /// tax rates. For trials and tests alone; the same in all processes of a platform [default: with --demo-data]
    #[arg(long, env = "PAVISE_TEST_VENDOR", help_heading = "Demonstration", num_args = 0..=1, default_missing_value = "true")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_vendor: Option<bool>,

    /// Load a believable catalog, a sign-in per realm and a few hundred members, if they are not there yet
    #[arg(long, env = "PAVISE_DEMO_DATA", help_heading = "Demonstration", num_args = 0..=1, default_missing_value = "true")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demo_data: Option<bool>,

    /// How many members the demonstration has, up to a million [default: 300]
    #[arg(long, env = "PAVISE_DEMO_MEMBERS", value_name = "N", help_heading = "Demonstration")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demo_members: Option<u32>,
}

/// The complete settings.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "each is the flag of the same name")]
pub struct Settings {
    pub listen: String,
    pub admin_listen: String,
    pub database: String,
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
    pub second_factor_realms: Vec<IdentityRealm>,
    pub leaked_passwords: Option<PathBuf>,
    pub key_secret_also: Option<String>,
    pub smtp_url: Option<String>,
    pub mail_from: String,
    pub outbox: bool,
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
    pub test_vendor: bool,
    pub demo_data: bool,
    pub demo_members: u32,
}

impl Given {
    /// Completes the settings with their defaults.
    ///
    /// # Errors
    /// When the file cannot be read, or settings contradict each other; the text says what to do.
    pub fn decide(self) -> anyhow::Result<Settings> {
        let mut figment = Figment::new();
        if let Some(file) = &self.config {
            if !file.is_file() {
                bail!("there is no configuration file {}", file.display());
            }
            figment = figment.merge(Toml::file_exact(file));
        }
        let given: Self =
            figment.merge(Serialized::defaults(&self)).extract().context("the configuration file is not right")?;
        let only =
            checks::here(given.only.as_deref().unwrap_or_default(), given.except.as_deref().unwrap_or_default())?;
        let peers = checks::peers(given.peer.as_deref().unwrap_or_default(), &only)?;
        checks::check(&given)?;
        checks::certificates(&given, &peers)?;
        if !peers.is_empty() && given.mesh_secret.is_none() {
            bail!("with --peer, all processes need the same --mesh-secret (or PAVISE_MESH_SECRET)");
        }
        if given.mesh_secret_also.is_some() && given.mesh_secret.is_none() {
            bail!("--mesh-secret-also is a second secret: set --mesh-secret, too");
        }
        if given.key_secret_also.is_some() && given.key_secret.is_none() {
            bail!("--key-secret-also is a second secret: set --key-secret, too");
        }
        let tls = match (given.tls_cert, given.tls_key) {
            (Some(cert), Some(key)) => Some((cert, key)),
            (None, None) => None,
            _ => bail!("--tls-cert and --tls-key belong together"),
        };
        let peer_cert = match (given.peer_cert, given.peer_key) {
            (Some(cert), Some(key)) => Some((cert, key)),
            (None, None) => None,
            _ => bail!("--peer-cert and --peer-key belong together"),
        };
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
        Ok(Settings {
            listen,
            admin_listen: given.admin_listen.unwrap_or_else(|| "127.0.0.1:8081".to_owned()),
            database: given.database.unwrap_or_else(|| "sqlite://data/pavise.db".to_owned()),
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
            second_factor_realms: second_factor_realms(given.second_factor_realm, demo_data)?,
            leaked_passwords: given.leaked_passwords,
            key_secret_also: given.key_secret_also,
            smtp_url: given.smtp_url,
            mail_from: given.mail_from.unwrap_or_else(|| "Pavise <no-reply@localhost>".to_owned()),
            outbox: given.outbox.unwrap_or(demo_data),
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
            test_vendor,
            demo_data,
            demo_members: given.demo_members.unwrap_or(300),
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
mod tests {
    use super::*;
    use crate::domains::{self, NAMES};

    #[test]
    fn a_flag_wins_over_the_file_and_the_file_over_the_default() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let said = "listen = \"127.0.0.1:1\"\ngrace = 5\nmax-body = 9\nallowed-origin = [\"https://a.example\", \"https://b.example\"]\n";
        std::fs::write(file.path(), said).unwrap();
        let given = Given { config: Some(file.path().to_owned()), grace: Some(7), ..Given::default() };
        let settings = given.decide().unwrap();
        assert_eq!(
            (settings.listen.as_str(), settings.grace, settings.max_in_flight),
            ("127.0.0.1:1", Duration::from_secs(7), 1024)
        );
        assert_eq!((settings.max_body, settings.allowed_origins.len()), (9, 2), "a name of two words, and a list");
        std::fs::write(file.path(), "max_body = 9\n").unwrap();
        let given = Given { config: Some(file.path().to_owned()), ..Given::default() };
        let error = format!("{:#}", given.decide().unwrap_err());
        assert!(error.contains("max_body") && error.contains("max-body"), "{error}");
    }

    #[test]
    fn staff_and_partners_need_a_second_factor_outside_the_demonstration() {
        let realms = |given: Given| given.decide().unwrap().second_factor_realms;
        assert_eq!(realms(Given::default()), [IdentityRealm::Internal, IdentityRealm::Partner]);
        assert!(realms(Given { demo_data: Some(true), ..Given::default() }).is_empty());
        let given = |text: &str| Given { second_factor_realm: Some(vec![text.into()]), ..Given::default() };
        assert!(realms(given("none")).is_empty());
        assert_eq!(realms(given("user")), [IdentityRealm::User]);
        assert!(given("staff").decide().is_err());
    }

    #[test]
    fn what_contradicts_itself_is_refused_with_what_to_do() {
        let long = Some("a secret that is long enough".to_owned());
        let cases: [(Given, &str); 16] = [
            (Given { only: Some(vec!["sales".into()]), ..Given::default() }, "there is no domain sales"),
            (Given { except: Some(vec!["sales".into()]), ..Given::default() }, "there is no domain sales"),
            (Given { except: Some(domains::every()), ..Given::default() }, "leaves no domain"),
            (
                Given { only: Some(vec!["orders".into()]), except: Some(vec!["orders".into()]), ..Given::default() },
                "--only and --except",
            ),
            (Given { peer: Some(vec!["orders=http://x".into()]), ..Given::default() }, "the same --mesh-secret"),
            (Given { peer: Some(vec!["orders".into()]), ..Given::default() }, "write the address as http://HOST:PORT"),
            (Given { tls_cert: Some("a".into()), ..Given::default() }, "belong together"),
            (Given { trusted_proxy: Some(vec!["everybody".into()]), ..Given::default() }, "--trusted-proxy everybody"),
            (
                Given { sign_in_app: Some(vec!["app=nobody@/app".into()]), ..Given::default() },
                "user, internal, partner",
            ),
            (Given { public_url: Some("pavise.example".into()), ..Given::default() }, "write it as https://"),
            (
                Given { mesh_secret: Some("short".into()), key_secret: long.clone(), ..Given::default() },
                "--mesh-secret needs",
            ),
            (Given { mesh_secret_also: Some("short".into()), ..Given::default() }, "--mesh-secret-also needs"),
            (Given { mesh_secret_also: long.clone(), ..Given::default() }, "set --mesh-secret, too"),
            (Given { key_secret_also: Some("short".into()), ..Given::default() }, "--key-secret-also needs"),
            (Given { key_secret_also: long.clone(), ..Given::default() }, "set --key-secret, too"),
            (Given { key_secret: Some(String::new()), mesh_secret: long, ..Given::default() }, "--key-secret needs"),
        ];
        for (given, expected) in cases {
            let error = given.decide().unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn an_address_without_a_domain_is_that_of_all_that_run_elsewhere() {
        let given = |peer: &[&str]| Given {
            only: Some(vec!["orders".to_owned()]),
            peer: Some(peer.iter().map(|one| (*one).to_owned()).collect()),
            mesh_secret: Some("a secret that is long enough".to_owned()),
            ..Given::default()
        };
        let peers = given(&["http://rest:1", "billing=http://billing:2"]).decide().unwrap().peers;
        assert_eq!(peers.len(), NAMES.len() - 1);
        assert_eq!((peers["billing"].as_str(), peers["identity"].as_str()), ("http://billing:2", "http://rest:1"));
        let twice = given(&["http://rest:1", "http://rest:2"]).decide().unwrap_err().to_string();
        assert!(twice.contains("one address only"), "{twice}");
    }

    #[test]
    fn cookies_travel_readably_only_where_a_server_is_tried_out() {
        let secure = |listen: &str, base: &str, url: Option<&str>| {
            let (listen, base_domain) = (Some(listen.to_owned()), Some(base.to_owned()));
            let given = Given { listen, base_domain, public_url: url.map(str::to_owned), ..Given::default() };
            given.decide().unwrap().secure_cookies()
        };
        assert!(!secure("127.0.0.1:8080", "localhost", None) && !secure("[::1]:8080", "localhost", None));
        assert!(secure("0.0.0.0:8080", "localhost", None));
        assert!(secure("127.0.0.1:8080", "pavise.example", None), "behind a proxy with TLS");
        assert!(secure("127.0.0.1:8080", "localhost", Some("https://pavise.example")));
    }
}
