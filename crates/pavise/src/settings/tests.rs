//! The settings that contradict each other, and those that win.

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
        (Given { sign_in_app: Some(vec!["app=nobody@/app".into()]), ..Given::default() }, "user, internal, partner"),
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
