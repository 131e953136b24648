//! Refuses at the start, with advice, settings that would start and then not work.

use std::collections::BTreeMap;
use std::str::FromStr as _;

use anyhow::{Context as _, bail, ensure};
use pavise_billing::StripeConfig;
use pavise_billing::contract::v1::UnusedDays;
use pavise_kernel::common::v1::Date;
use pavise_kernel::time;
use pavise_orders::CoolingOff;
use reqwest::Url;
use tracing_subscriber::filter::LevelFilter;

use super::TestClockStart;
use super::given::Given;
use crate::domains::{self, NAMES};

/// The least number of characters of a secret.
const SECRET: usize = 16;
/// The most days in which an order can be taken back.
const COOLING_OFF: u16 = 365;
/// The largest number of members of the demonstration.
const MEMBERS: u32 = 1_000_000;

/// Refuses settings with which no server can run, among those that are used as given.
pub(super) fn check(given: &Given) -> anyhow::Result<()> {
    let secrets = [
        ("--mesh-secret", &given.mesh_secret),
        ("--mesh-secret-also", &given.mesh_secret_also),
        ("--key-secret", &given.key_secret),
        ("--key-secret-also", &given.key_secret_also),
    ];
    for (name, secret) in secrets {
        let Some(secret) = secret else { continue };
        let length = secret.chars().count();
        ensure!(length >= SECRET, "{name} needs at least {SECRET} characters; this one has {length}");
    }
    let counts = [
        ("--max-in-flight", given.max_in_flight),
        ("--max-body", given.max_body),
        ("--database-connections", given.database_connections),
    ];
    if let Some((name, _)) = counts.into_iter().find(|(_, count)| *count == Some(0)) {
        bail!("{name} 0 lets nobody in: write 1 or more");
    }
    if let Some(members) = given.demo_members.filter(|members| *members > MEMBERS) {
        bail!("--demo-members {members}: the demonstration has a million at most");
    }
    for (name, address) in [("--listen", &given.listen), ("--admin-listen", &given.admin_listen)] {
        if let Some(address) = address {
            ensure!(listens(address), "{name} {address}: write ADDRESS:PORT, as 127.0.0.1:8080 or [::1]:8080");
        }
    }
    given.otlp_endpoint.as_deref().map_or(Ok(()), collector)?;
    given.log.as_deref().map_or(Ok(()), filter)
}

/// The domains that run here.
pub(super) fn here(only: &[String], except: &[String]) -> anyhow::Result<Vec<String>> {
    if let Some(unknown) = only.iter().chain(except).find(|name| !NAMES.contains(&name.as_str())) {
        bail!("there is no domain {unknown}; the domains are {}", NAMES.join(", "));
    }
    ensure!(only.is_empty() || except.is_empty(), "--only and --except exclude each other");
    if !only.is_empty() {
        return Ok(only.to_vec());
    }
    let mut here = domains::every();
    here.retain(|name| !except.contains(name));
    ensure!(!here.is_empty(), "--except {} leaves no domain to run", except.join(","));
    Ok(here)
}

/// The peers by domain: those with an address of their own, and the others that do not run here at the address without a
/// domain. Each has an address that can be called.
pub(super) fn peers(given: &[String], only: &[String]) -> anyhow::Result<BTreeMap<String, String>> {
    let (mut peers, mut others) = (BTreeMap::new(), None);
    for peer in given {
        let (domain, url) = peer.split_once('=').map_or((None, peer.as_str()), |(domain, url)| (Some(domain), url));
        if let Some(domain) = domain.filter(|domain| !NAMES.contains(domain)) {
            bail!("--peer {peer}: there is no domain {domain}; the domains are {}", NAMES.join(", "));
        }
        ensure!(web(url).is_some(), "--peer {peer}: write the address as http://HOST:PORT or https://HOST:PORT");
        match domain {
            Some(domain) => drop(peers.insert(domain.to_owned(), url.to_owned())),
            None => ensure!(others.replace(url).is_none(), "--peer {peer}: one address only is without a domain"),
        }
    }
    for domain in NAMES.iter().filter(|name| !only.iter().any(|here| here == *name)) {
        if let Some(url) = others {
            peers.entry((*domain).to_owned()).or_insert_with(|| url.to_owned());
        }
    }
    Ok(peers)
}

/// Refuses certificates without effect: the operator believes that they protect something.
pub(super) fn certificates(given: &Given, peers: &BTreeMap<String, String>) -> anyhow::Result<()> {
    if given.tls_client_ca.is_some() && given.tls_cert.is_none() {
        bail!("--tls-client-ca admits nobody and keeps nobody out without --tls-cert and --tls-key: set them too");
    }
    if !peers.values().any(|url| url.starts_with("https://")) {
        for (name, file) in [("--peer-ca", &given.peer_ca), ("--peer-cert", &given.peer_cert)] {
            ensure!(file.is_none(), "{name} is for peers at https://, and no --peer has such an address");
        }
    }
    Ok(())
}

/// Reads the use of unused days.
pub(super) fn unused_days(given: Option<&str>) -> anyhow::Result<UnusedDays> {
    match given {
        None | Some("nothing") => Ok(UnusedDays::Nothing),
        Some("credit") => Ok(UnusedDays::Credit),
        Some("refund") => Ok(UnusedDays::Refund),
        Some(other) => bail!("--unused-days {other}: write nothing, credit or refund"),
    }
}

/// The days of notice before a new price of running subscriptions.
pub(super) fn repricing_notice_days(given: Option<u16>) -> anyhow::Result<Option<u16>> {
    match given {
        Some(days @ 366..) => bail!("--repricing-notice-days {days}: write 0 to 365"),
        given => Ok(given),
    }
}

/// How long buyers may take an order back.
pub(super) fn cooling_off(given: &[String]) -> anyhow::Result<CoolingOff> {
    let mut days = CoolingOff::default();
    for text in given {
        let wrong = || format!("--cooling-off-days {text}: write USA=10 or CAN=10, with 365 days at most");
        let (country, count) = text.split_once('=').with_context(wrong)?;
        let count: u16 = count.parse().ok().filter(|count| *count <= COOLING_OFF).with_context(wrong)?;
        match country {
            "USA" => days.usa = count,
            "CAN" => days.can = count,
            _ => bail!(wrong()),
        }
    }
    Ok(days)
}

/// Whether the test vendor is on. Behind an https address only the operator's own word turns it on: its charges move no
/// money, so that people would get plans for nothing.
pub(super) fn test_vendor(given: Option<bool>, demo_data: bool, public_url: &str) -> anyhow::Result<bool> {
    match given {
        None if demo_data && public_url.starts_with("https://") => bail!(
            "--demo-data turns the test vendor on, whose charges move no money, and people reach this server at {public_url}: \
             leave --demo-data out, or set --test-vendor, too"
        ),
        Some(false) if demo_data => bail!("--demo-data pays with the test vendor: leave out one of the two settings"),
        given => Ok(given.unwrap_or(demo_data)),
    }
}

/// Where the test clock begins; `None` without one. It is refused beside a mail server of others, because people would be told of
/// days that have not come, and beside a vendor that moves money, because they would be charged on such days.
pub(super) fn test_clock(
    given: Option<&str>,
    smtp_url: Option<&str>,
    stripe: Option<&StripeConfig>,
) -> anyhow::Result<Option<TestClockStart>> {
    let Some(given) = given else { return Ok(None) };
    let start = match given {
        "today" => TestClockStart::Today,
        day => TestClockStart::On(read_day(day).with_context(|| {
            format!("--test-clock {day}: write the day as 2026-01-31, or leave it out to begin today")
        })?),
    };
    // The URL is left out of the refusal: it may hold a password.
    ensure!(
        smtp_url.is_none_or(is_on_loopback),
        "--test-clock is for trials, and --smtp-url sends mails to people: leave out one of the two settings, or name a mail \
         server of this machine, as smtp://127.0.0.1:1025"
    );
    ensure!(
        stripe.is_none_or(|account| is_on_loopback(&account.api_url)),
        "--test-clock is for trials, and --stripe-key-file charges people: leave out one of the two settings, or name a \
         stand-in on this machine, as --stripe-url http://127.0.0.1:12111"
    );
    Ok(Some(start))
}

/// Refuses a test clock in a part of a platform whose parts share no database: the clock is a row that all of them follow.
pub(super) fn one_database(has_test_clock: bool, database: &str, domains: &[String]) -> anyhow::Result<()> {
    let is_part = NAMES.iter().any(|name| !domains.iter().any(|here| here == name));
    ensure!(
        !(has_test_clock && is_part && database.starts_with("sqlite:")),
        "--test-clock: the parts of a platform follow the clock of one database, and SQLite serves one process: name a PostgreSQL \
         database, or run all domains here"
    );
    Ok(())
}

/// A day as `2026-01-31`, if there is one.
fn read_day(text: &str) -> Option<Date> {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return None };
    let number = |text: &str, digits: usize| {
        let is_plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| is_plain)
    };
    let day = Date { year: number(year, 4)?, month: number(month, 2)?, day: number(day, 2)? };
    time::is_real(day).then_some(day)
}

/// Whether the host of an address is this machine.
fn is_on_loopback(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The origins as browsers send them.
pub(super) fn origins(given: Vec<String>) -> anyhow::Result<Vec<String>> {
    let origin = |text: String| {
        let plain = web(&text).map(|url| url.origin().ascii_serialization());
        let plain = plain.filter(|plain| *plain == text.trim_end_matches('/').to_ascii_lowercase());
        plain
            .with_context(|| format!("--allowed-origin {text}: write it as https://app.pavise.example, without a path"))
    };
    given.into_iter().map(origin).collect()
}

/// An address that is called over HTTP.
fn web(text: &str) -> Option<Url> {
    let spelled = text.starts_with("http://") || text.starts_with("https://");
    Url::parse(text).ok().filter(|url| spelled && url.has_host())
}

fn listens(address: &str) -> bool {
    let Some((host, port)) = address.rsplit_once(':') else { return false };
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    port.parse::<u16>().is_ok() && !host.is_empty() && (bare.is_some() || !host.contains(':'))
}

fn collector(endpoint: &str) -> anyhow::Result<()> {
    if endpoint.starts_with("https://") {
        bail!(
            "--otlp-endpoint {endpoint}: traces are sent without TLS; write the http:// address of a collector that is near"
        );
    }
    ensure!(web(endpoint).is_some(), "--otlp-endpoint {endpoint}: write it as http://127.0.0.1:4317");
    Ok(())
}

/// A single word must be a level: as the name of a module, it would silence all others.
fn filter(text: &str) -> anyhow::Result<()> {
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty() && !word.contains(['=', '[', ':'])) {
        if LevelFilter::from_str(word).is_err() {
            bail!("--log {text}: {word} is no level; write off, error, warn, info, debug or trace, or PART=LEVEL");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(given: Given, expected: &str) {
        let error = format!("{:#}", given.decide().unwrap_err());
        assert!(error.contains(expected), "{error}");
    }

    fn split(peer: &str) -> Given {
        let mesh_secret = Some("a secret that is long enough".to_owned());
        Given { peer: Some(vec![peer.to_owned()]), mesh_secret, ..Given::default() }
    }

    #[test]
    fn a_peer_has_an_address_that_can_be_called() {
        for bad in ["billing=localhost:1", "billing=ftp://b", "billing=billing.internal", "billing=http://", "billing="]
        {
            refused(split(bad), "write the address as http://");
        }
        for good in ["billing=http://localhost:1", "billing=https://billing.internal", "billing=http://[::1]:8080/"] {
            split(good).decide().unwrap();
        }
    }

    #[test]
    fn a_certificate_that_nobody_looks_at_is_refused() {
        let file = || Some("ca.pem".into());
        refused(Given { tls_client_ca: file(), ..Given::default() }, "set them too");
        let both = Given { tls_cert: file(), tls_key: file(), tls_client_ca: file(), ..Given::default() };
        assert!(both.decide().unwrap().tls_client_ca.is_some());
        refused(Given { peer_ca: file(), ..Given::default() }, "no --peer has such an address");
        refused(Given { peer_ca: file(), ..split("billing=http://b") }, "--peer-ca is for peers at https://");
        refused(Given { peer_cert: file(), peer_key: file(), ..split("billing=http://b") }, "--peer-cert is for peers");
        Given { peer_ca: file(), ..split("billing=https://b") }.decide().unwrap();
    }

    #[test]
    fn a_limit_that_lets_nobody_in_is_refused() {
        refused(Given { max_in_flight: Some(0), ..Given::default() }, "--max-in-flight 0");
        refused(Given { max_body: Some(0), ..Given::default() }, "--max-body 0");
        refused(Given { database_connections: Some(0), ..Given::default() }, "--database-connections 0");
        refused(Given { demo_members: Some(2_000_000), ..Given::default() }, "a million at most");
    }

    #[test]
    fn an_origin_is_one_as_browsers_send_it() {
        let given = |origin: &str| Given { allowed_origin: Some(vec![origin.to_owned()]), ..Given::default() };
        for bad in
            ["example.com", "*", "https://example.com/app", "ftp://example.com", "https://ada@example.com", "https://"]
        {
            refused(given(bad), "--allowed-origin");
        }
        for (good, kept) in
            [("https://App.example/", "https://app.example"), ("http://localhost:5173", "http://localhost:5173")]
        {
            assert_eq!(given(good).decide().unwrap().allowed_origins, [kept]);
        }
    }

    #[test]
    fn what_is_logged_is_said_by_levels() {
        let given = |log: &str| Given { log: Some(log.to_owned()), ..Given::default() };
        for bad in ["verbose", "info,pavise_kernel", "info warn"] {
            refused(given(bad), "is no level");
        }
        for good in [
            "debug",
            "INFO",
            "off",
            "info,pavise_kernel=debug",
            "info, pavise::access=warn",
            "warn,[request]=debug",
            "",
        ] {
            given(good).decide().unwrap();
        }
    }

    #[test]
    fn where_it_listens_is_an_address_and_a_port() {
        for bad in ["localhost", "18321", ":8080", "localhost:http", "::1", "127.0.0.1:70000"] {
            refused(Given { listen: Some(bad.to_owned()), ..Given::default() }, "--listen");
            refused(Given { admin_listen: Some(bad.to_owned()), ..Given::default() }, "write ADDRESS:PORT");
        }
        for good in ["localhost:8080", "0.0.0.0:80", "[::]:0", "pavise.internal:8080"] {
            Given { listen: Some(good.to_owned()), ..Given::default() }.decide().unwrap();
        }
    }

    #[test]
    fn unused_days_give_nothing_unless_the_operator_says_so() {
        let given = |choice: Option<&str>| Given { unused_days: choice.map(str::to_owned), ..Given::default() };
        let gives = |choice: Option<&str>| given(choice).decide().unwrap().unused_days;
        assert_eq!(gives(None), UnusedDays::Nothing);
        assert_eq!((gives(Some("credit")), gives(Some("refund"))), (UnusedDays::Credit, UnusedDays::Refund));
        refused(given(Some("all")), "write nothing, credit or refund");
    }

    #[test]
    fn a_new_price_has_a_year_of_notice_at_most() {
        let given = |days: u16| Given { repricing_notice_days: Some(days), ..Given::default() };
        assert_eq!(given(0).decide().unwrap().repricing_notice_days, Some(0));
        assert_eq!(Given::default().decide().unwrap().repricing_notice_days, None);
        refused(given(366), "write 0 to 365");
    }

    #[test]
    fn orders_are_taken_back_within_the_days_of_the_country() {
        let given = |days: &[&str]| Given {
            cooling_off_days: Some(days.iter().map(|&text| text.to_owned()).collect()),
            ..Given::default()
        };
        let decided = |days: &[&str]| given(days).decide().unwrap().cooling_off;
        assert_eq!(decided(&[]), CoolingOff { usa: 10, can: 10 });
        assert_eq!(decided(&["CAN=14", "USA=0"]), CoolingOff { usa: 0, can: 14 });
        for wrong in ["CAN", "FRA=10", "USA=-1", "USA=366", "=10"] {
            refused(given(&[wrong]), "write USA=10 or CAN=10");
        }
    }

    #[test]
    fn the_test_vendor_is_on_for_trials_alone() {
        let given = |test_vendor: Option<bool>, demo_data: bool, url: Option<&str>| Given {
            test_vendor,
            demo_data: Some(demo_data),
            public_url: url.map(str::to_owned),
            ..Given::default()
        };
        let on = |given: Given| given.decide().unwrap().test_vendor;
        assert!(!on(Given::default()) && !on(given(None, false, None)));
        assert!(on(given(None, true, None)) && on(given(Some(true), false, None)));
        let https = Some("https://pavise.example");
        refused(given(None, true, https), "set --test-vendor, too");
        assert!(on(given(Some(true), true, https)) && on(given(Some(true), false, https)));
        assert!(!on(given(None, false, https)));
        refused(given(Some(false), true, None), "pays with the test vendor");
        let domain = Given { base_domain: Some("pavise.example".into()), ..given(None, true, None) };
        refused(domain, "https://pavise.example");
    }

    #[test]
    fn the_test_clock_begins_on_a_day_and_sends_nobody_mail() {
        let given = |day: &str, smtp: Option<&str>| Given {
            test_clock: Some(day.to_owned()),
            smtp_url: smtp.map(str::to_owned),
            ..Given::default()
        };
        let begins = |given: Given| given.decide().unwrap().test_clock;
        assert_eq!(begins(Given::default()), None);
        assert_eq!(begins(given("today", None)), Some(TestClockStart::Today));
        let leap = Date { year: 2024, month: 2, day: 29 };
        assert_eq!(begins(given("2024-02-29", None)), Some(TestClockStart::On(leap)));
        for bad in ["2023-02-29", "tomorrow", "2026-1-1", "2026-01-01T00:00", "", "-2026-01-01", "0000-01-01"] {
            refused(given(bad, None), "write the day as 2026-01-31");
        }
        for near in ["smtp://127.0.0.1:1025", "smtp://localhost:1025?tls=required", "smtps://[::1]"] {
            assert_eq!(begins(given("today", Some(near))), Some(TestClockStart::Today), "{near}");
        }
        for far in ["smtps://ada:a-password@mail.example", "smtp://10.0.0.7:25", "smtp://localhost.example", "nope"] {
            let error = format!("{:#}", given("today", Some(far)).decide().unwrap_err());
            assert!(error.contains("leave out one of the two settings") && !error.contains("a-password"), "{error}");
        }
        let without = Given { smtp_url: Some("smtps://mail.example".to_owned()), ..Given::default() };
        assert_eq!(begins(without), None);
        let all: Vec<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
        let part = ["billing".to_owned()];
        assert!(one_database(true, "sqlite://p.db", &part).unwrap_err().to_string().contains("PostgreSQL"));
        one_database(true, "postgres://p@localhost/p", &part).unwrap();
        one_database(true, "sqlite://p.db", &all).unwrap();
        one_database(false, "sqlite://p.db", &part).unwrap();
    }

    #[test]
    fn the_test_clock_charges_nobody() {
        let key = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(key.path(), "sk_test_1").unwrap();
        let given = |clock: Option<&str>, url: Option<&str>| Given {
            test_clock: clock.map(str::to_owned),
            stripe_key_file: Some(key.path().to_owned()),
            stripe_url: url.map(str::to_owned),
            ..Given::default()
        };
        let begins = |given: Given| given.decide().unwrap().test_clock;
        for near in ["http://127.0.0.1:12111", "http://localhost:12111", "http://[::1]:12111"] {
            assert_eq!(begins(given(Some("today"), Some(near))), Some(TestClockStart::Today), "{near}");
        }
        for far in [None, Some("https://api.stripe.com")] {
            refused(given(Some("today"), far), "--stripe-key-file charges people");
            assert_eq!(begins(given(None, far)), None);
        }
    }

    #[test]
    fn a_collector_is_reached_without_tls() {
        let given = |endpoint: &str| Given { otlp_endpoint: Some(endpoint.to_owned()), ..Given::default() };
        for bad in ["nope", "127.0.0.1:4317", "grpc://127.0.0.1:4317", "http://"] {
            refused(given(bad), "write it as http://127.0.0.1:4317");
        }
        refused(given("https://collector.example:4317"), "without TLS");
        given("http://127.0.0.1:4317").decide().unwrap();
    }

    #[test]
    fn an_example_is_no_secret() {
        let example = include_str!("../../../../deploy/kubernetes/secret.example.yaml");
        for (key, set) in [("mesh-secret:", 0), ("key-secret:", 1)] {
            let text = example
                .lines()
                .find_map(|line| line.trim().strip_prefix(key))
                .unwrap()
                .trim()
                .trim_matches('"')
                .to_owned();
            let mut given = Given::default();
            *(if set == 0 { &mut given.mesh_secret } else { &mut given.key_secret }) = Some(text);
            refused(given, "needs at least");
        }
    }
}
