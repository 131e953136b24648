-- Notes and their journal.

CREATE TABLE notes (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX notes_owner ON notes (owner_id, id);
CREATE INDEX notes_subject_type ON notes ((doc->>'subjectType'), id);
CREATE INDEX notes_subject_id ON notes ((doc->>'subjectId'), id);
CREATE INDEX notes_priority ON notes ((doc->>'priority'), id);

CREATE TABLE notes_journal (
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
CREATE INDEX notes_journal_entity ON notes_journal (entity_id, clock);

CREATE TABLE notes_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX notes_idempotency_at ON notes_idempotency (at);
