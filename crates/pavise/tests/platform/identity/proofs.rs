//! Proofs, and tries that prove nothing: addresses, second factors, codes and passwords. Over REST and gRPC, on both
//! engines, each refused request beside the legitimate one.

use std::sync::Arc;
use std::time::Duration;

use pavise::wire::{Client, Failure, Surface};
use pavise_identity::contract::v1::IdentityRealm;
use pavise_identity::{Config, LeakedPasswords};
use pavise_testapp::{Cut, Database, Engine, Platform, TestApp};
use serde_json::{Value, json};

const PASSWORD: &str = "correct horse battery";
const OTHER: &str = "staple of another kind";
const LEAKED: &str = "a fine and private place";
/// The SHA-1 hash of it, as breach corpora are given out.
const LEAKED_HASH: &str = "C77CA46F6FE188C2DE49DE32B228ED381375C91F";
const DAY: Duration = Duration::from_secs(24 * 3600);
const MINUTE: Duration = Duration::from_secs(60);

/// The callers of one surface, on a platform whose clock stands still.
struct Desk<'a> {
    platform: &'a Platform,
    surface: Surface,
    visitor: Client,
    machine: Client,
}

/// Somebody with a session of their own.
struct Person {
    id: String,
    email: String,
    client: Client,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

async fn good(client: &Client, name: &str, request: Value) -> Value {
    client.call(name, request.clone()).await.unwrap_or_else(|error| panic!("{name}: {error}\n{request}")).json
}

async fn bad(client: &Client, name: &str, request: Value, reason: &str) {
    match client.call(name, request.clone()).await {
        Err(Failure::Refused(refusal)) => assert_eq!(refusal.reason, reason, "{name}: {refusal}\n{request}"),
        other => panic!("{name}: expected {reason}, got {other:?}\n{request}"),
    }
}

impl<'a> Desk<'a> {
    fn new(platform: &'a Platform, surface: Surface) -> Self {
        let visitor = Client::new(platform.addresses()[0], surface, &platform.app().app.pool).unwrap();
        let machine = visitor.with_token(&platform.app().token(&TestApp::machine()));
        Self { platform, surface, visitor, machine }
    }

    fn email(&self, word: &str) -> String {
        format!("{word}-{:?}@example.com", self.surface).to_lowercase()
    }

    fn advance(&self, by: Duration) {
        self.platform.app().clock.as_ref().unwrap().move_forward(by);
    }

    async fn sign_in(&self, email: &str, password: &str) -> Result<Value, String> {
        let request = json!({"email": email, "password": password});
        match self.visitor.call("identities.CreateToken", request).await {
            Ok(answer) => Ok(answer.json),
            Err(Failure::Refused(refusal)) => Err(refusal.reason),
            Err(other) => panic!("{other:?}"),
        }
    }

    /// Somebody in a new session.
    async fn session(&self, id: &str, email: &str, password: &str) -> Person {
        let token = text(&self.sign_in(email, password).await.unwrap()["accessToken"]);
        Person { id: id.to_owned(), email: email.to_owned(), client: self.visitor.with_token(&token) }
    }

    /// A visitor who signs up: the address waits for its proof.
    async fn newcomer(&self, email: &str, password: &str) -> Person {
        let wanted = json!({"realm": "User", "emails": [email], "password": password});
        let id = text(&good(&self.visitor, "identities.CreateIdentity", wanted).await["id"]);
        self.session(&id, email, password).await
    }

    /// Somebody whose address a program vouches for.
    async fn member(&self, word: &str) -> Person {
        let email = self.email(word);
        let wanted = json!({"realm": "User", "emails": [email], "password": PASSWORD});
        let id = text(&good(&self.machine, "identities.CreateIdentity", wanted).await["id"]);
        self.session(&id, &email, PASSWORD).await
    }

    /// The codes in the letters to an address with that subject, once there are so many.
    async fn codes(&self, address: &str, subject: &str, count: usize) -> Vec<String> {
        let app = self.platform.app();
        let there = || {
            let letters = app.mailbox.of(address).into_iter().filter(|letter| letter.subject == subject);
            let codes: Vec<String> = letters.filter_map(|letter| find_code(&letter.text)).collect();
            async move { (codes.len() >= count).then_some(codes) }
        };
        app.eventually(&format!("{count} letters: {subject}"), there).await
    }

    async fn last_code(&self, address: &str, subject: &str, count: usize) -> String {
        self.codes(address, subject, count).await.pop().unwrap()
    }

    /// The subjects of the letters to an address.
    fn subjects(&self, address: &str) -> Vec<String> {
        self.platform.app().mailbox.of(address).into_iter().map(|letter| letter.subject).collect()
    }
}

/// A code in a text: `ABCDE-FGHIJ`, or six digits.
fn find_code(text: &str) -> Option<String> {
    let is_code = |word: &&str| {
        (word.len() == 11 && word.contains('-')) || (word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_digit()))
    };
    text.split_whitespace().find(is_code).map(str::to_owned)
}

const RESET: &str = "Choose a new password";
const PROVE: &str = "Is this your e-mail address?";
const FACTOR: &str = "Your code";
const CHANGED: &str = "The names you sign in with were changed";

fn proof(person: &Person, code: &str) -> Value {
    json!({"identityId": person.id, "email": person.email, "code": code})
}

/// An address that is not proved resets nothing and is joined by no second name. Proved, it does both.
async fn unproved(desk: &Desk<'_>) {
    let ada = desk.newcomer(&desk.email("unproved"), PASSWORD).await;
    let sure = desk.member("proved").await;
    let ask = async |email: &str| {
        good(&desk.visitor, "identities.SendPasswordResetEmail", json!({"email": email})).await;
    };
    ask(&ada.email).await;
    ask(&sure.email).await;
    // They are handled in their order, so that the first has had its turn.
    desk.codes(&sure.email, RESET, 1).await;
    assert!(!desk.subjects(&ada.email).contains(&RESET.to_owned()), "a claim resets nothing");
    let name = json!({"identityId": ada.id, "username": format!("ada-{:?}", desk.surface).to_lowercase()});
    bad(&ada.client, "identities.AddUsername", name.clone(), "PROVE_EMAIL_FIRST").await;
    let code = desk.last_code(&ada.email, PROVE, 1).await;
    bad(&ada.client, "identities.ProveEmail", proof(&ada, "00000-00000"), "EMAIL_CODE_NOT_GOOD").await;
    bad(&sure.client, "identities.ProveEmail", proof(&ada, &code), "NOT_THE_OWNER").await;
    good(&ada.client, "identities.ProveEmail", proof(&ada, &code)).await;
    good(&ada.client, "identities.AddUsername", name).await;
    desk.advance(61 * MINUTE);
    ask(&ada.email).await;
    let code = desk.last_code(&ada.email, RESET, 1).await;
    let choose = |code: &str| json!({"userId": ada.id, "code": code, "password": OTHER});
    bad(&desk.visitor, "identities.ResetPassword", choose("00000-00000"), "RESET_CODE_NOT_GOOD").await;
    good(&desk.visitor, "identities.ResetPassword", choose(&code)).await;
    desk.sign_in(&ada.email, OTHER).await.unwrap();
}

/// The prover of an address takes it, even from an earlier claimant.
async fn taken(desk: &Desk<'_>) {
    let email = desk.email("taken");
    let eve = desk.newcomer(&email, PASSWORD).await;
    desk.advance(MINUTE);
    let ada = desk.newcomer(&email, OTHER).await;
    assert_eq!(desk.sign_in(&email, PASSWORD).await.unwrap_err(), "WRONG_CREDENTIALS", "the last sign-up signs in");
    let codes = desk.codes(&email, PROVE, 2).await;
    bad(&ada.client, "identities.ProveEmail", proof(&ada, &codes[0]), "EMAIL_CODE_NOT_GOOD").await;
    let proved = good(&ada.client, "identities.ProveEmail", proof(&ada, &codes[1])).await;
    assert_eq!(proved["emails"][0]["address"], json!(email));
    assert!(proved["emails"][0]["verifiedAt"].is_string(), "{proved}");
    bad(&eve.client, "identities.ProveEmail", proof(&eve, &codes[0]), "EMAIL_CODE_NOT_GOOD").await;
    let left = good(&eve.client, "identities.ListUnprovedEmails", json!({"identityId": eve.id})).await;
    assert!(left["emails"].as_array().is_none_or(Vec::is_empty), "{left}");
    let third = json!({"realm": "User", "emails": [email], "password": PASSWORD});
    bad(&desk.visitor, "identities.CreateIdentity", third, "ALREADY_EXISTS").await;
    desk.sign_in(&email, OTHER).await.unwrap();
}

/// A claim lets its maker in for seven days.
async fn lapses(desk: &Desk<'_>) {
    let email = desk.email("late");
    let ada = desk.newcomer(&email, PASSWORD).await;
    let code = desk.last_code(&email, PROVE, 1).await;
    desk.advance(6 * DAY);
    let ada = desk.session(&ada.id, &email, PASSWORD).await;
    bad(&ada.client, "identities.ProveEmail", proof(&ada, &code), "EMAIL_CODE_NOT_GOOD").await;
    desk.advance(DAY + MINUTE);
    assert_eq!(desk.sign_in(&email, PASSWORD).await.unwrap_err(), "WRONG_CREDENTIALS");
    let next = desk.newcomer(&email, OTHER).await;
    let code = desk.last_code(&email, PROVE, 2).await;
    good(&next.client, "identities.ProveEmail", proof(&next, &code)).await;
}

/// For three days letters go to a former address as well, and its owner undoes a change with it.
async fn former(desk: &Desk<'_>) {
    let (ada, thief) = (desk.member("former").await, desk.email("thief"));
    let add = json!({"identityId": ada.id, "email": thief, "primary": true});
    good(&ada.client, "identities.AddEmail", add).await;
    let code = desk.last_code(&thief, PROVE, 1).await;
    let prove = json!({"identityId": ada.id, "email": thief, "code": code});
    good(&ada.client, "identities.ProveEmail", prove).await;
    good(&ada.client, "identities.RemoveEmail", json!({"identityId": ada.id, "email": ada.email})).await;
    assert_eq!(desk.sign_in(&ada.email, PASSWORD).await.unwrap_err(), "WRONG_CREDENTIALS");
    let told = || async { (desk.subjects(&ada.email).iter().filter(|one| *one == CHANGED).count() >= 2).then_some(()) };
    desk.platform.app().eventually("both changes are told at the former address", told).await;

    desk.advance(61 * MINUTE);
    let ask = async |email: &str| {
        good(&desk.visitor, "identities.SendPasswordResetEmail", json!({"email": email})).await;
    };
    ask(&thief).await;
    let of_thief = desk.last_code(&thief, RESET, 1).await;
    desk.codes(&ada.email, RESET, 1).await;
    desk.advance(61 * MINUTE);
    ask(&ada.email).await;
    let mine = desk.last_code(&ada.email, RESET, 2).await;
    assert_eq!(desk.codes(&thief, RESET, 1).await.len(), 1, "asked for with the former address, it goes there alone");
    let choose = |code: &str| json!({"userId": "-", "email": ada.email, "code": code, "password": OTHER});
    bad(&desk.visitor, "identities.ResetPassword", choose(&of_thief), "RESET_CODE_NOT_GOOD").await;
    good(&desk.visitor, "identities.ResetPassword", choose(&mine)).await;
    assert_eq!(desk.sign_in(&ada.email, OTHER).await.unwrap()["identityId"], json!(ada.id));
    assert_eq!(desk.sign_in(&thief, OTHER).await.unwrap_err(), "WRONG_CREDENTIALS");
}

/// A factor that sends its codes by mail, set up in the session.
async fn mail_factor(desk: &Desk<'_>, person: &Person, letters: usize) -> Value {
    let made = good(&person.client, "factors.CreateFactor", json!({"identityId": person.id, "type": "EMAIL"})).await;
    let code = desk.last_code(&person.email, FACTOR, letters).await;
    let id = made["factor"]["id"].clone();
    let verify = json!({"identityId": person.id, "factorId": id, "code": code});
    good(&person.client, "factors.VerifyFactor", verify).await;
    id
}

/// In a realm that needs a second factor, a session without one has no permissions. Members need none.
async fn realms(desk: &Desk<'_>) {
    let email = desk.email("max");
    let permissions = json!([{"application": "pavise", "permissions": ["identity.*"]}]);
    let wanted = json!({"realm": "Internal", "emails": [email], "password": PASSWORD, "permissions": permissions});
    let id = text(&good(&desk.machine, "identities.CreateIdentity", wanted).await["id"]);
    let opened = desk.sign_in(&email, PASSWORD).await.unwrap();
    assert_eq!(opened["needsSecondFactor"], json!(true), "{opened}");
    let client = desk.visitor.with_token(&text(&opened["accessToken"]));
    let max = Person { id, email, client };
    bad(&max.client, "identities.ListIdentities", json!({}), "PERMISSION_MISSING").await;
    mail_factor(desk, &max, 1).await;
    let renew = json!({"refreshToken": opened["refreshToken"]});
    let renewed = good(&desk.visitor, "sessions.RefreshToken", renew).await;
    assert!(renewed["needsSecondFactor"].as_bool().is_none_or(|needs| !needs), "{renewed}");
    let max = desk.visitor.with_token(&text(&renewed["accessToken"]));
    good(&max, "identities.ListIdentities", json!({})).await;
    let member = desk.member("realms").await;
    let opened = desk.sign_in(&member.email, PASSWORD).await.unwrap();
    assert!(opened["needsSecondFactor"].as_bool().is_none_or(|needs| !needs), "{opened}");
}

/// A sent code is good for the challenge that it was asked for in.
async fn challenges(desk: &Desk<'_>) {
    let ada = desk.member("challenged").await;
    let factor = mail_factor(desk, &ada, 1).await;
    let challenge = async || desk.sign_in(&ada.email, PASSWORD).await.unwrap()["challenge"]["id"].clone();
    let (mine, theirs) = (challenge().await, challenge().await);
    desk.advance(2 * MINUTE);
    good(&desk.visitor, "identities.SendChallengeCode", json!({"challengeId": mine, "factorId": factor})).await;
    let code = desk.last_code(&ada.email, FACTOR, 2).await;
    let answer = |challenge: &Value| json!({"challengeId": challenge, "factorId": factor, "code": code});
    bad(&desk.visitor, "identities.AnswerChallenge", answer(&theirs), "WRONG_CODE").await;
    let of_session = json!({"identityId": ada.id, "factorId": factor, "code": code});
    bad(&ada.client, "factors.ValidateFactor", of_session, "WRONG_CODE").await;
    desk.advance(Duration::from_secs(2));
    let opened = good(&desk.visitor, "identities.AnswerChallenge", answer(&mine)).await;
    assert_eq!(opened["identityId"], json!(ada.id));
}

/// Leaked and common passwords are refused wherever one is chosen.
async fn passwords(desk: &Desk<'_>) {
    let ada = desk.member("chooser").await;
    for refused in [LEAKED, "passwordpassword", "Qwertyuiopasdf1"] {
        let email = desk.email("never");
        let wanted = json!({"realm": "User", "emails": [email], "password": refused});
        bad(&desk.visitor, "identities.CreateIdentity", wanted, "PASSWORD_NOT_ALLOWED").await;
        let change = json!({"userId": ada.id, "oldPassword": PASSWORD, "newPassword": refused});
        bad(&ada.client, "identities.UpdatePassword", change, "PASSWORD_NOT_ALLOWED").await;
    }
    let change = json!({"userId": ada.id, "oldPassword": PASSWORD, "newPassword": OTHER});
    good(&ada.client, "identities.UpdatePassword", change).await;
    desk.sign_in(&ada.email, OTHER).await.unwrap();
}

/// With validate-only nothing is guessed: right and wrong guesses get the same refusal.
async fn guesses(desk: &Desk<'_>) {
    let ada = desk.member("guessed").await;
    let factor = mail_factor(desk, &ada, 1).await;
    let challenge = desk.sign_in(&ada.email, PASSWORD).await.unwrap()["challenge"]["id"].clone();
    let trial = |client: &Client| client.with("pavise-validate-only", "true");
    let (visitor, own) = (trial(&desk.visitor), trial(&ada.client));
    for password in [PASSWORD, "another horse of the sea"] {
        for (client, call, request) in [
            (&visitor, "identities.CreateToken", json!({"email": ada.email, "password": password})),
            (&own, "identities.ProveSession", json!({"password": password})),
            (
                &own,
                "identities.UpdatePassword",
                json!({"userId": ada.id, "oldPassword": password, "newPassword": OTHER}),
            ),
        ] {
            bad(client, call, request, "VALIDATE_ONLY_REFUSED").await;
        }
    }
    for (client, call, request) in [
        (&own, "factors.ValidateFactor", json!({"identityId": ada.id, "factorId": factor, "code": "123456"})),
        (&own, "factors.VerifyFactor", json!({"identityId": ada.id, "factorId": factor, "code": "123456"})),
        (&own, "identities.ProveEmail", proof(&ada, "ABCDE-FGHJK")),
        (
            &visitor,
            "identities.AnswerChallenge",
            json!({"challengeId": challenge, "factorId": factor, "code": "123456"}),
        ),
        (&visitor, "identities.ResetPassword", json!({"userId": ada.id, "code": "ABCDE-FGHJK", "password": OTHER})),
    ] {
        bad(client, call, request, "VALIDATE_ONLY_REFUSED").await;
    }
    // A call that proves nothing may be tried.
    good(&own, "factors.UpdateFactorName", json!({"identityId": ada.id, "factorId": factor, "name": "My mail"})).await;
    let factors = good(&ada.client, "factors.ListFactors", json!({"identityId": ada.id})).await;
    assert_ne!(factors["factors"][0]["name"], json!("My mail"), "and writes nothing: {factors}");
}

async fn run(engine: Engine) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, format!("{LEAKED_HASH}:37\n").as_bytes()).unwrap();
    let leaked = Arc::new(LeakedPasswords::open(file.path()).unwrap());
    let database = Database::new(engine).await.unwrap();
    let strict = |config: Config| Config {
        second_factor_realms: vec![IdentityRealm::Internal],
        leaked_passwords: Some(leaked.clone()),
        ..config
    };
    let change = |settings: pavise_testapp::TestAppBuilder| settings.still().identity(strict);
    let platform = Platform::begin(engine, Cut::Whole, &database, change).await.unwrap();
    for surface in [Surface::Rest, Surface::Grpc] {
        // Tokens of the tests are good for an hour.
        unproved(&Desk::new(&platform, surface)).await;
        taken(&Desk::new(&platform, surface)).await;
        former(&Desk::new(&platform, surface)).await;
        realms(&Desk::new(&platform, surface)).await;
        challenges(&Desk::new(&platform, surface)).await;
        passwords(&Desk::new(&platform, surface)).await;
        guesses(&Desk::new(&platform, surface)).await;
        lapses(&Desk::new(&platform, surface)).await;
    }
    platform.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite() {
    run(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres() {
    run(Engine::Postgres).await;
}
