import type { Command } from 'commander';
import type { Backend } from '../server/backend.js';
import { AUDIT_ACTIONS, type AuditAction, type AuditEntry } from '../core/audit.js';
import { inOneLine } from '../core/plain-line.js';
import {
  choice,
  isoTime,
  withCommonOptions,
  type CommandIo,
  type CommonOptions,
  type Result,
} from './command.js';
import { databaseAction } from './on-database.js';

interface AuditOptions extends CommonOptions {
  readonly by?: string;
  readonly action?: AuditAction;
  readonly from?: string;
  readonly until?: string;
}

/** Adds `pipit audit`. */
export function addAuditCommand(program: Command, io: CommandIo): void {
  withCommonOptions(program.command('audit'))
    .description('list what operators and the command line did, newest first')
    .option('--by <username>', 'only what this operator did, or "command line"')
    .addOption(choice('--action <action>', 'only actions of this kind', AUDIT_ACTIONS))
    .option('--from <day>', 'from this day in UTC, YYYY-MM-DD')
    .option('--until <day>', 'up to this day in UTC, YYYY-MM-DD')
    .action(databaseAction(io, listEntries));
}

const PAGE = 500;

async function listEntries(
  { engine }: Backend,
  { by = '', action, from = '', until = '' }: AuditOptions,
): Promise<Result> {
  const { readAuditLog } = await import('../services/audit/read-log.js');
  const query = { by, action: action ?? '', from, until };
  const entries: AuditEntry[] = [];
  let cursor: Awaited<ReturnType<typeof readAuditLog>>['next'];
  do {
    const page = await readAuditLog({ engine }, query, { limit: PAGE, cursor });
    entries.push(...page.items);
    cursor = page.next;
  } while (cursor);
  return { json: entries.map(asJson), text: entries.map(asLine).join('\n') };
}

function asJson({ id, createdAtMs, operatorId, operatorName, action, ...entry }: AuditEntry) {
  return {
    id: String(id),
    created_at: isoTime(createdAtMs),
    operator: operatorId === undefined ? undefined : { id: String(operatorId), username: operatorName },
    action,
    target: {
      kind: entry.targetKind,
      id: entry.targetId === undefined ? undefined : String(entry.targetId),
      name: entry.targetName,
    },
    reason: entry.reason || undefined,
    detail: entry.detail || undefined,
  };
}

function asLine(entry: AuditEntry): string {
  const { createdAtMs, operatorId, operatorName, action, targetName, detail, reason } = entry;
  const who = operatorId === undefined ? 'command line' : `@${operatorName}`;
  return [isoTime(createdAtMs), who, action, targetName, detail, reason]
    .map((part) => inOneLine(part ?? ''))
    .filter((part) => part !== '')
    .join('  ');
}
