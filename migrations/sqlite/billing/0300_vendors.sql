-- A payment vendor: entries on its page, its events, and the comparison of its movements with ours.

CREATE INDEX transactions_vendor_reference ON transactions ((doc->>'vendorReference'), id);
CREATE INDEX transactions_settled_at ON transactions ((rtrim(coalesce(doc->>'settledAt', ''), 'Z')), id);

CREATE TABLE hosted_entries (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX hosted_entries_owner ON hosted_entries (owner_id, id);
CREATE UNIQUE INDEX hosted_entries_vendor_session_id ON hosted_entries ((doc->>'vendorSessionId'));

CREATE TABLE hosted_entries_journal (
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
CREATE INDEX hosted_entries_journal_entity ON hosted_entries_journal (entity_id, clock);

CREATE TABLE hosted_entries_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX hosted_entries_idempotency_at ON hosted_entries_idempotency (at);

CREATE TABLE vendor_events (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX vendor_events_owner ON vendor_events (owner_id, id);

CREATE TABLE vendor_events_journal (
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
CREATE INDEX vendor_events_journal_entity ON vendor_events_journal (entity_id, clock);

CREATE TABLE vendor_events_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX vendor_events_idempotency_at ON vendor_events_idempotency (at);

CREATE TABLE reconciliations (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX reconciliations_owner ON reconciliations (owner_id, id);
CREATE INDEX reconciliations_day ON reconciliations ((coalesce(doc->>'day', '')), id);

CREATE TABLE reconciliation_rows (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX reconciliation_rows_owner ON reconciliation_rows (owner_id, id);
CREATE INDEX reconciliation_rows_day ON reconciliation_rows ((coalesce(doc->>'day', '')), id);
CREATE INDEX reconciliation_rows_status_day ON reconciliation_rows (status, (coalesce(doc->>'day', '')), id);
CREATE INDEX reconciliation_rows_status ON reconciliation_rows (status, id);

CREATE TABLE reconciliations_journal (
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
CREATE INDEX reconciliations_journal_entity ON reconciliations_journal (entity_id, clock);

CREATE TABLE reconciliations_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX reconciliations_idempotency_at ON reconciliations_idempotency (at);
