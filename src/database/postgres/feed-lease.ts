/**
 * The duration of the lease that a process takes while it is alone. Until it ends nobody else appends to the feed of changes,
 * so requests are answered without reading it. It is short, because others wait for its end before their first commit.
 */
export const LEASE_MS = 100;

/**
 * Held from before an entry takes its position until the commit is visible, so that positions become visible in their
 * order. The number is "pipiu" in ASCII, next to that of migrations.
 */
export const ORDER_LOCK = 0x7069706975n;

/** How long it lasts on the server, whose times are rounded to milliseconds. */
const SERVER_LEASE_MS = LEASE_MS + 10;

const NOW = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';

/**
 * Returns SQL for the value of a sequence: unlike that of a row, transactions with older snapshots see it too. A sequence has
 * none after a crash of the server, which has also ended all connections.
 */
function valueOf(sequence: string): string {
  return `COALESCE(pg_sequence_last_value('change_feed_lease_${sequence}'::regclass), 0)`;
}

/**
 * The statements of migration 54. The trigger makes everyone wait for the end, also builds that do not know the lease, and
 * entries that are inserted by hand, which have no source: only these do not have the lock yet.
 */
export const FEED_LEASE_DDL: readonly string[] = [
  'CREATE UNLOGGED SEQUENCE change_feed_lease_owner MINVALUE 0 START 0',
  'CREATE UNLOGGED SEQUENCE change_feed_lease_end MINVALUE 0 START 0',
  `CREATE FUNCTION await_change_feed_lease() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
    PERFORM pg_advisory_xact_lock(${ORDER_LOCK});
    IF ${valueOf('end')} > ${NOW} THEN
      PERFORM pg_sleep(LEAST(${valueOf('end')} - ${NOW}, ${SERVER_LEASE_MS}) / 1000.0);
      PERFORM setval('change_feed_lease_end', 0);
    END IF;
    RETURN NEW;
  END $$`,
  awaitLease('NEW.source'),
];

/** Returns the statement that makes an entry wait unless it has the lease. `source` is SQL for its source without `+`. */
export function awaitLease(source: string): string {
  return `CREATE OR REPLACE TRIGGER await_change_feed_lease BEFORE INSERT ON change_feed FOR EACH ROW
    WHEN (NEW.source IS NULL OR ${valueOf('end')} > ${NOW} AND ${source} <> CAST(${valueOf('owner')} AS TEXT))
    EXECUTE FUNCTION await_change_feed_lease()`;
}

export type LeaseAnswer = 'taken' | 'refused' | 'busy';

/**
 * Takes or extends the lease for the source $1, and returns a `LeaseAnswer`. Entries that are appended before it are visible
 * afterwards, later ones wait. It does not wait for the lock itself, since requests wait for it.
 */
export const TAKE_LEASE = `
  SELECT CASE WHEN NOT pg_try_advisory_xact_lock(${ORDER_LOCK}) THEN 'busy'
    WHEN ${valueOf('owner')} = CAST($1 AS BIGINT) OR ${valueOf('end')} <= ${NOW}
    THEN (SELECT 'taken' FROM setval('change_feed_lease_owner', CAST($1 AS BIGINT)) AS owner,
      setval('change_feed_lease_end', ${NOW} + ${SERVER_LEASE_MS}) AS end_ms)
    ELSE 'refused' END AS answer`;
