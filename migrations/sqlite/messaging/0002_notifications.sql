-- Notifications, their templates, events of providers and suppressions, and their journal.

CREATE TABLE notifications (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX notifications_owner ON notifications (owner_id, id);
CREATE INDEX notifications_status ON notifications (status, id);
CREATE INDEX notifications_template_key ON notifications ((doc->>'templateKey'), id);
CREATE UNIQUE INDEX notifications_provider_message_id ON notifications ((doc->>'providerMessageId'));
CREATE INDEX notifications_due_to_send_at ON notifications ((rtrim(coalesce(doc->>'dueToSendAt', ''), 'Z')), id);
CREATE INDEX notifications_status_template_key ON notifications (status, (doc->>'templateKey'), id);

CREATE TABLE notifications_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (name, value, id)
) WITHOUT ROWID;
CREATE INDEX notifications_lookup_id ON notifications_lookup (id);

CREATE TABLE delivery_events (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX delivery_events_owner ON delivery_events (owner_id, id);
CREATE INDEX delivery_events_notification_id ON delivery_events ((doc->>'notificationId'), id);

CREATE TABLE suppressions (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX suppressions_owner ON suppressions (owner_id, id);
CREATE INDEX suppressions_status ON suppressions (status, id);
CREATE INDEX suppressions_reason ON suppressions ((doc->>'reason'), id);
CREATE INDEX suppressions_status_reason ON suppressions (status, (doc->>'reason'), id);

CREATE TABLE suppressions_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (name, value, id)
) WITHOUT ROWID;
CREATE INDEX suppressions_lookup_id ON suppressions_lookup (id);
CREATE UNIQUE INDEX suppressions_claim ON suppressions_lookup (value) WHERE name = 'claim';

CREATE TABLE notification_templates (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX notification_templates_owner ON notification_templates (owner_id, id);
CREATE INDEX notification_templates_category ON notification_templates ((doc->>'category'), id);

CREATE TABLE notifications_journal (
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
CREATE INDEX notifications_journal_entity ON notifications_journal (entity_id, clock);

CREATE TABLE notifications_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX notifications_idempotency_at ON notifications_idempotency (at);
