-- An account of another sign-in service is one identity's.

CREATE UNIQUE INDEX identities_okta_id ON identities ((doc->>'oktaId'));

-- Requests to reset passwords.

CREATE TABLE password_resets (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX password_resets_owner ON password_resets (owner_id, id);
CREATE INDEX password_resets_status ON password_resets (status, id);
