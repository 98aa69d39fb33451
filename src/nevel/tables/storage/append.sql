-- A batch of appends, each to another table, for PostgreSQL. Those whose rows aren't the next ones are left out as a
-- whole; the answer names the tables of the others.
WITH incoming AS (
    SELECT * FROM unnest(
        $1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
        $9::text[], $10::text[], $11::bigint[], $12::text[], $13::bigint[], $14::bigint[], $15::bool[]
    ) AS incoming (
        table_id, game, phase, is_public, created, changed, seats, taken, host, details,
        deadline, secret, first, newest, changes_members
    )
), created AS (
    INSERT INTO tables (
        table_id, game, phase, is_public, created, changed, seats, taken, host, details, deadline, secret, newest
    )
    SELECT
        table_id, game, phase, is_public, created, changed, seats, taken, host, details, deadline, secret, newest
    FROM incoming WHERE first = 0 ORDER BY table_id
    ON CONFLICT DO NOTHING
    RETURNING table_id, newest
), locked AS (
    -- In one order on all nodes: two batches can't wait for each other.
    SELECT table_id FROM tables WHERE table_id = ANY($1) ORDER BY table_id FOR UPDATE
), changed AS (
    -- If it had to wait for another node, PostgreSQL looks again at what that one has left in newest.
    UPDATE tables SET
        game = incoming.game, phase = incoming.phase, is_public = incoming.is_public, created = incoming.created,
        changed = incoming.changed, seats = incoming.seats, taken = incoming.taken, host = incoming.host,
        details = incoming.details, deadline = incoming.deadline, newest = incoming.newest
    FROM incoming JOIN locked USING (table_id)
    WHERE tables.table_id = incoming.table_id AND incoming.first > 0 AND tables.newest = incoming.first - 1
    RETURNING tables.table_id, tables.newest
), accepted AS (
    SELECT table_id, newest FROM created UNION ALL SELECT table_id, newest FROM changed
), added AS (
    INSERT INTO events (table_id, seq, at, body)
    SELECT * FROM unnest($16::text[], $17::bigint[], $18::bigint[], $19::text[]) AS event (table_id, seq, at, body)
    WHERE table_id IN (SELECT table_id FROM accepted)
), here AS (
    SELECT * FROM unnest($20::text[], $21::text[]) AS here (person, table_id)
    WHERE table_id IN (SELECT table_id FROM accepted)
), gone AS (
    DELETE FROM members USING incoming JOIN accepted USING (table_id)
    WHERE members.table_id = incoming.table_id AND incoming.changes_members
        AND (members.person, members.table_id) NOT IN (SELECT person, table_id FROM here)
), come AS (
    INSERT INTO members (person, table_id) SELECT person, table_id FROM here ON CONFLICT DO NOTHING
), appeared AS (
    INSERT INTO appearances (person, table_id)
    SELECT * FROM unnest($22::text[], $23::text[]) AS named (person, table_id)
    WHERE table_id IN (SELECT table_id FROM accepted) ORDER BY person, table_id
    ON CONFLICT DO NOTHING
)
-- A notification may have 8,000 bytes, so that a large batch needs several.
SELECT
    array_agg(table_id),
    pg_notify('nevel', json_build_array($24::text, json_agg(json_build_array(table_id, newest)))::text)
FROM (SELECT table_id, newest, (row_number() OVER () - 1) / 100 AS part FROM accepted) AS parts
GROUP BY part
