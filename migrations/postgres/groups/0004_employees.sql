-- Employees of groups and their journal.

CREATE TABLE employees (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX employees_owner ON employees (owner_id, id);
CREATE INDEX employees_group_id ON employees ((doc->>'groupId'), id);
CREATE INDEX employees_division_id ON employees ((doc->>'divisionId'), id);
CREATE UNIQUE INDEX employees_number ON employees ((coalesce(doc->>'groupId', '')), (doc->>'number'));
CREATE UNIQUE INDEX employees_email_in_group ON employees (lower(doc->>'emailInGroup'));
CREATE INDEX employees_status ON employees (status, id);
CREATE INDEX employees_status_group_id ON employees (status, (doc->>'groupId'), id);
CREATE INDEX employees_status_division_id ON employees (status, (doc->>'divisionId'), id);

CREATE TABLE employees_journal (
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
CREATE INDEX employees_journal_entity ON employees_journal (entity_id, clock);

CREATE TABLE employees_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX employees_idempotency_at ON employees_idempotency (at);
