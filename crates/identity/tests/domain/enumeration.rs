//! Nobody finds out by asking, or by measuring, which accounts exist.
//!
//! Names that somebody has and names that nobody has are tried in random order, so that whatever else the machine does
//! meets both alike, and the times are compared by their ranks (Mann and Whitney), so that a few that took very long do
//! not matter. Passwords are hashed at next to no cost: what hashing would hide shows.

use std::fmt;
use std::time::{Duration, Instant};

use pavise_identity::contract::PASSWORD_RESET_TABLE;
use pavise_identity::contract::v1::{
    CheckIdentityExistsRequest, PreparePasswordResetRequest, ResetPasswordRequest, SendPasswordResetEmailRequest,
};
use pavise_identity::{Config, FreeTries};
use pavise_kernel::store::Filter;
use pavise_kernel::time::Ids;
use pavise_testkit::runs;
use tonic::Request;

use crate::scene::{Engine, Scene, configured, refusal_reason, scene, sign_in, with};

/// How many tries there are in all.
const TRIES: usize = 10_000;
/// How long a test takes at most, but for the proof at full length.
const SHORT: Duration = Duration::from_secs(4);
/// How many rounds must all show a difference. While other tests run beside it, the machine's own noise is not always
/// the same for both kinds of names: a table that grows, a disk that is slow for a second.
const ROUNDS: u64 = 4;
/// How many names of each kind are tried.
const NAMES: u64 = 40;
/// From which distance on a difference is no chance: once in 16,000 runs where there is none.
const CHANCE: f64 = 4.0;
/// From which share on a difference is of use: a known name takes longer in more than 53 of 100 pairs, or fewer than 47.
/// Who has one try of each name to go by then is right about 52 names of 100, without the noise of hashing and network.
const USE: f64 = 0.03;

/// The times of known and of unknown names beside each other.
struct Comparison {
    tries: usize,
    /// The share of pairs of which the known name took longer; one half where nothing can be told.
    share: f64,
    /// How many standard deviations it is away from one half.
    distance: f64,
    medians: [Duration; 2],
}

impl Comparison {
    #[expect(clippy::cast_precision_loss, reason = "counts of a test")]
    fn of(known: &[Duration], unknown: &[Duration]) -> Self {
        let [known, unknown] = [known, unknown].map(|times| {
            let mut times = times.to_vec();
            times.sort_unstable();
            times
        });
        let longer = |time: &Duration| {
            let (below, up_to) =
                (unknown.partition_point(|other| other < time), unknown.partition_point(|other| other <= time));
            (below + up_to) as f64 / 2.0
        };
        let (n, m) = (known.len() as f64, unknown.len() as f64);
        let share = known.iter().map(longer).sum::<f64>() / (n * m);
        let deviation = ((n + m + 1.0) / (12.0 * n * m)).sqrt();
        let medians = [&known, &unknown].map(|times| times.get(times.len() / 2).copied().unwrap_or_default());
        Self { tries: known.len() + unknown.len(), share, distance: (share - 0.5) / deviation, medians }
    }

    /// Whether the measured times show if a name exists, well enough to be of use.
    fn tells(&self) -> bool {
        self.distance.abs() > CHANCE && (self.share - 0.5).abs() > USE
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tries, share, distance, medians: [known, unknown] } = self;
        let share = share * 100.0;
        write!(
            f,
            "of {tries} tries a known name took longer in {share:.1} % of the pairs, {distance:+.1} standard deviations"
        )?;
        write!(f, " from one half; medians {known:?} and {unknown:?}")
    }
}

/// The domain on each engine, with tries that never have to wait, and with members.
async fn scenes() -> [(Engine, Scene); 2] {
    let free_tries = FreeTries { account: u32::MAX, address: u32::MAX };
    let mut scenes = Vec::new();
    for engine in Engine::BOTH {
        let scene = configured(engine, Config { free_tries, ..Config::for_tests() }).await;
        for number in 0..NAMES {
            scene.member(&name(true, number)).await;
        }
        scenes.push((engine, scene));
    }
    scenes.try_into().unwrap_or_else(|_| unreachable!("there are two engines"))
}

/// A name that somebody has, or one of the same form that nobody has.
fn name(known: bool, number: u64) -> String {
    format!("{}{number:03}@example.com", if known { "member" } else { "nobody" })
}

/// Compares known and unknown names, and again as long as there is a difference, up to [`ROUNDS`] times. The result is
/// the last round: a difference of the code is there in every round, one of the machine is not.
async fn compared(scene: &Scene, call: impl AsyncFn(&Scene, String) -> Duration) -> Comparison {
    let mut found = round(scene, &call, 1).await;
    for seed in 2..=ROUNDS {
        if !found.tells() {
            break;
        }
        println!("a difference, which is measured again: {found}");
        found = round(scene, &call, seed).await;
    }
    found
}

/// Tries known and unknown names in random order; `call` answers how long it took.
async fn round(scene: &Scene, call: &impl AsyncFn(&Scene, String) -> Duration, seed: u64) -> Comparison {
    let (mut known, mut unknown, ids) = (Vec::new(), Vec::new(), Ids::from_seed(seed));
    let (began, long) = (Instant::now(), runs::is_long_run());
    while known.len() + unknown.len() < TRIES && (long || began.elapsed() < SHORT) {
        let drawn = ids.bits();
        let (there, name) = (drawn % 2 == 0, name(drawn % 2 == 0, (drawn >> 1) % NAMES));
        let took = call(scene, name).await;
        if there { &mut known } else { &mut unknown }.push(took);
    }
    Comparison::of(&known, &unknown)
}

#[test]
fn a_difference_is_told_when_it_is_there_and_not_when_it_is_not() {
    let ids = Ids::from_seed(2);
    let times =
        |more: u64| (0..2000).map(|_| Duration::from_micros(1000 + ids.bits() % 400 + more)).collect::<Vec<_>>();
    let (one, other, slower) = (times(0), times(0), times(40));
    assert!(!Comparison::of(&one, &other).tells() && !Comparison::of(&one, &one).tells());
    let found = Comparison::of(&slower, &other);
    assert!(found.tells() && found.share > 0.55, "{found}");
    assert!(Comparison::of(&other, &slower).tells(), "in either direction");
}

#[tokio::test]
async fn the_time_of_a_failed_sign_in_tells_nothing() {
    let mut telling = Vec::new();
    for (engine, scene) in scenes().await {
        let found = compared(&scene, async |scene, email| {
            let request = Request::new(sign_in(&email, "not the right password"));
            let began = Instant::now();
            assert_eq!(refusal_reason(scene.identities().create_token(request).await), "WRONG_CREDENTIALS");
            began.elapsed()
        })
        .await;
        println!("a failed sign-in, {engine:?}: {found}");
        telling.extend(found.tells().then(|| found.to_string()));
    }
    assert!(telling.is_empty(), "{telling:?}");
}

#[tokio::test]
async fn the_time_of_asking_for_a_new_password_tells_nothing() {
    let mut telling = Vec::new();
    for (engine, scene) in scenes().await {
        let found = compared(&scene, async |scene, email| {
            let request = SendPasswordResetEmailRequest { email, ..SendPasswordResetEmailRequest::default() };
            // Letters to one name have a rate limit.
            scene.clock.move_forward(Duration::from_secs(360));
            let began = Instant::now();
            scene.identities().send_password_reset_email(Request::new(request)).await.unwrap();
            began.elapsed()
        })
        .await;
        println!("asking for a new password, {engine:?}: {found}");
        telling.extend(found.tells().then(|| found.to_string()));
    }
    assert!(telling.is_empty(), "{telling:?}");
}

/// Has a code sent to a member, so that there is one to be guessed.
async fn code_for(scene: &Scene, email: String) {
    let request = SendPasswordResetEmailRequest { email, ..SendPasswordResetEmailRequest::default() };
    // Letters to one name have a rate limit.
    scene.clock.move_forward(Duration::from_secs(360));
    scene.identities().send_password_reset_email(Request::new(request)).await.unwrap();
    let newest = Filter { limit: 1, ..Filter::default() };
    let password_reset_id = scene.store().list(&PASSWORD_RESET_TABLE, &newest).await.unwrap().remove(0).id;
    let request = PreparePasswordResetRequest { password_reset_id };
    scene.identities().prepare_password_reset(scene.platform(request)).await.unwrap();
}

#[tokio::test]
async fn the_time_of_a_wrong_code_does_not_tell_who_was_sent_one() {
    let mut telling = Vec::new();
    for (engine, scene) in scenes().await {
        let ids = Ids::from_seed(3);
        let found = compared(&scene, async |scene, email| {
            // Whichever name is tried, somebody was sent a code just before.
            let member = if email.starts_with("member") { email.clone() } else { name(true, ids.bits() % NAMES) };
            code_for(scene, member).await;
            let request = ResetPasswordRequest {
                user_id: "-".into(),
                email,
                code: "AAAAA-AAAAA".into(),
                password: "staple of another kind".into(),
            };
            let began = Instant::now();
            assert_eq!(
                refusal_reason(scene.identities().reset_password(Request::new(request)).await),
                "RESET_CODE_NOT_GOOD"
            );
            began.elapsed()
        })
        .await;
        println!("a wrong code, {engine:?}: {found}");
        telling.extend(found.tells().then(|| found.to_string()));
    }
    assert!(telling.is_empty(), "{telling:?}");
}

#[tokio::test]
async fn lists_of_guessed_names_wait() {
    let scene = scene().await;
    let ask = |number: u32, from: &str| {
        let request =
            CheckIdentityExistsRequest { email: format!("someone{number}@example.com"), username: String::new() };
        with(Request::new(request), "x-forwarded-for", from)
    };
    let mut client = scene.identities();
    let mut answered = 0;
    for number in 0..200 {
        answered += u32::from(client.check_identity_exists(ask(number, "203.0.113.9")).await.is_ok());
    }
    assert!((50..=52).contains(&answered), "{answered}");
    assert!(client.check_identity_exists(ask(1, "203.0.113.10")).await.is_ok(), "others are not made to wait");
    let program = CheckIdentityExistsRequest { email: "someone@example.com".into(), username: String::new() };
    for _ in 0..60 {
        client
            .check_identity_exists(with(scene.platform(program.clone()), "x-forwarded-for", "203.0.113.9"))
            .await
            .unwrap();
    }
}
