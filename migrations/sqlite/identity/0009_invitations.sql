-- Invitations, their letters, and their journal.

CREATE TABLE invitations (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX invitations_owner ON invitations (owner_id, id);
CREATE INDEX invitations_accepted_by_id ON invitations ((doc->>'acceptedById'), id);
CREATE UNIQUE INDEX invitations_code_digest ON invitations ((doc->>'codeDigest'));
CREATE UNIQUE INDEX invitations_pending_digest ON invitations ((doc->>'pendingDigest'));

CREATE TABLE invitations_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (name, value, id)
) WITHOUT ROWID;
CREATE INDEX invitations_lookup_id ON invitations_lookup (id);

CREATE TABLE invitation_notices (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX invitation_notices_owner ON invitation_notices (owner_id, id);
CREATE INDEX invitation_notices_pending ON invitation_notices (id) WHERE status = 'PENDING';

CREATE TABLE invitations_journal (
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
CREATE INDEX invitations_journal_entity ON invitations_journal (entity_id, clock);

CREATE TABLE invitations_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX invitations_idempotency_at ON invitations_idempotency (at);
