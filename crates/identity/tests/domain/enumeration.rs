//! Nobody finds out by asking, or by measuring, which accounts exist.

use std::time::{Duration, Instant};

use pavise_identity::contract::v1::{CheckIdentityExistsRequest, SendPasswordResetEmailRequest};
use tonic::Request;

use crate::scene::{Scene, scene, sign_in, with};

/// How many times each side is measured.
fn times() -> usize {
    if std::env::var_os("PAVISE_LONG").is_some() { 10_000 } else { 150 }
}

/// The share of pairs of which the first took longer: one half where the two sides take the same time.
fn longer(one: &[Duration], other: &[Duration]) -> f64 {
    let mut other = other.to_vec();
    other.sort_unstable();
    let wins: usize = one.iter().map(|time| other.partition_point(|known| known < time)).sum();
    let ties: usize = one.iter().map(|time| other.iter().filter(|known| *known == time).count()).sum();
    #[expect(clippy::cast_precision_loss, reason = "counts of a test")]
    let share = (wins as f64 + ties as f64 / 2.0) / (one.len() as f64 * other.len() as f64);
    share
}

/// Measures known and unknown names in turn, so that whatever else the machine does meets both. Each try has a name of
/// its own: who asks twice has to wait.
async fn measured(scene: &Scene, call: impl AsyncFn(&Scene, String)) -> [Vec<Duration>; 2] {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for number in 0..times() {
        scene.member(&format!("member{number}@example.com")).await;
        for there in if number % 2 == 0 { [true, false] } else { [false, true] } {
            let who = if there { "member" } else { "nobody" };
            let began = Instant::now();
            call(scene, format!("{who}{number}@example.com")).await;
            if there { &mut known } else { &mut unknown }.push(began.elapsed());
        }
    }
    [known, unknown]
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[tokio::test]
async fn the_time_of_asking_for_a_new_password_tells_nothing() {
    let scene = scene().await;
    let [known, unknown] = measured(&scene, async |scene, email| {
        let request = SendPasswordResetEmailRequest { email, ..SendPasswordResetEmailRequest::default() };
        scene.identities().send_password_reset_email(Request::new(request)).await.unwrap();
    })
    .await;
    // With n pairs the share of two equal sides has a standard deviation of √(1 / 6n); five of them are a difference.
    #[expect(clippy::cast_precision_loss, reason = "a count of a test")]
    let (share, allowed) = (longer(&known, &unknown), 5.0 / (6.0 * times() as f64).sqrt());
    println!("a known name took longer in {:.1} % of the pairs; 50 ± {:.1} % are chance", share * 100.0, allowed * 100.0);
    assert!((share - 0.5).abs() <= allowed, "{share} is not within {allowed} of one half");
}

#[tokio::test]
async fn the_time_of_a_failed_sign_in_tells_next_to_nothing() {
    let scene = scene().await;
    let [known, unknown] = measured(&scene, async |scene, email| {
        let refused = scene.identities().create_token(Request::new(sign_in(&email, "not the right password"))).await;
        assert!(refused.is_err());
    })
    .await;
    // An identity that is there is read. That is a small part of what hashing costs outside of tests, and less than the
    // hashes of two tries differ there.
    let (known, unknown) = (median(&known), median(&unknown));
    println!("a failed sign-in took {known:?} with a known name, {unknown:?} with an unknown one");
    assert!(known.abs_diff(unknown) < unknown / 2, "{known:?} and {unknown:?}");
}

#[tokio::test]
async fn who_goes_through_a_list_of_names_is_made_to_wait() {
    let scene = scene().await;
    let ask = |number: u32, from: &str| {
        let request = CheckIdentityExistsRequest { email: format!("someone{number}@example.com"), username: String::new() };
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
        client.check_identity_exists(with(scene.platform(program.clone()), "x-forwarded-for", "203.0.113.9")).await.unwrap();
    }
}
