-- Exports of invoices, and their journal.

CREATE TABLE invoice_exports (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX invoice_exports_owner ON invoice_exports (owner_id, id);
CREATE INDEX invoice_exports_expires_on ON invoice_exports ((coalesce(doc->>'expiresOn', '')), id);

CREATE TABLE invoice_exports_journal (
    clock INTEGER PRIMARY KEY,
    action TEXT NOT NULL,
    entity_table TEXT NOT NULL,
    entity_id TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    subject TEXT NOT NULL,
    request_id TEXT NOT NULL,
    removed BOOLEAN NOT NULL,
    doc TEXT NOT NULL
);
CREATE INDEX invoice_exports_journal_entity ON invoice_exports_journal (entity_id, clock);

CREATE TABLE invoice_exports_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX invoice_exports_idempotency_at ON invoice_exports_idempotency (at);
