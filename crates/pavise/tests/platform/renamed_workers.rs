//! A worker that was renamed goes on where it was, and repeats no step that ran under its former name.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};

use pavise::domains;
use pavise_kernel::domain::Settings;
use pavise_kernel::migrations::Migration;
use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel_postgres::PostgresStore;
use pavise_kernel_sqlite::SqliteStore;
use pavise_testapp::TestApp;
use sqlx::{Connection as _, Executor as _, PgConnection, Row as _, SqliteConnection};
use std::sync::Arc;

/// The migration that gave the workers their names.
const RENAMED: i64 = 5;

/// Every worker's name, and the name of its steps.
const NAMES: [(&str, &str); 27] = [
    ("billing.activate_after_settlement", "billing.caught_up"),
    ("billing.activate_without_debt", "billing.catching_up"),
    ("billing.end_subscriptions", "billing.endings"),
    ("billing.expire_cards", "billing.expired_cards"),
    ("billing.finish_payments", "billing.settle"),
    ("billing.post_payments", "billing.post"),
    ("billing.resolve_transactions", "billing.resolve"),
    ("catalog.expire_names", "catalog.expired_names"),
    ("fulfillment.change_plans", "fulfillment.plan_changes"),
    ("fulfillment.end_coverages", "fulfillment.endings"),
    ("fulfillment.end_on_last_day", "fulfillment.last_days"),
    ("fulfillment.provision_products", "fulfillment.provision"),
    ("fulfillment.send_invitations", "fulfillment.invitations"),
    ("identity.deliver_invitation_notices", "identity.invitation_notices"),
    ("identity.deliver_notices", "identity.notices"),
    ("identity.forget_challenges", "identity.challenges.forget"),
    ("identity.forget_email_addresses", "identity.email_addresses"),
    ("identity.forget_password_resets", "identity.password_resets.forget"),
    ("identity.merge_names", "identity.merge"),
    ("identity.prepare_password_resets", "identity.password_resets"),
    ("identity.reseal_secrets", "identity.reseal"),
    ("identity.retry_notices", "identity.notices.leftovers"),
    ("identity.rotate_keys", "identity.keys"),
    ("identity.wake_processors", "identity.merge.waiting"),
    ("orders.record_provisions", "orders.provisioned"),
    ("orders.request_provisions", "orders.fulfillment"),
    ("orders.sell_offers", "orders.sale"),
];

fn workers() -> Vec<Arc<dyn Worker>> {
    let settings = Settings::default().with(pavise_identity::Config::for_tests());
    domains::DOMAINS.into_iter().flat_map(|domain| domain.workers(&settings).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn steps_keep_the_keys_of_the_former_names() {
    let app = TestApp::start().await.unwrap();
    let kernel = &app.app.kernel;
    let key = |work: Work| work.new_request((), "step").metadata().get("idempotency-key").unwrap().clone();
    let formers = BTreeMap::from(NAMES);
    for worker in workers() {
        let former = formers.get(worker.name()).copied().unwrap_or(worker.name());
        let now = Work::of_worker(kernel, worker.as_ref(), "7".to_owned(), "");
        assert_eq!(key(now), key(Work::new(kernel, former, "7".to_owned(), "")), "{}", worker.name());
    }
    let names: BTreeSet<_> = workers().iter().map(|worker| worker.name()).collect();
    for (name, _) in NAMES {
        assert!(names.contains(name), "{name} is no worker");
    }
}

/// The renamed workers that read journals, with the clock that each had reached.
fn readers() -> Vec<(&'static str, &'static str, i64)> {
    let reads: BTreeSet<_> = workers()
        .iter()
        .filter(|one| matches!(one.feed(), JournalFeed::Journal { .. }))
        .map(|one| one.name())
        .collect();
    NAMES
        .into_iter()
        .filter(|(name, _)| reads.contains(name))
        .zip(1..)
        .map(|((name, former), at)| (name, former, at))
        .collect()
}

/// The statements that gave the workers their names.
fn renaming(steps: &'static [Migration]) -> &'static str {
    steps.iter().find(|step| step.number == RENAMED).unwrap().sql
}

/// The rows of a worker under its former name: its cursor, and an entry that is set aside.
fn rows(former: &str, clock: i64, blob: &str) -> String {
    format!(
        "INSERT INTO worker_cursor (worker, clock, epoch) VALUES ('{former}', {clock}, 'epoch');
         INSERT INTO worker_aside (worker, clock, entity_id, attempts, next_at, cause, parked, entry)
         VALUES ('{former}', {clock}, 'entity', 1, 0, 'cause', FALSE, {blob});"
    )
}

const CURSORS: &str = "SELECT worker, clock FROM worker_cursor ORDER BY worker";
const ASIDE: &str = "SELECT worker, clock FROM worker_aside ORDER BY worker";

/// Expects every cursor under both names, for the program before still runs, and every entry under the new one.
fn check(cursors: &BTreeMap<String, i64>, aside: &BTreeMap<String, i64>) {
    let readers = readers();
    assert!(readers.len() > 10);
    let new = readers.iter().map(|(name, _, at)| ((*name).to_owned(), *at));
    let former = readers.iter().map(|(_, former, at)| ((*former).to_owned(), *at));
    assert_eq!(cursors, &new.clone().chain(former).collect::<BTreeMap<_, _>>());
    assert_eq!(aside, &new.collect::<BTreeMap<_, _>>());
}

#[tokio::test]
async fn renamed_workers_go_on_where_they_were_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pavise.db");
    SqliteStore::open(&file, &[]).await.unwrap();
    let mut database = SqliteConnection::connect(&format!("sqlite://{}", file.display())).await.unwrap();
    for (_, former, at) in readers() {
        database.execute(sqlx::AssertSqlSafe(rows(former, at, "x'00'"))).await.unwrap();
    }
    database.execute(renaming(pavise_kernel_sqlite::MIGRATIONS.sqlite)).await.unwrap();
    let mut found = Vec::new();
    for asked in [CURSORS, ASIDE] {
        let rows = database.fetch_all(asked).await.unwrap();
        found.push(rows.into_iter().map(|row| (row.get(0), row.get(1))).collect());
    }
    check(&found[0], &found[1]);
}

#[tokio::test]
async fn renamed_workers_go_on_where_they_were_on_postgres() {
    let url = pavise_testkit::postgres::make_database().await.unwrap();
    PostgresStore::connect(&url, 2, &[]).await.unwrap();
    let mut database = PgConnection::connect(&url).await.unwrap();
    for (_, former, at) in readers() {
        database.execute(sqlx::AssertSqlSafe(rows(former, at, "'\\x00'"))).await.unwrap();
    }
    database.execute(renaming(pavise_kernel_postgres::MIGRATIONS.postgres)).await.unwrap();
    let mut found = Vec::new();
    for asked in [CURSORS, ASIDE] {
        let rows = database.fetch_all(asked).await.unwrap();
        found.push(rows.into_iter().map(|row| (row.get(0), row.get(1))).collect());
    }
    check(&found[0], &found[1]);
}
