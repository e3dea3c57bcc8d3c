-- The warehouse. Times are UTC; amounts are minor units; a citation stands as document and paragraph.
-- There are no keys on the large tables: an index would halve the load rate, and the loader, the only writer,
-- deletes a round before it writes it again. tests/pipelines/test_warehouse.py holds that to be true.

CREATE TABLE IF NOT EXISTS rounds (
    round_id VARCHAR NOT NULL,
    table_id VARCHAR NOT NULL,
    game VARCHAR NOT NULL,
    jurisdiction VARCHAR NOT NULL,
    gaming_day VARCHAR NOT NULL,          -- what the source says; by the property's clock where no RoundOpened came
    currency VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    opened_at TIMESTAMP NOT NULL,
    closed_at TIMESTAMP NOT NULL,         -- of the last event
    dealer_id VARCHAR NOT NULL,
    status VARCHAR NOT NULL,              -- CLOSED, or OPEN where no RoundClosed has come yet
    events INTEGER NOT NULL,
    wagers INTEGER NOT NULL,
    stake_minor BIGINT NOT NULL,          -- as placed
    discrepancies INTEGER NOT NULL,       -- of the round's own audit
    partition INTEGER NOT NULL,           -- where its events stand in the log
    first_offset BIGINT NOT NULL,
    last_offset BIGINT NOT NULL,
    rulebook_digest VARCHAR NOT NULL,
    code_digest VARCHAR NOT NULL
);

CREATE TABLE IF NOT EXISTS wagers (
    round_id VARCHAR NOT NULL,
    table_id VARCHAR NOT NULL,
    gaming_day VARCHAR NOT NULL,
    wager_id VARCHAR NOT NULL,
    seat INTEGER NOT NULL,
    patron_id VARCHAR NOT NULL,
    bet VARCHAR NOT NULL,
    placed_on VARCHAR NOT NULL,           -- number, combination or board
    amount_minor BIGINT NOT NULL,         -- as placed
    tender VARCHAR NOT NULL,
    parent VARCHAR NOT NULL,
    carried_from VARCHAR NOT NULL,
    for_dealer BOOLEAN NOT NULL,
    placed_at INTEGER NOT NULL,           -- sequence
    recorded_minor BIGINT NOT NULL        -- all that the table handed over: paid, stake, no action, fee returned
);

CREATE TABLE IF NOT EXISTS settlements (
    round_id VARCHAR NOT NULL,
    table_id VARCHAR NOT NULL,
    wager_id VARCHAR NOT NULL,
    bet VARCHAR NOT NULL,
    result VARCHAR NOT NULL,
    paid_minor BIGINT NOT NULL,
    paid_to VARCHAR NOT NULL,
    stake_returned_minor BIGINT NOT NULL,
    no_action_minor BIGINT NOT NULL,
    fee_minor BIGINT NOT NULL,
    fee_returned_minor BIGINT NOT NULL,
    free_tickets INTEGER NOT NULL,
    pool_shares INTEGER NOT NULL,
    prize VARCHAR NOT NULL,
    decided_at INTEGER NOT NULL,          -- sequence; -1 = never
    cite_document VARCHAR NOT NULL,
    cite_paragraph VARCHAR NOT NULL
);

CREATE TABLE IF NOT EXISTS contributions (
    round_id VARCHAR NOT NULL,
    table_id VARCHAR NOT NULL,
    progressive_id VARCHAR NOT NULL,
    wager_id VARCHAR NOT NULL,
    amount_micro BIGINT NOT NULL,         -- millionths of a minor unit
    cite_document VARCHAR NOT NULL,
    cite_paragraph VARCHAR NOT NULL
);

-- The same id is the same discrepancy tomorrow; a row is never deleted, it is marked as fixed.
CREATE TABLE IF NOT EXISTS discrepancies (
    discrepancy_id VARCHAR NOT NULL,
    round_id VARCHAR NOT NULL,
    table_id VARCHAR NOT NULL,
    gaming_day VARCHAR NOT NULL,
    game VARCHAR NOT NULL,
    dealer_id VARCHAR NOT NULL,
    wager_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    severity VARCHAR NOT NULL,
    due_minor BIGINT NOT NULL,
    recorded_minor BIGINT NOT NULL,
    delta_minor BIGINT NOT NULL,
    favours VARCHAR NOT NULL,
    cite_document VARCHAR NOT NULL,
    cite_paragraph VARCHAR NOT NULL,
    rests_on INTEGER[] NOT NULL,          -- sequences
    sentence VARCHAR NOT NULL,
    occurred_at TIMESTAMP NOT NULL,       -- of the last event that it rests on
    origin VARCHAR NOT NULL,              -- round, or the name of the check of the day
    first_seen TIMESTAMP NOT NULL,
    last_seen TIMESTAMP NOT NULL,
    fixed_at TIMESTAMP
);

-- The cards of a round by shoe, two characters each, in the order in which they were read: for counting over a shoe.
CREATE TABLE IF NOT EXISTS shoes (
    round_id VARCHAR NOT NULL,
    table_id VARCHAR NOT NULL,
    gaming_day VARCHAR NOT NULL,
    opened_at TIMESTAMP NOT NULL,
    shoe_id VARCHAR NOT NULL,
    decks INTEGER NOT NULL,
    cards VARCHAR NOT NULL
);

CREATE TABLE IF NOT EXISTS dead_letters (
    log VARCHAR NOT NULL,
    partition INTEGER NOT NULL,
    log_offset BIGINT NOT NULL,
    covers BIGINT NOT NULL,               -- how many events these bytes were: a damaged block has many
    gaming_day VARCHAR NOT NULL,          -- of the event before it in its partition, of the one after it, or the day reported
    reason VARCHAR NOT NULL,
    message VARCHAR NOT NULL,
    raw BLOB NOT NULL,
    found_at TIMESTAMP NOT NULL
);

-- How far each partition has been loaded. Moves in the transaction that writes what was read.
CREATE TABLE IF NOT EXISTS watermarks (
    log VARCHAR NOT NULL,
    partition INTEGER NOT NULL,
    next_offset BIGINT NOT NULL,
    entries BIGINT NOT NULL,              -- counted as they were read: offsets may have gaps
    PRIMARY KEY (log, partition)
);

-- Rounds that had begun and not ended at the watermark: their events are read again when more of them come.
CREATE TABLE IF NOT EXISTS open_rounds (
    log VARCHAR NOT NULL,
    partition INTEGER NOT NULL,
    table_id VARCHAR NOT NULL,
    round_id VARCHAR NOT NULL,
    first_offset BIGINT NOT NULL,
    last_offset BIGINT NOT NULL,
    events INTEGER NOT NULL,
    counted INTEGER NOT NULL              -- of these, in a row of rounds already
);

-- The events that each run brought to a gaming day, counted as they were read: the other side of the reconciliation.
CREATE TABLE IF NOT EXISTS intake (
    run_id VARCHAR NOT NULL,
    gaming_day VARCHAR NOT NULL,
    events BIGINT NOT NULL
);

-- The ledger: one row a run.
CREATE TABLE IF NOT EXISTS runs (
    run_id VARCHAR NOT NULL PRIMARY KEY,
    gaming_day VARCHAR NOT NULL,
    operator VARCHAR NOT NULL,
    started_at TIMESTAMP NOT NULL,
    ended_at TIMESTAMP,
    outcome VARCHAR NOT NULL,             -- RUNNING, BALANCED, DEAD_LETTERS, DISCREPANCIES, UNBALANCED, FAILED
    message VARCHAR NOT NULL,
    log VARCHAR NOT NULL,
    inputs VARCHAR NOT NULL,              -- JSON: {partition: [from offset, to offset]}
    version VARCHAR NOT NULL,
    schema_version INTEGER NOT NULL,
    rulebook_digest VARCHAR NOT NULL,
    code_digest VARCHAR NOT NULL,
    events_in BIGINT NOT NULL,
    rounds BIGINT NOT NULL,
    dead_letters BIGINT NOT NULL,
    discrepancies BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS about (
    schema_version INTEGER NOT NULL,
    time_zone VARCHAR NOT NULL,           -- of the property, as the last run had it
    day_begins_hour INTEGER NOT NULL
);

-- What reports read. ------------------------------------------------------------------------------------------------

CREATE OR REPLACE VIEW open_discrepancies AS
    SELECT d.*, r.currency, r.opened_at, r.closed_at
    FROM discrepancies d JOIN rounds r USING (round_id, table_id) WHERE d.fixed_at IS NULL;

CREATE OR REPLACE VIEW reconciliation AS
    WITH days AS (
        SELECT gaming_day, sum(events) AS events_in, 0 AS audited, 0 AS dead, 0 AS open FROM intake GROUP BY ALL
        UNION ALL
        SELECT gaming_day, 0, sum(events) FILTER (status = 'CLOSED'), 0, sum(events) FILTER (status = 'OPEN')
        FROM rounds GROUP BY ALL
        UNION ALL
        SELECT gaming_day, 0, 0, sum(covers), 0 FROM dead_letters GROUP BY ALL
    )
    SELECT
        gaming_day,
        sum(events_in)::BIGINT AS events_in,
        coalesce(sum(audited), 0)::BIGINT AS events_audited,
        coalesce(sum(dead), 0)::BIGINT AS events_dead,
        coalesce(sum(open), 0)::BIGINT AS events_open
    FROM days GROUP BY gaming_day;
