-- Scheduled communications and their worker, and their journal.

CREATE TABLE scheduled_communications (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX scheduled_communications_owner ON scheduled_communications (owner_id, id);
CREATE INDEX scheduled_communications_status ON scheduled_communications (status, id);
CREATE INDEX scheduled_communications_template_key ON scheduled_communications ((doc->>'templateKey'), id);
CREATE UNIQUE INDEX scheduled_communications_unique_key ON scheduled_communications ((doc->>'uniqueKey'));
CREATE INDEX scheduled_communications_due_to_process_at ON scheduled_communications ((rtrim(coalesce(doc->>'dueToProcessAt', ''), 'Z')), id);
CREATE INDEX scheduled_communications_status_template_key ON scheduled_communications (status, (doc->>'templateKey'), id);

CREATE TABLE communication_workers (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX communication_workers_owner ON communication_workers (owner_id, id);

CREATE TABLE scheduled_communications_journal (
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
CREATE INDEX scheduled_communications_journal_entity ON scheduled_communications_journal (entity_id, clock);

CREATE TABLE scheduled_communications_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX scheduled_communications_idempotency_at ON scheduled_communications_idempotency (at);
