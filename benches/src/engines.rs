//! Writes without a kernel, by hand: a counter row and a transaction for each request. It also fills large databases.

use std::time::Duration;

use anyhow::Context as _;
use indicatif::ProgressBar;
use sqlx::postgres::PgPoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{AssertSqlSafe, Executor as _};

use crate::content;
use crate::loops::{Speed, repeat};

/// Rows that are filled in at once.
const STEP: i64 = 200_000;

/// Document, journal entry and the counter's new value in one statement, so in one round trip and one transaction.
const ROW: &str = "WITH counter AS (UPDATE row_counter SET clock = clock + 1 RETURNING clock), \
     document AS (INSERT INTO row_documents (id, clock, doc) SELECT $1, clock, $2::jsonb FROM counter) \
     INSERT INTO row_journal (clock, action, id, doc) SELECT clock, 'CREATED', $1, $2::jsonb FROM counter RETURNING clock";

/// The file of an SQLite URL.
pub(crate) fn sqlite_file(url: &str) -> Option<&str> {
    url.strip_prefix("sqlite://")
}

/// Writes documents for a while, each in a transaction of its own.
pub(crate) async fn write(database: &str, callers: usize, span: Duration) -> anyhow::Result<Speed> {
    if sqlite_file(database).is_some() {
        sqlite(database, callers, span).await
    } else {
        postgres(database, callers, span).await
    }
}

async fn postgres(database: &str, callers: usize, span: Duration) -> anyhow::Result<Speed> {
    let most = u32::try_from(callers)?;
    let pool = PgPoolOptions::new().max_connections(most).min_connections(most).connect(database).await?;
    pool.execute(
        "CREATE TABLE IF NOT EXISTS row_counter (clock BIGINT NOT NULL) WITH (fillfactor = 50); \
         CREATE TABLE IF NOT EXISTS row_documents (id TEXT PRIMARY KEY, clock BIGINT NOT NULL, doc JSONB NOT NULL); \
         CREATE TABLE IF NOT EXISTS row_journal (clock BIGINT PRIMARY KEY, action TEXT NOT NULL, id TEXT NOT NULL, doc JSONB NOT NULL); \
         INSERT INTO row_counter SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM row_counter)",
    )
    .await?;
    let json = content::json().to_string();
    repeat(callers, span, |_| {
        let (pool, json) = (pool.clone(), json.clone());
        move || {
            let (pool, json) = (pool.clone(), json.clone());
            async move {
                sqlx::query(ROW).bind(uuid::Uuid::new_v4().to_string()).bind(json).fetch_one(&pool).await?;
                Ok(())
            }
        }
    })
    .await
}

async fn sqlite(database: &str, callers: usize, span: Duration) -> anyhow::Result<Speed> {
    let file = sqlite_file(database).context("sqlite://FILE")?;
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(30));
    // One connection: writers of one file wait for each other anyway, and with one they wait without polling.
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(Duration::from_secs(60))
        .connect_with(options)
        .await?;
    pool.execute(
        "CREATE TABLE IF NOT EXISTS row_documents (id TEXT PRIMARY KEY, clock INTEGER NOT NULL, doc TEXT NOT NULL) WITHOUT ROWID; \
         CREATE TABLE IF NOT EXISTS row_journal (clock INTEGER PRIMARY KEY, action TEXT NOT NULL, id TEXT NOT NULL, doc TEXT NOT NULL)",
    )
    .await?;
    let json = content::json().to_string();
    repeat(callers, span, |_| {
        let (pool, json) = (pool.clone(), json.clone());
        move || {
            let (pool, json) = (pool.clone(), json.clone());
            async move {
                let id = uuid::Uuid::new_v4().to_string();
                let mut unit = pool.begin_with("BEGIN IMMEDIATE").await?;
                let insert = "INSERT INTO row_journal (action, id, doc) VALUES ('CREATED', ?, ?) RETURNING clock";
                let clock: i64 = sqlx::query_scalar(insert).bind(&id).bind(&json).fetch_one(&mut *unit).await?;
                let insert = "INSERT INTO row_documents (id, clock, doc) VALUES (?, ?, ?)";
                sqlx::query(insert).bind(&id).bind(clock).bind(&json).execute(&mut *unit).await?;
                unit.commit().await?;
                Ok(())
            }
        }
    })
    .await
}

/// Fills a database that has its tables up to `count` documents, each with its journal entry.
pub(crate) async fn fill(database: &str, count: i64) -> anyhow::Result<()> {
    drop(crate::kit::several(database, 1, None).await?);
    let document = serde_json::json!({"title": content::sample().title, "note": content::sample().note});
    let doc = document.to_string().replace('\'', "''");
    let sqlite = sqlite_file(database);
    let (series, cast) = match sqlite {
        Some(_) => ("WITH RECURSIVE n(clock) AS (SELECT $1 UNION ALL SELECT clock + 1 FROM n WHERE clock < $2)", ""),
        None => ("WITH n AS (SELECT generate_series($1::bigint, $2::bigint) AS clock)", "::jsonb"),
    };
    // These ids sort after the ids of a run, so that the newest page stays the same, whatever was written since.
    let id = match sqlite {
        Some(_) => "printf('f%031d', clock)",
        None => "('f' || lpad(clock::text, 31, '0'))",
    };
    // Each day has as many documents as each other one.
    let day = match sqlite {
        Some(_) => "printf('2026-%02d-%02d', clock % 12 + 1, clock / 12 % 28 + 1)",
        None => "('2026-' || lpad((clock % 12 + 1)::text, 2, '0') || '-' || lpad((clock / 12 % 28 + 1)::text, 2, '0'))",
    };
    let doc = match sqlite {
        Some(_) => format!("json_set('{doc}', '$.id', {id}, '$.status', 'CREATED', '$.dueOn', {day})"),
        None => format!("('{doc}'{cast} || jsonb_build_object('id', {id}, 'status', 'CREATED', 'dueOn', {day}))"),
    };
    let documents = format!(
        "{series} INSERT INTO documents (id, owner_id, status, version, clock, created_at, updated_at, doc) \
         SELECT {id}, '', 'CREATED', 1, clock, clock, clock, {doc} FROM n"
    );
    let journal = format!(
        "{series} INSERT INTO documents_journal (clock, action, entity_table, entity_id, owner_id, version, at, actor, subject, \
         request_id, removed, doc) SELECT clock, 'CREATED', 'documents', {id}, '', 1, clock, 'bench', 'bench', '', false, {doc} FROM n"
    );
    let counter = "INSERT INTO journal_counter (journal, clock, epoch) VALUES ('documents', $1, 'filled') \
         ON CONFLICT (journal) DO UPDATE SET clock = excluded.clock";
    let bar = ProgressBar::new(u64::try_from(count)?);
    match sqlite {
        Some(file) => {
            let options = SqliteConnectOptions::new().filename(file).synchronous(SqliteSynchronous::Off);
            let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await?;
            let mut at: i64 =
                sqlx::query_scalar("SELECT coalesce(max(clock), 0) FROM documents_journal").fetch_one(&pool).await?;
            while at < count {
                let to = count.min(at + STEP);
                for sql in [&documents, &journal] {
                    sqlx::query(AssertSqlSafe(sql.as_str())).bind(at + 1).bind(to).execute(&pool).await?;
                }
                sqlx::query(counter).bind(to).execute(&pool).await?;
                at = to;
                bar.set_position(u64::try_from(at)?);
            }
        }
        None => {
            let pool = PgPoolOptions::new().max_connections(1).connect(database).await?;
            let mut at: i64 =
                sqlx::query_scalar("SELECT coalesce(max(clock), 0) FROM documents_journal").fetch_one(&pool).await?;
            while at < count {
                let to = count.min(at + STEP);
                for sql in [&documents, &journal] {
                    sqlx::query(AssertSqlSafe(sql.as_str())).bind(at + 1).bind(to).execute(&pool).await?;
                }
                sqlx::query(counter).bind(to).execute(&pool).await?;
                at = to;
                bar.set_position(u64::try_from(at)?);
            }
            pool.execute("ANALYZE documents; ANALYZE documents_journal; CHECKPOINT").await?;
        }
    }
    bar.finish();
    Ok(())
}

/// Makes the index of documents by day, or drops it.
pub(crate) async fn index(database: &str, drop: bool) -> anyhow::Result<()> {
    let (name, day) = ("documents_due_on", "(coalesce(doc->>'dueOn', ''))");
    let sql = |bytewise: &str| match drop {
        true => format!("DROP INDEX IF EXISTS {name}"),
        false => format!("CREATE INDEX IF NOT EXISTS {name} ON documents ({day}{bytewise}, id)"),
    };
    match sqlite_file(database) {
        Some(file) => {
            let options = SqliteConnectOptions::new().filename(file);
            let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await?;
            pool.execute(AssertSqlSafe(sql(""))).await?;
        }
        None => {
            let pool = PgPoolOptions::new().max_connections(1).connect(database).await?;
            pool.execute(AssertSqlSafe(sql(" COLLATE \"C\""))).await?;
            pool.execute("ANALYZE documents").await?;
        }
    }
    Ok(())
}
