-- The test clock: by how much business time is ahead of the machine's time, in microseconds, and how far it is to go. There
-- is at most one row, and none where no test clock was ever on.
CREATE TABLE test_clock (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    version BIGINT NOT NULL,
    ahead BIGINT NOT NULL,
    began BIGINT NOT NULL,
    started BIGINT NOT NULL,
    target BIGINT NOT NULL,
    settled BIGINT NOT NULL,
    heads TEXT NOT NULL
);
-- The days through which it went, with what happened on each.
CREATE TABLE test_clock_day (
    ahead BIGINT PRIMARY KEY,
    figures TEXT NOT NULL
);
-- The workers of all processes that have a test clock. A timer has no journal, and has ticked at that offset.
CREATE TABLE worker_tick (
    worker TEXT PRIMARY KEY,
    journal TEXT NOT NULL,
    ahead BIGINT NOT NULL
);
