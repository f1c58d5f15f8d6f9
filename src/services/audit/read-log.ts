import { invalidRequest } from '../../core/errors.js';
import { AUDIT_ACTIONS, type AuditEntry } from '../../core/audit.js';
import type { Page, PageRequest } from '../../core/page.js';
import { firstIdAt } from '../../core/snowflake.js';
import type { Engine } from '../../database/engine.js';
import { pageAuditLog, type AuditFilter } from '../../stores/audit-log.js';
import { findUserByUsername } from '../../stores/users.js';

/** Selects entries of the audit log; empty texts select all. */
export interface AuditQuery {
  /** A username with or without `@`, or `command line`. */
  readonly by: string;
  readonly action: string;
  /** Days in UTC, `YYYY-MM-DD`, both included. */
  readonly from: string;
  readonly until: string;
}

/** The word for the command line in place of a username. */
export const COMMAND_LINE = 'command line';

const DAY_MS = 24 * 3_600_000;

/** Returns a page of the audit log, newest first. Throws `invalid-request` for an unknown person, action or day. */
export async function readAuditLog(
  { engine }: { readonly engine: Engine },
  query: AuditQuery,
  request: PageRequest,
): Promise<Page<AuditEntry>> {
  const action = AUDIT_ACTIONS.find((each) => each === query.action);
  if (query.action !== '' && !action) {
    throw invalidRequest('action', [query.action], `There is no action ${query.action}.`);
  }
  const fromMs = dayOf('from', query.from);
  const untilMs = dayOf('until', query.until);
  const filter = {
    by: await authorOf(engine, query.by.trim()),
    action,
    // Ids grow with time.
    fromId: fromMs === undefined ? undefined : firstIdAt(fromMs),
    belowId: untilMs === undefined ? undefined : firstIdAt(untilMs + DAY_MS),
  };
  return pageAuditLog(engine, filter, request);
}

async function authorOf(engine: Engine, by: string): Promise<AuditFilter['by']> {
  if (by === '') return undefined;
  if (by === COMMAND_LINE) return by;
  const user = await findUserByUsername(engine, by.replace(/^@/, ''));
  if (user) return user.id;
  throw invalidRequest('by', [by], `There is no user ${by}.`);
}

function dayOf(name: string, text: string): number | undefined {
  if (text === '') return undefined;
  const timeMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(timeMs)) throw invalidRequest(name, [text], 'Write a day as YYYY-MM-DD.');
  return timeMs;
}
