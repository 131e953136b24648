use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::Signer as _;

use serde_json::{Value, json};

use super::claims::SECOND;
use super::unverified::LEEWAY;
use super::verifier::{KEY_DOUBT, KEY_TRUST, make_room};
use super::*;
use crate::call::caller::{APPLICATION, Caller, Impersonator, Realm, Verifier};
use crate::call::peers::Credential as _;
use crate::call::revoked::RevokedTokens;
use crate::call::scope::Scope;
use crate::error::{Common, Result};
use crate::table::ScopeKind;
use crate::time::{Ids, Micros};

const NOW: Micros = 1_800_000_000 * SECOND;
const QUARTER: Duration = Duration::from_secs(900);

/// A source with one key, which counts its requests.
#[derive(Debug)]
struct OneKey {
    key: TokenKey,
    asked: AtomicUsize,
}

#[async_trait]
impl KeySource for OneKey {
    async fn key(&self, kid: &str) -> Result<Option<VerifyingKey>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        Ok((kid == self.key.kid()).then(|| self.key.public()))
    }
}

struct Scene {
    key: TokenKey,
    mesh: TokenKey,
    source: Arc<OneKey>,
    verifier: TokenVerifier,
}

fn scene() -> Scene {
    let key = TokenKey::random("01900000-0000-7000-8000-000000000001", &Ids::from_seed(1));
    let mesh = TokenKey::mesh(b"a secret that all parts of the platform share");
    let source = Arc::new(OneKey { key: key.clone(), asked: AtomicUsize::new(0) });
    let verifier = TokenVerifier::new(source.clone(), Some(mesh.public()));
    Scene { key, mesh, source, verifier }
}

fn member() -> Caller {
    Caller {
        identity: "ada".into(),
        realm: Realm::User,
        sub_type: "user".into(),
        session: "s1".into(),
        ..Caller::default()
    }
}

/// A token with any header and claims, signed with `key`.
fn forged(header: &Value, claims: &Value, key: &TokenKey) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(header), part(claims));
    let signature = key.key.sign(signed.as_bytes());
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature.to_bytes()))
}

fn good_claims() -> Value {
    serde_json::to_value(Claims::of(&member(), QUARTER, NOW)).unwrap()
}

fn with(mut value: Value, name: &str, to: Value) -> Value {
    value.as_object_mut().unwrap().insert(name.to_owned(), to);
    value
}

async fn refusal(scene: &Scene, token: &str) -> String {
    let error = scene.verifier.verify(token, NOW).await.unwrap_err();
    assert!(error.is(Common::TokenInvalid) || error.is(Common::TokenExpired), "{error}");
    format!("{} {}", error.reason(), error.cause().unwrap_or_default())
}

#[tokio::test]
async fn what_a_token_says_of_its_bearer_comes_back() {
    let scene = scene();
    let caller = Caller {
        identity: "ada".into(),
        realm: Realm::GroupAdmin,
        sub_type: "broker".into(),
        permissions: BTreeMap::from([(APPLICATION.to_owned(), vec!["billing.*".to_owned()])]),
        scopes: [
            Scope::new(ScopeKind::Group, "g1", &["GROUP_ADMINISTRATOR"]),
            Scope::new(ScopeKind::Division, "d1", &["AUTHORIZED_USER"]).within("g2"),
        ]
        .into_iter()
        .collect(),
        version: 3,
        session: "s1".into(),
        proved_at: Some(NOW - 60 * SECOND),
        application: "reports".into(),
        actor: Some(Impersonator { identity: "staff".into(), may_write: false, session: "s0".into() }),
        expires_at: Some(NOW + 900 * SECOND),
        has_mesh_secret: false,
    };
    let token = issue_token(&caller, QUARTER, &scene.key, NOW);
    assert_eq!(*scene.verifier.verify(&token, NOW).await.unwrap(), caller);
}

#[tokio::test]
async fn a_header_that_is_not_ours_is_refused_before_a_key_is_looked_up() {
    let scene = scene();
    let (kid, claims) = (scene.key.kid().to_owned(), good_claims());
    let good = json!({"alg": "EdDSA", "typ": "JWT", "kid": kid});
    assert!(scene.verifier.verify(&forged(&good, &claims, &scene.key), NOW).await.is_ok());
    let asked = scene.source.asked.load(Ordering::SeqCst);
    let headers = [
        json!({"alg": "none", "typ": "JWT", "kid": kid}),
        json!({"alg": "HS256", "typ": "JWT", "kid": kid}),
        json!({"alg": "RS256", "typ": "JWT", "kid": kid}),
        json!({"alg": "eddsa", "typ": "JWT", "kid": kid}),
        json!({"typ": "JWT", "kid": kid}),
        json!({"alg": "EdDSA", "typ": "JWT"}),
        json!({"alg": "EdDSA", "typ": "at+jwt", "kid": kid}),
        json!({"alg": "EdDSA", "typ": "JWT", "kid": ""}),
        json!({"alg": "EdDSA", "typ": "JWT", "kid": "../../etc/passwd"}),
        json!({"alg": "EdDSA", "typ": "JWT", "kid": "k".repeat(65)}),
        with(good.clone(), "jku", json!("https://evil.example/jwks.json")),
        with(good.clone(), "jwk", json!({"kty": "OKP", "crv": "Ed25519", "x": "AAAA"})),
        with(good.clone(), "x5u", json!("https://evil.example/cert")),
        with(good.clone(), "x5c", json!([])),
        with(good, "crit", json!(["exp"])),
        json!(["EdDSA"]),
    ];
    for header in headers {
        // The same token with another header differs in its bytes only. The verifier treats it as a new token.
        assert_eq!(
            refusal(&scene, &forged(&header, &claims, &scene.key)).await,
            format!("TOKEN_INVALID {}", TokenFlaw::Header),
            "{header}"
        );
    }
    assert_eq!(scene.source.asked.load(Ordering::SeqCst), asked);
    let twice = URL_SAFE_NO_PAD.encode(format!(r#"{{"alg":"none","alg":"EdDSA","typ":"JWT","kid":"{kid}"}}"#));
    let token = forged(&json!({}), &claims, &scene.key);
    assert_eq!(
        refusal(&scene, &token.replacen(token.split('.').next().unwrap(), &twice, 1)).await,
        format!("TOKEN_INVALID {}", TokenFlaw::Header)
    );
}

#[tokio::test]
async fn the_signature_must_be_the_named_keys_over_these_very_bytes() {
    let scene = scene();
    let other = TokenKey::random(scene.key.kid(), &Ids::from_seed(2));
    let foreign = TokenKey::random("01900000-0000-7000-8000-00000000ffff", &Ids::from_seed(3));
    let wrong = format!("TOKEN_INVALID {}", TokenFlaw::Signature);
    assert_eq!(refusal(&scene, &issue_token(&member(), QUARTER, &other, NOW)).await, wrong);
    assert_eq!(
        refusal(&scene, &issue_token(&member(), QUARTER, &foreign, NOW)).await,
        format!("TOKEN_INVALID {}", TokenFlaw::UnknownKey)
    );
    let token = issue_token(&member(), QUARTER, &scene.key, NOW);
    let parts: Vec<&str> = token.split('.').collect();
    let [header, claims, signature] = parts.as_slice() else { unreachable!() };
    let richer = URL_SAFE_NO_PAD.encode(with(good_claims(), "sub", json!("bob")).to_string());
    assert_eq!(refusal(&scene, &format!("{header}.{richer}.{signature}")).await, wrong);
    let mut flipped = URL_SAFE_NO_PAD.decode(signature).unwrap();
    flipped[0] ^= 1;
    assert_eq!(refusal(&scene, &format!("{header}.{claims}.{}", URL_SAFE_NO_PAD.encode(&flipped))).await, wrong);
    let malformed = format!("TOKEN_INVALID {}", TokenFlaw::Malformed);
    for cut in [1, 2, 10, signature.len(), signature.len() + 1] {
        assert_eq!(refusal(&scene, &token[..token.len() - cut]).await, malformed, "{cut}");
    }
    for text in ["", ".", "..", "...", "a.b.c", "Bearer", &format!("{token}="), &format!("{token}.")] {
        assert!(refusal(&scene, text).await.starts_with("TOKEN_INVALID"), "{text}");
    }
    assert_eq!(refusal(&scene, &"a".repeat(LARGEST + 1)).await, format!("TOKEN_INVALID {}", TokenFlaw::TooLarge));
}

#[tokio::test]
async fn claims_that_are_not_for_here_and_now_are_refused() {
    let scene = scene();
    let header = json!({"alg": "EdDSA", "typ": "JWT", "kid": scene.key.kid()});
    let seconds = NOW / SECOND;
    let cases = [
        ("iss", json!("somebody"), TokenFlaw::Issuer),
        ("aud", json!("partner.example"), TokenFlaw::Audience),
        ("aud", json!(["pavise"]), TokenFlaw::Malformed),
        ("exp", json!(seconds), TokenFlaw::Expired),
        ("exp", json!(seconds - 1), TokenFlaw::Expired),
        ("exp", json!("never"), TokenFlaw::Malformed),
        ("exp", Value::Null, TokenFlaw::Malformed),
        ("nbf", json!(seconds + LEEWAY + 1), TokenFlaw::NotYet),
        ("iat", json!(seconds + LEEWAY + 1), TokenFlaw::NotYet),
        ("sub", json!(""), TokenFlaw::Malformed),
        ("realm", json!("user"), TokenFlaw::Malformed),
        ("realm", json!(""), TokenFlaw::Malformed),
        ("act", json!({"sub": "", "write": true}), TokenFlaw::Malformed),
    ];
    for (name, value, flaw) in cases {
        let token = forged(&header, &with(good_claims(), name, value), &scene.key);
        assert!(refusal(&scene, &token).await.ends_with(&flaw.to_string()), "{name}");
    }
    for name in ["iss", "aud", "sub", "realm", "iat", "nbf", "exp"] {
        let mut claims = good_claims();
        claims.as_object_mut().unwrap().remove(name);
        assert_eq!(
            refusal(&scene, &forged(&header, &claims, &scene.key)).await,
            format!("TOKEN_INVALID {}", TokenFlaw::Malformed),
            "{name}"
        );
    }
    let early = forged(&header, &with(good_claims(), "nbf", json!(seconds + LEEWAY)), &scene.key);
    assert!(scene.verifier.verify(&early, NOW).await.is_ok());
}

#[tokio::test]
async fn the_mesh_key_speaks_for_machines_only() {
    let scene = scene();
    let platform = Caller::platform("platform");
    let credential = MeshCredential::new(scene.mesh.clone(), "platform");
    let caller = scene.verifier.verify(&credential.token(NOW), NOW).await.unwrap();
    assert!(caller.has_mesh_secret);
    assert_eq!(Caller { expires_at: None, has_mesh_secret: false, ..(*caller).clone() }, platform);
    let machine = issue_token(&platform, QUARTER, &scene.key, NOW);
    assert!(!scene.verifier.verify(&machine, NOW).await.unwrap().has_mesh_secret, "another key signed it");
    for realm in [Realm::User, Realm::Internal, Realm::Partner, Realm::GroupAdmin] {
        let token = issue_token(&Caller { realm, ..platform.clone() }, QUARTER, &scene.mesh, NOW);
        assert_eq!(refusal(&scene, &token).await, format!("TOKEN_INVALID {}", TokenFlaw::UnknownKey), "{realm:?}");
    }
    let guessed = MeshCredential::new(TokenKey::mesh(b"another secret"), "platform");
    assert_eq!(refusal(&scene, &guessed.token(NOW)).await, format!("TOKEN_INVALID {}", TokenFlaw::Signature));
    let closed = TokenVerifier::new(Arc::new(NoKeys), None);
    assert!(closed.verify(&credential.token(NOW), NOW).await.is_err());
}

/// A part of the platform: the key with which it signs, and the keys that it accepts.
fn part(secret: &str, also: Option<&str>) -> (TokenKey, TokenVerifier) {
    let key = |secret: &str| TokenKey::mesh(secret.as_bytes());
    let accepted = [Some(secret), also].into_iter().flatten().map(|secret| key(secret).public());
    let signs = if also.is_some() { key(secret).with_fingerprint() } else { key(secret) };
    (signs, TokenVerifier::new(Arc::new(NoKeys), accepted))
}

#[tokio::test]
async fn the_mesh_secret_changes_part_by_part() {
    let platform = Caller::platform("platform");
    let admits = async |from: &(TokenKey, TokenVerifier), to: &(TokenKey, TokenVerifier)| {
        to.1.verify(&issue_token(&platform, QUARTER, &from.0, NOW), NOW).await.is_ok()
    };
    let steps = [part("old", None), part("old", Some("new")), part("new", Some("old")), part("new", None)];
    for pair in steps.windows(2) {
        for (from, to) in [(&pair[0], &pair[1]), (&pair[1], &pair[0])] {
            assert!(admits(from, to).await, "{} to {:?}", from.0.kid(), to.1.mesh);
        }
    }
    assert!(!admits(&steps[0], &steps[3]).await && !admits(&steps[3], &steps[0]).await, "without the steps between");
    assert!(!admits(&steps[1], &steps[3]).await, "a secret that is not accepted any more");
    assert_ne!(steps[1].0.kid(), steps[2].0.kid());
    let member = Caller { realm: Realm::User, ..platform.clone() };
    for (key, _) in &steps {
        let token = issue_token(&member, QUARTER, key, NOW);
        assert!(steps[2].1.verify(&token, NOW).await.is_err(), "{} speaks for machines only", key.kid());
    }
    let unknown = TokenKey::new("mesh-0000000000000000", &[7; 32]);
    assert!(steps[2].1.verify(&issue_token(&platform, QUARTER, &unknown, NOW), NOW).await.is_err());
}

#[test]
fn a_mesh_token_is_renewed_before_it_expires() {
    let credential = MeshCredential::new(TokenKey::mesh(b"secret"), "platform");
    let first = credential.token(NOW);
    assert_eq!(credential.token(NOW + 400 * SECOND), first);
    let renewed = credential.token(NOW + 480 * SECOND);
    assert_ne!(renewed, first);
    let public = TokenKey::mesh(b"secret").public();
    assert!(UnverifiedToken::read(&first).unwrap().verify(&public, AUDIENCE, NOW + 480 * SECOND).is_ok());
}

#[tokio::test]
async fn a_good_token_is_cached_until_it_expires() {
    let scene = scene();
    let token = issue_token(&member(), QUARTER, &scene.key, NOW);
    for _ in 0..3 {
        scene.verifier.verify(&token, NOW).await.unwrap();
    }
    assert_eq!(scene.source.asked.load(Ordering::SeqCst), 1);
    assert!(scene.verifier.verify(&token, NOW + 899 * SECOND).await.is_ok());
    let late = scene.verifier.verify(&token, NOW + 900 * SECOND).await.unwrap_err();
    assert!(late.is(Common::TokenExpired));
}

#[tokio::test]
async fn a_key_is_asked_for_again_after_its_time_and_an_unknown_one_sooner() {
    let scene = scene();
    let caller = |n: u32| Caller { identity: format!("ada{n}"), ..member() };
    for n in 0..3 {
        scene.verifier.verify(&issue_token(&caller(n), QUARTER, &scene.key, NOW), NOW).await.unwrap();
    }
    assert_eq!(scene.source.asked.load(Ordering::SeqCst), 1);
    scene.verifier.verify(&issue_token(&caller(3), QUARTER, &scene.key, NOW), NOW + KEY_TRUST).await.unwrap();
    assert_eq!(scene.source.asked.load(Ordering::SeqCst), 2);
    let foreign = TokenKey::random("unknown", &Ids::from_seed(9));
    for later in [0, 1, KEY_DOUBT] {
        scene.verifier.verify(&issue_token(&member(), QUARTER, &foreign, NOW), NOW + later).await.unwrap_err();
    }
    assert_eq!(scene.source.asked.load(Ordering::SeqCst), 4);
}

#[test]
fn the_cache_of_tokens_has_a_bound() {
    let mut map: HashMap<u32, Micros> = (0..10).map(|n| (n, Micros::from(n))).collect();
    make_room(&mut map, 10, |until| *until >= 5);
    assert_eq!(map.len(), 5);
    make_room(&mut map, 5, |_| true);
    assert!(map.is_empty());
}

#[tokio::test]
async fn a_token_of_an_ended_session_is_refused_from_then_on() {
    let scene = scene();
    let revoked = RevokedTokens::default();
    let verifier = TokenVerifier::new(scene.source.clone(), None).without(revoked.clone());
    let token = issue_token(&member(), QUARTER, &scene.key, NOW);
    let again = issue_token(&member(), Duration::from_secs(901), &scene.key, NOW);
    verifier.verify(&token, NOW).await.unwrap();
    revoked.add("s1", NOW, NOW);
    for token in [&token, &again] {
        let refused = verifier.verify(token, NOW + 1).await.unwrap_err();
        assert!(refused.is(Common::TokenExpired), "{refused}");
    }
}

/// A key that is withdrawn while its tokens are in use.
#[derive(Debug)]
struct Withdrawn(TokenKey, std::sync::atomic::AtomicBool);

#[async_trait]
impl KeySource for Withdrawn {
    async fn key(&self, _kid: &str) -> Result<Option<VerifyingKey>> {
        Ok((!self.1.load(Ordering::SeqCst)).then(|| self.0.public()))
    }
}

#[tokio::test]
async fn tokens_of_a_withdrawn_key_leave_the_cache_with_it() {
    let key = TokenKey::random("k", &Ids::from_seed(1));
    let source = Arc::new(Withdrawn(key.clone(), false.into()));
    let verifier = TokenVerifier::new(source.clone(), None);
    let token = issue_token(&member(), Duration::from_secs(86_400), &key, NOW);
    verifier.verify(&token, NOW).await.unwrap();
    source.1.store(true, Ordering::SeqCst);
    assert!(verifier.verify(&token, NOW + KEY_TRUST - 1).await.is_ok());
    assert!(verifier.verify(&token, NOW + KEY_TRUST).await.unwrap_err().is(Common::TokenInvalid));
}
