import type { Tx } from '../database/engine.js';
import type { Backend } from '../server/backend.js';
import type { AuditDeps } from '../services/audit/record-action.js';
import type { CommandIo, RunningCommand } from './command.js';

/** The longest list of arguments in an entry, in characters. */
const MAX_DETAIL = 500;

/** Adds a command with its arguments to the audit log. Options are left out: they may contain secrets. */
export async function recordCommand(tx: Tx, deps: AuditDeps, { name, args }: RunningCommand): Promise<void> {
  const { recordAction } = await import('../services/audit/record-action.js');
  await recordAction(tx, deps, undefined, {
    action: 'command.run',
    target: { kind: 'server', name },
    detail: args.join(' ').slice(0, MAX_DETAIL),
  });
}

/** Adds the running command to the audit log in a transaction of its own. */
export async function recordUse({ command }: CommandIo, backend: Backend): Promise<void> {
  if (command === undefined) return;
  await backend.engine.tx('record command', (tx) => recordCommand(tx, backend, command));
}
