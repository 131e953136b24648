-- What is asked for between a sign-in's password and its session.

CREATE TABLE challenges (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX challenges_owner ON challenges (owner_id, id);
