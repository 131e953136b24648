//! The same service written by hand: axum with serde, and sqlx for stored documents; a bare tonic echo.

use axum::extract::{Path, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use sqlx::postgres::{PgPool, PgPoolOptions};
use tonic::{Request, Response, Status};

use crate::contract::v1;

/// The service's trait as tonic generates it.
#[allow(clippy::all, clippy::pedantic, unreachable_pub, missing_docs, reason = "generated")]
mod plain {
    include!(concat!(env!("OUT_DIR"), "/plain/pavise.bench.v1.rs"));
}

use plain::document_service_server::{DocumentService, DocumentServiceServer};

/// As many connections as our own process has.
const CONNECTIONS: u32 = 16;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Content {
    title: String,
    #[serde(default)]
    note: String,
    holder: Option<Holder>,
    place: Option<Place>,
    #[serde(default)]
    lines: Vec<Line>,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[derive(Default)]
struct Holder {
    name: String,
    email: String,
    phone: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[derive(Default)]
struct Place {
    street: String,
    city: String,
    region: String,
    postal_code: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[derive(Default)]
struct Line {
    product_id: String,
    name: String,
    tier: String,
    quantity: i32,
    cents: i32,
    renews: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Badge {
    badge_id: String,
    name: &'static str,
    points: i32,
}

#[derive(Debug, Serialize)]
struct Made {
    id: String,
    #[serde(flatten)]
    content: Content,
}

/// Serves REST and gRPC until the process is ended.
pub(crate) async fn serve(http: &str, grpc: &str, database: &str) -> anyhow::Result<()> {
    let pool = PgPoolOptions::new().max_connections(CONNECTIONS).connect(database).await?;
    sqlx::query("CREATE TABLE IF NOT EXISTS plain_documents (id TEXT PRIMARY KEY, doc JSONB NOT NULL)")
        .execute(&pool)
        .await?;
    let rest = Router::new()
        .route("/v1/documents/echo", post(echo))
        .route("/v1/badges/{badge_id}", get(badge))
        .route("/v1/documents", post(create))
        .with_state(pool);
    let listener = tokio::net::TcpListener::bind(http).await?;
    let rest = tokio::spawn(async move { axum::serve(listener, rest).await });
    tonic::transport::Server::builder().add_service(DocumentServiceServer::new(Echo)).serve(grpc.parse()?).await?;
    rest.await??;
    Ok(())
}

async fn echo(Json(content): Json<Content>) -> Json<Content> {
    Json(content)
}

async fn badge(Path(badge_id): Path<String>) -> Json<Badge> {
    Json(Badge { badge_id, name: "Member since the first year", points: 120 })
}

async fn create(State(pool): State<PgPool>, Json(content): Json<Content>) -> Result<Json<Made>, StatusCode> {
    let id = uuid::Uuid::new_v4().to_string();
    let insert = sqlx::query("INSERT INTO plain_documents (id, doc) VALUES ($1, $2)")
        .bind(&id)
        .bind(sqlx::types::Json(&content));
    insert.execute(&pool).await.map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?;
    Ok(Json(Made { id, content }))
}

/// Answers the request, and nothing else.
#[derive(Debug, Clone, Copy)]
struct Echo;

type Answer<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl DocumentService for Echo {
    async fn echo_document(&self, request: Request<v1::Content>) -> Answer<v1::Content> {
        Ok(Response::new(request.into_inner()))
    }

    async fn get_badge(&self, _request: Request<v1::GetBadgeRequest>) -> Answer<v1::Badge> {
        Err(Status::unimplemented("only the echo is measured"))
    }

    async fn create_document(&self, _request: Request<v1::Content>) -> Answer<v1::Document> {
        Err(Status::unimplemented("only the echo is measured"))
    }

    async fn get_document(&self, _request: Request<v1::GetDocumentRequest>) -> Answer<v1::Document> {
        Err(Status::unimplemented("only the echo is measured"))
    }

    async fn list_documents(&self, _request: Request<v1::ListDocumentsRequest>) -> Answer<v1::ListDocumentsResponse> {
        Err(Status::unimplemented("only the echo is measured"))
    }

    async fn get_documents_by_ids(
        &self,
        _request: Request<v1::GetDocumentsByIdsRequest>,
    ) -> Answer<v1::GetDocumentsByIdsResponse> {
        Err(Status::unimplemented("only the echo is measured"))
    }

    async fn read_journal(
        &self,
        _request: Request<pavise_kernel::common::v1::ReadJournalRequest>,
    ) -> Answer<pavise_kernel::common::v1::JournalPage> {
        Err(Status::unimplemented("only the echo is measured"))
    }
}
