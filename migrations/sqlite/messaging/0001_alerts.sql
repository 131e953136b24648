-- Alerts and their templates, and their journal.

CREATE TABLE alerts (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX alerts_owner ON alerts (owner_id, id);
CREATE INDEX alerts_status ON alerts (status, id);
CREATE INDEX alerts_priority ON alerts ((doc->>'priority'), id);
CREATE INDEX alerts_audience_permission ON alerts ((doc->>'audiencePermission'), id);
CREATE INDEX alerts_branch_id ON alerts ((doc->>'branchId'), id);
CREATE INDEX alerts_template_key ON alerts ((doc->>'templateKey'), id);
CREATE INDEX alerts_due_to_escalate_at ON alerts ((rtrim(coalesce(doc->>'dueToEscalateAt', ''), 'Z')), id);
CREATE INDEX alerts_status_priority ON alerts (status, (doc->>'priority'), id);
CREATE INDEX alerts_owner_id_priority ON alerts (owner_id, (doc->>'priority'), id);
CREATE INDEX alerts_status_audience_permission ON alerts (status, (doc->>'audiencePermission'), id);
CREATE INDEX alerts_status_branch_id ON alerts (status, (doc->>'branchId'), id);

CREATE TABLE alert_templates (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX alert_templates_owner ON alert_templates (owner_id, id);

CREATE TABLE alerts_journal (
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
CREATE INDEX alerts_journal_entity ON alerts_journal (entity_id, clock);

CREATE TABLE alerts_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX alerts_idempotency_at ON alerts_idempotency (at);
