-- Merges of identities, and their journal.

CREATE TABLE identity_merges (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX identity_merges_owner ON identity_merges (owner_id, id);
CREATE INDEX identity_merges_merged_identity_id ON identity_merges ((doc->>'mergedIdentityId'), id);
CREATE INDEX identity_merges_in_progress ON identity_merges (id) WHERE status = 'IN_PROGRESS';

CREATE TABLE identity_merges_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (name, value, id)
);
CREATE INDEX identity_merges_lookup_id ON identity_merges_lookup (id);
CREATE UNIQUE INDEX identity_merges_held_identity_ids ON identity_merges_lookup (value) WHERE name = 'held_identity_ids';

CREATE TABLE identity_merge_journal (
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
CREATE INDEX identity_merge_journal_entity ON identity_merge_journal (entity_id, clock);

CREATE TABLE identity_merge_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX identity_merge_idempotency_at ON identity_merge_idempotency (at);
