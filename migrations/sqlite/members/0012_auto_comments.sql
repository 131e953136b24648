-- Auto comments and their journal.

CREATE TABLE auto_comments (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX auto_comments_owner ON auto_comments (owner_id, id);
CREATE INDEX auto_comments_subject_type ON auto_comments ((doc->>'subjectType'), id);
CREATE INDEX auto_comments_subject_id ON auto_comments ((doc->>'subjectId'), id);
CREATE INDEX auto_comments_key ON auto_comments ((doc->>'key'), id);

CREATE TABLE auto_comments_journal (
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
CREATE INDEX auto_comments_journal_entity ON auto_comments_journal (entity_id, clock);

CREATE TABLE auto_comments_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX auto_comments_idempotency_at ON auto_comments_idempotency (at);
