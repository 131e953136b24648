//! Calls to a peer over a network that loses, delays and cuts. Each call is answered or refused in time; with an
//! idempotency key it has one effect, however often it was sent.
//!
//! A seed decides a simulation; the seeds that run are printed, and the one that fails. `PAVISE_SEED=17` runs that one
//! alone, `PAVISE_LONG=1` many more.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, Response, Uri};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use pavise_kernel::time::Ids;
use pavise_mesh::{Endpoint, remote_through};
use pavise_testkit::runs;
use tokio::time::Instant;
use tonic::body::Body;
use tonic::{Code, Status};
use tower::ServiceExt as _;
use turmoil::net::{TcpListener, TcpStream};

const PORT: u16 = 80;
const CALLERS: usize = 3;
/// The number of calls of each caller.
const CALLS: usize = 30;
/// The time after which a caller repeats an unanswered call.
const DEADLINE: Duration = Duration::from_secs(2);
/// The tolerance of the deadline: one step of the simulation, and one of its timer.
const MARGIN: Duration = Duration::from_millis(10);
/// The duration of the network's trouble.
const TROUBLE: Duration = Duration::from_secs(40);
/// The time within which a call succeeds after the trouble, wherever the call was at its end.
const BACK: Duration = Duration::from_millis(1_200);

/// The peer's effects: how often it was asked, by key.
type Effects = Arc<Mutex<BTreeMap<String, usize>>>;

/// The observations of a simulation.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Seen {
    refused: usize,
    repeated: usize,
    troubles: usize,
    /// The start of each successful call, and its duration, in milliseconds.
    succeeded: Vec<(u64, u64)>,
}

/// A peer that answers after a delay, and sometimes refuses.
async fn serve(effects: Effects, dice: Ids) -> turmoil::Result {
    let listener = TcpListener::bind((IpAddr::V4(Ipv4Addr::UNSPECIFIED), PORT)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        let (effects, dice) = (Arc::clone(&effects), dice.clone());
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            answer(request, Arc::clone(&effects), dice.clone())
        });
        let mut server = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        server.timer(TokioTimer::new());
        tokio::spawn(server.serve_connection(TokioIo::new(stream), service));
    }
}

async fn answer(request: Request<Incoming>, effects: Effects, dice: Ids) -> Result<Response<Body>, Infallible> {
    let key = request.headers().get("idempotency-key").and_then(|key| key.to_str().ok()).unwrap_or_default().to_owned();
    tokio::time::sleep(Duration::from_millis(dice.bits() % 60)).await;
    if dice.bits().is_multiple_of(20) {
        return Ok(Status::unavailable("busy").into_http());
    }
    *effects.lock().unwrap().entry(key).or_default() += 1;
    tokio::time::sleep(Duration::from_millis(dice.bits() % 60)).await;
    Ok(pavise_testkit::grpc::new_response(&[]))
}

/// A caller that asks until it is answered, from the start of the trouble to some time after its end.
async fn call(seen: Arc<Mutex<Seen>>, dice: Ids, number: usize) -> turmoil::Result {
    let connector = tower::service_fn(|uri: Uri| async move {
        TcpStream::connect((uri.host().unwrap_or_default().to_owned(), PORT)).await
    });
    let endpoint = Endpoint { dice, ..Endpoint::new("http://peer:80") };
    let peer = remote_through(&endpoint, |_| false, connector)?;
    let began = Instant::now();
    for call in 0..CALLS {
        tokio::time::sleep_until(began + TROUBLE.mul_f64(1.2) / u32::try_from(CALLS)? * u32::try_from(call)?).await;
        let first = began.elapsed();
        loop {
            let mut request = Request::new(Body::new(Full::new(Bytes::from_static(&[0; 5]))));
            *request.method_mut() = http::Method::POST;
            *request.uri_mut() = Uri::from_static("/simulation.Bank/Pay");
            let headers = request.headers_mut();
            headers.insert("content-type", HeaderValue::from_static("application/grpc"));
            headers.insert("idempotency-key", HeaderValue::try_from(format!("{number}-{call}"))?);
            headers.insert("grpc-timeout", HeaderValue::try_from(format!("{}m", DEADLINE.as_millis()))?);
            let asked = Instant::now();
            let response = tokio::time::timeout(DEADLINE + MARGIN, async {
                told(peer.clone().oneshot(request).await.map_err(|error| error.to_string())?).await
            });
            let status = response.await.expect("an answer in time")?;
            let mut seen = seen.lock().unwrap();
            if status.code() == Code::Ok {
                seen.succeeded.push((milliseconds(first), milliseconds(began.elapsed() - first)));
                break;
            }
            assert!(
                matches!(status.code(), Code::Unavailable | Code::DeadlineExceeded),
                "{status} after {:?}",
                asked.elapsed()
            );
            seen.refused += 1;
        }
    }
    Ok(())
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap()
}

async fn told(response: Response<Body>) -> turmoil::Result<Status> {
    if let Some(status) = Status::from_header_map(response.headers()) {
        return Ok(status);
    }
    Ok(match response.into_body().collect().await {
        Ok(body) => body.trailers().and_then(Status::from_header_map).unwrap_or_else(|| Status::unknown("no status")),
        // The connection was lost in the middle of the answer.
        Err(error) => Status::unavailable(error.to_string()),
    })
}

/// Begins some trouble in the network, decided by the seed.
fn trouble(simulation: &turmoil::Sim<'_>, dice: &Ids) {
    match dice.bits() % 4 {
        0 => simulation.partition("caller", "peer"),
        1 => simulation.hold("caller", "peer"),
        2 => simulation.partition_oneway("peer", "caller"),
        _ => simulation.set_link_latency("caller", "peer", Duration::from_millis(1 + dice.bits() % 400)),
    }
}

fn heal(simulation: &turmoil::Sim<'_>) {
    simulation.release("caller", "peer");
    simulation.repair("caller", "peer");
    simulation.set_link_latency("caller", "peer", Duration::from_millis(2));
}

fn simulate(seed: u64) -> Seen {
    let dice = Ids::from_seed(seed);
    let mut simulation = turmoil::Builder::new()
        .rng_seed(seed)
        .simulation_duration(TROUBLE * 4)
        .tick_duration(Duration::from_millis(2))
        .min_message_latency(Duration::from_millis(1))
        .max_message_latency(Duration::from_millis(20))
        .tcp_capacity(1 << 16)
        .build();
    let (effects, seen) = (Effects::default(), Arc::<Mutex<Seen>>::default());
    let (of_peer, of_server) = (Arc::clone(&effects), Ids::from_seed(seed ^ 1));
    simulation.host("peer", move || serve(Arc::clone(&of_peer), of_server.clone()));
    let (of_caller, of_client) = (Arc::clone(&seen), Ids::from_seed(seed ^ 2));
    simulation.client("caller", async move {
        let callers = (0..CALLERS).map(|number| call(Arc::clone(&of_caller), of_client.clone(), number));
        futures::future::try_join_all(callers).await.map(drop)
    });
    let (mut well_at, mut next) = (None, Duration::from_secs(2));
    let mut healed = Vec::new();
    loop {
        let now = simulation.elapsed();
        if well_at.is_some_and(|at| now >= at) {
            heal(&simulation);
            well_at = None;
            next = now + Duration::from_millis(500 + dice.bits() % 3_000);
            healed.push((now, if next < TROUBLE { next } else { Duration::MAX }));
        } else if well_at.is_none() && now >= next && now < TROUBLE {
            trouble(&simulation, &dice);
            seen.lock().unwrap().troubles += 1;
            well_at = Some((now + Duration::from_millis(100 + dice.bits() % 6_000)).min(TROUBLE));
        }
        if simulation.step().expect("a caller fails") {
            break;
        }
    }
    let mut seen = seen.lock().unwrap().clone();
    let effects = effects.lock().unwrap();
    assert_eq!(effects.len(), CALLERS * CALLS, "each call has its effect, and no key was lost on the way");
    seen.repeated = effects.values().map(|asked| asked - 1).sum();
    for (made, took) in &seen.succeeded {
        let (made, done) = (Duration::from_millis(*made), Duration::from_millis(made + took));
        for (at, until) in &healed {
            // The time between two troubles may be shorter.
            assert!(
                made > *until || done < *at || done <= made.max(*at) + BACK || *until < made.max(*at) + BACK,
                "made at {made:?}, when the network was well again at {at:?}, and answered at {done:?}"
            );
        }
    }
    seen
}

#[test]
fn a_call_is_answered_in_its_time_and_has_one_effect() {
    let seen = runs::under_seeds(runs::run_size(8, 300), simulate);
    let sum = |of: fn(&Seen) -> usize| seen.iter().map(of).sum::<usize>();
    println!(
        "{} seeds: {} troubles; {} calls, each answered or refused within {} ms, {} refusals, {} arrived more than once; each key arrived",
        seen.len(),
        sum(|one| one.troubles),
        CALLERS * CALLS * seen.len(),
        DEADLINE.as_millis(),
        sum(|one| one.refused),
        sum(|one| one.repeated)
    );
}

#[test]
fn a_seed_decides_everything() {
    assert_eq!(simulate(7), simulate(7));
}
