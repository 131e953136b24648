-- Documents and their journal.
CREATE TABLE documents (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX documents_owner ON documents (owner_id, id);
CREATE TABLE documents_journal (
    clock BIGINT PRIMARY KEY,
    action TEXT NOT NULL,
    entity_table TEXT NOT NULL,
    entity_id TEXT COLLATE "C" NOT NULL,
    owner_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    subject TEXT NOT NULL,
    request_id TEXT NOT NULL,
    removed BOOLEAN NOT NULL,
    doc JSONB NOT NULL
);
CREATE INDEX documents_journal_entity ON documents_journal (entity_id, clock);
CREATE TABLE documents_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX documents_idempotency_at ON documents_idempotency (at);
