-- Employer groups and their journal.

CREATE TABLE groups (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX groups_owner ON groups (owner_id, id);
CREATE INDEX groups_group_id ON groups ((doc->>'groupId'), id);
CREATE INDEX groups_status ON groups (status, id);

CREATE TABLE groups_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (name, value, id)
);
CREATE INDEX groups_lookup_id ON groups_lookup (id);
CREATE INDEX groups_lookup_prefix ON groups_lookup (name, value COLLATE "C", id);
CREATE UNIQUE INDEX groups_number ON groups_lookup (value) WHERE name = 'number';

CREATE TABLE groups_journal (
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
CREATE INDEX groups_journal_entity ON groups_journal (entity_id, clock);

CREATE TABLE groups_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX groups_idempotency_at ON groups_idempotency (at);
