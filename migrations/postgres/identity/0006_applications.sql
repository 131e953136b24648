-- Applications, their keys, and their journal.

CREATE TABLE applications (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX applications_owner ON applications (owner_id, id);
CREATE INDEX applications_external_reference ON applications ((doc->>'externalReference'), id);

CREATE TABLE applications_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (name, value, id)
);
CREATE INDEX applications_lookup_id ON applications_lookup (id);
CREATE UNIQUE INDEX applications_keys_hash ON applications_lookup (value) WHERE name = 'keys.hash';

CREATE TABLE applications_journal (
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
CREATE INDEX applications_journal_entity ON applications_journal (entity_id, clock);

CREATE TABLE applications_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX applications_idempotency_at ON applications_idempotency (at);
