-- Keys that sign in without a password.

CREATE TABLE passkeys (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX passkeys_owner ON passkeys (owner_id, id);
CREATE UNIQUE INDEX passkeys_credential_id ON passkeys ((doc->>'credentialId'));
