-- Templates of forms, forms, and their journals.

CREATE TABLE form_templates (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX form_templates_owner ON form_templates (owner_id, id);
CREATE UNIQUE INDEX form_templates_name ON form_templates (lower(doc->>'name'));
CREATE INDEX form_templates_status ON form_templates (status, id);

CREATE TABLE form_templates_journal (
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
CREATE INDEX form_templates_journal_entity ON form_templates_journal (entity_id, clock);

CREATE TABLE form_templates_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX form_templates_idempotency_at ON form_templates_idempotency (at);

CREATE TABLE forms (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX forms_owner ON forms (owner_id, id);
CREATE INDEX forms_status ON forms (status, id);
CREATE INDEX forms_template_id ON forms ((doc->>'templateId'), id);
CREATE INDEX forms_answer_id ON forms ((doc->>'answerId'), id);

CREATE TABLE forms_journal (
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
CREATE INDEX forms_journal_entity ON forms_journal (entity_id, clock);

CREATE TABLE forms_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX forms_idempotency_at ON forms_idempotency (at);
