-- Files, and their journal.

CREATE TABLE files (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX files_owner ON files (owner_id, id);
CREATE INDEX files_status ON files (status, id);
CREATE INDEX files_container ON files ((doc->>'container'), id);
CREATE INDEX files_resource_id ON files ((doc->>'resourceId'), id);
CREATE INDEX files_name_key ON files ((doc->>'nameKey'), id);
CREATE INDEX files_due_on ON files ((coalesce(doc->>'dueOn', '')) COLLATE "C", id);
CREATE INDEX files_status_container ON files (status, (doc->>'container'), id);

CREATE TABLE files_journal (
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
CREATE INDEX files_journal_entity ON files_journal (entity_id, clock);

CREATE TABLE files_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX files_idempotency_at ON files_idempotency (at);
