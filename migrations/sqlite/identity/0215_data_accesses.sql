-- The reads of personal data by others than their owner, and their journal.

CREATE TABLE data_accesses (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX data_accesses_owner ON data_accesses (owner_id, id);

CREATE TABLE data_access_journal (
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
CREATE INDEX data_access_journal_entity ON data_access_journal (entity_id, clock);

CREATE TABLE data_access_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX data_access_idempotency_at ON data_access_idempotency (at);
