-- Relations and their journal.

CREATE TABLE relations (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX relations_owner ON relations (owner_id, id);
CREATE INDEX relations_type ON relations ((doc->>'type'), id);

CREATE TABLE relations_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (name, value, id)
);
CREATE INDEX relations_lookup_id ON relations_lookup (id);

CREATE TABLE relations_journal (
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
CREATE INDEX relations_journal_entity ON relations_journal (entity_id, clock);

CREATE TABLE relations_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX relations_idempotency_at ON relations_idempotency (at);
