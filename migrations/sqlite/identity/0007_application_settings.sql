-- What people have set in the applications, and its journal.

CREATE TABLE application_settings (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX application_settings_owner ON application_settings (owner_id, id);
CREATE INDEX application_settings_application_name ON application_settings ((doc->>'applicationName'), id);
CREATE INDEX application_settings_shared_in ON application_settings ((doc->>'sharedIn'), id);
CREATE UNIQUE INDEX application_settings_full_name ON application_settings ((doc->>'fullName'));

CREATE TABLE application_settings_journal (
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
CREATE INDEX application_settings_journal_entity ON application_settings_journal (entity_id, clock);

CREATE TABLE application_settings_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX application_settings_idempotency_at ON application_settings_idempotency (at);
