/**
 * How long the lease lasts, which a process takes that is alone: until its end nobody else appends to the feed of changes,
 * so requests are answered without reading it. Short, because others wait for the end before their first commit.
 */
export const LEASE_MS = 100;

/**
 * Held from before an entry takes its position until the commit is visible, so that positions become visible in their
 * order. The number is "pipiu" in ASCII, next to that of migrations.
 */
export const ORDER_LOCK = 0x7069706975n;

/** Times on the server are rounded to milliseconds, and its clock may be adjusted meanwhile. */
export const MARGIN_MS = 10;

const NOW = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';

/**
 * Returns the value of a sequence: unlike that of a row, transactions with older snapshots see it too. It has none after a
 * crash of the server, which has ended all connections.
 */
const valueOf = (sequence: string) =>
  `COALESCE(pg_sequence_last_value('change_feed_lease_${sequence}'::regclass), 0)`;

/** The statements of migration 54. The trigger makes everyone wait for the end, also builds that do not know the lease. */
export const FEED_LEASE_DDL: readonly string[] = [
  'CREATE UNLOGGED SEQUENCE change_feed_lease_owner MINVALUE 0 START 0',
  'CREATE UNLOGGED SEQUENCE change_feed_lease_end MINVALUE 0 START 0',
  `CREATE FUNCTION await_change_feed_lease() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_sleep(LEAST(${valueOf('end')} - ${NOW}, ${LEASE_MS + MARGIN_MS}) / 1000.0);
    PERFORM setval('change_feed_lease_end', 0);
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER await_change_feed_lease BEFORE INSERT ON change_feed FOR EACH ROW
    WHEN (${valueOf('end')} > ${NOW} AND NEW.source IS DISTINCT FROM CAST(${valueOf('owner')} AS TEXT))
    EXECUTE FUNCTION await_change_feed_lease()`,
];

export type Taking = 'taken' | 'refused' | 'busy';

/**
 * Takes or extends the lease for the source $1, so that it lasts $2 milliseconds from now, and returns a `Taking`. Entries
 * that are appended before it are visible afterwards, later ones wait. It does not wait for the lock itself, since requests
 * wait for it.
 */
export const TAKE_LEASE = `
  SELECT CASE WHEN NOT pg_try_advisory_xact_lock(${ORDER_LOCK}) THEN 'busy'
    WHEN ${valueOf('owner')} = CAST($1 AS BIGINT) OR ${valueOf('end')} <= ${NOW}
    THEN (SELECT 'taken' FROM setval('change_feed_lease_owner', CAST($1 AS BIGINT)) AS owner,
      setval('change_feed_lease_end', ${NOW} + CAST($2 AS BIGINT)) AS until)
    ELSE 'refused' END AS taking`;
