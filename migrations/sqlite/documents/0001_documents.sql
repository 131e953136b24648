-- Questionnaires, their answers, and their journals.

CREATE TABLE questions (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX questions_owner ON questions (owner_id, id);
CREATE UNIQUE INDEX questions_name ON questions (lower(doc->>'name'));
CREATE INDEX questions_kind ON questions ((doc->>'kind'), id);
CREATE INDEX questions_status ON questions (status, id);
CREATE INDEX questions_status_kind ON questions (status, (doc->>'kind'), id);

CREATE TABLE question_versions (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX question_versions_owner ON question_versions (owner_id, id);

CREATE TABLE questions_journal (
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
CREATE INDEX questions_journal_entity ON questions_journal (entity_id, clock);

CREATE TABLE questions_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX questions_idempotency_at ON questions_idempotency (at);

CREATE TABLE answers (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX answers_owner ON answers (owner_id, id);
CREATE INDEX answers_question_id ON answers ((doc->>'questionId'), id);
CREATE INDEX answers_entitlement_id ON answers ((doc->>'entitlementId'), id);
CREATE INDEX answers_service_request_id ON answers ((doc->>'serviceRequestId'), id);
CREATE INDEX answers_due_to_end_at ON answers ((rtrim(coalesce(doc->>'dueToEndAt', ''), 'Z')), id);

CREATE TABLE answers_journal (
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
CREATE INDEX answers_journal_entity ON answers_journal (entity_id, clock);

CREATE TABLE answers_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX answers_idempotency_at ON answers_idempotency (at);
