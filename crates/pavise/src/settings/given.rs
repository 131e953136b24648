//! The settings as the operator gives them.

use std::path::PathBuf;

use clap::Args;
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

    /// Where files are kept: a folder, or s3://BUCKET/PREFIX with keys, region and address from the variables of AWS
    /// [default: a folder beside an SQLite database, as data/pavise.files; none with PostgreSQL]
    #[arg(long, env = "PAVISE_FILES", value_name = "PLACE", help_heading = "Where")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,

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

    /// The secret that seals the token keys and wraps the keys of personal data. Without it one is kept in a file beside an
    /// SQLite database
    #[arg(long, env = "PAVISE_KEY_SECRET", value_name = "SECRET", hide_env_values = true, help_heading = "Secrets")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_secret: Option<String>,

    /// The key database: sqlite://FILE or postgres://USER@HOST/NAME. It keeps the wrapped keys of sealed personal data, and
    /// belongs in no backup of the database. A process without the identity domain asks that domain
    /// [default: beside the database]
    #[arg(long, env = "PAVISE_KEY_DATABASE", value_name = "URL", hide_env_values = true, help_heading = "Secrets")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_database: Option<String>,

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

    /// The key that proves events of SendGrid: the public key of its signed event webhook, in base64 [default: none, and
    /// events are refused]
    #[arg(long, env = "PAVISE_SENDGRID_VERIFICATION_KEY", value_name = "KEY", help_heading = "Messages")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sendgrid_verification_key: Option<String>,

    /// The token that proves events and texts of Twilio: the auth token of the account [default: none, and both are refused]
    #[arg(
        long,
        env = "PAVISE_TWILIO_AUTH_TOKEN",
        value_name = "TOKEN",
        hide_env_values = true,
        help_heading = "Messages"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twilio_auth_token: Option<String>,

    /// The browser that prints pages and forms: Chromium [default: chromium of the PATH; without one nothing is printed]
    #[arg(long, env = "PAVISE_CHROMIUM", value_name = "FILE", help_heading = "Documents")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chromium: Option<PathBuf>,

    /// A further host whose pages staff print, as forms.example or forms.example:8443; may be given several times
    #[arg(long, env = "PAVISE_PRINT_HOSTS", value_name = "HOSTS", value_delimiter = ',', help_heading = "Documents")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub print_host: Option<Vec<String>>,

    /// The address of clamd, as 127.0.0.1:3310: nobody gets a file before it is scanned [default: none, and nothing is scanned]
    #[arg(long, env = "PAVISE_CLAMD", value_name = "HOST:PORT", help_heading = "Documents")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clamd: Option<String>,

    /// A JSON file with the seller that invoices name in each country: a list of country (USA or CAN), name, address (lines)
    /// and taxNumbers (tax and number) [default: none, and invoices name Pavise]
    #[arg(long, env = "PAVISE_SELLERS", value_name = "FILE", help_heading = "Documents")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sellers: Option<PathBuf>,

    /// The use of the paid days that are left when a subscription is ended at once: nothing, credit or refund. Staff choose
    /// another one with a permission [default: nothing]
    #[arg(long, env = "PAVISE_UNUSED_DAYS", value_name = "CHOICE", help_heading = "Payments")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unused_days: Option<String>,

    /// How many days after today a new price of running subscriptions counts at the earliest, so that members know it before:
    /// 0 to 365 [default: 30]
    #[arg(long, env = "PAVISE_REPRICING_NOTICE_DAYS", value_name = "DAYS", help_heading = "Payments")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repricing_notice_days: Option<u16>,

    /// How many days after the purchase a buyer may take an order back, in each country: USA=10,CAN=14 [default: 10 in each]
    #[arg(
        long,
        env = "PAVISE_COOLING_OFF_DAYS",
        value_name = "DAYS",
        value_delimiter = ',',
        help_heading = "Payments"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cooling_off_days: Option<Vec<String>>,

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

    /// A file with the secret key of the account at Stripe; with it, cards and accounts are entered
    /// on Stripe's page and charged there [default: none, and STRIPE is off]
    #[arg(long, env = "PAVISE_STRIPE_KEY_FILE", value_name = "FILE", help_heading = "Payments")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stripe_key_file: Option<PathBuf>,

    /// A file with the secrets that Stripe's events are signed with, one a line; while one is being replaced, there are two
    /// [default: none, and events are refused]
    #[arg(long, env = "PAVISE_STRIPE_EVENTS_SECRET_FILE", value_name = "FILE", help_heading = "Payments")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stripe_events_secret_file: Option<PathBuf>,

    /// The address of Stripe's API; another one than Stripe's must be on this machine, for tests
    /// [default: https://api.stripe.com]
    #[arg(long, env = "PAVISE_STRIPE_URL", value_name = "URL", help_heading = "Payments")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stripe_url: Option<String>,

    /// Let people add and charge cards of the built-in test vendor, which moves no money, and let purchases use the sample
    /// tax rates. For trials and tests alone; the same in all processes of a platform [default: with --demo-data]
    #[arg(long, env = "PAVISE_TEST_VENDOR", help_heading = "Demonstration", num_args = 0..=1, default_missing_value = "true")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_vendor: Option<bool>,

    /// Load a believable catalog, a sign-in per realm and per role in an employer group, and a few hundred members, if they
    /// are not there yet
    #[arg(long, env = "PAVISE_DEMO_DATA", help_heading = "Demonstration", num_args = 0..=1, default_missing_value = "true")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demo_data: Option<bool>,

    /// How many members the demonstration has, up to a million [default: 300]
    #[arg(long, env = "PAVISE_DEMO_MEMBERS", value_name = "N", help_heading = "Demonstration")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demo_members: Option<u32>,

    /// Let staff move the days: business time runs ahead of the machine's time, by as much as the database keeps. An empty
    /// database may begin on a day, as 2026-01-31. For trials and tests alone, beside the test vendor and a mail server of
    /// this machine; all processes of a database need it
    #[arg(long, env = "PAVISE_TEST_CLOCK", value_name = "DAY", help_heading = "Demonstration", num_args = 0..=1, default_missing_value = "today")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_clock: Option<String>,
}
