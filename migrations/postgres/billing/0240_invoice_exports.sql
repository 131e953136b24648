-- Exports of invoices, and their journal.

CREATE TABLE invoice_exports (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX invoice_exports_owner ON invoice_exports (owner_id, id);
CREATE INDEX invoice_exports_expires_on ON invoice_exports ((coalesce(doc->>'expiresOn', '')) COLLATE "C", id);

CREATE TABLE invoice_exports_journal (
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
CREATE INDEX invoice_exports_journal_entity ON invoice_exports_journal (entity_id, clock);

CREATE TABLE invoice_exports_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX invoice_exports_idempotency_at ON invoice_exports_idempotency (at);
