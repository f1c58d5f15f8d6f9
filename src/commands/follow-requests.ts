import type { Command } from 'commander';
import type { Backend } from '../server/backend.js';
import { CommandRefused, withCommonOptions, type CommandIo, type Result } from './command.js';
import { databaseAction } from './on-database.js';
import { requireUser } from './lookups.js';

/** Adds `pipit follow-request ...`, the decisions of a protected account's owner (docs/command-line.md). */
export function addFollowRequestCommands(program: Command, io: CommandIo): void {
  const request = program.command('follow-request').description('requests to follow protected accounts');
  withCommonOptions(request.command('list <username>'))
    .description('list pending requests to follow this user, oldest first')
    .action(databaseAction(io, (backend, _options, username) => listRequests(backend, username)));
  for (const verb of ['accept', 'deny'] as const) {
    withCommonOptions(request.command(`${verb} <username> <from>`))
      .description(`${verb} the request of <from> to follow <username>`)
      .action(databaseAction(io, (backend, _options, to, from) => answer(backend, verb, to, from)));
  }
}

async function listRequests({ engine }: Backend, username: string): Promise<Result> {
  const { listRequesters } = await import('../stores/follows.js');
  const { findUsers } = await import('../stores/users.js');
  const target = await requireUser(engine, username);
  const ids = await listRequesters(engine, target.id, Number.MAX_SAFE_INTEGER);
  const users = await findUsers(engine, ids);
  const names = ids.map((id) => users.get(id)?.username ?? String(id));
  return {
    json: names.map((from) => ({ from, to: target.username, pending: true })),
    text: names.map((name) => `@${name}`).join('\n'),
  };
}

async function answer(
  backend: Backend,
  verb: 'accept' | 'deny',
  username: string,
  fromUsername: string,
): Promise<Result> {
  const { acceptRequest, denyRequest } = await import('../services/relations/follow-requests.js');
  const target = await requireUser(backend.engine, username);
  const from = await requireUser(backend.engine, fromUsername);
  const decide = verb === 'accept' ? acceptRequest : denyRequest;
  if (!(await decide(backend, from.id, target.id)))
    throw new CommandRefused(`@${from.username} has not asked to follow @${target.username}`);
  const following = verb === 'accept';
  return {
    json: { from: from.username, to: target.username, following },
    text: following
      ? `@${from.username} follows @${target.username}`
      : `@${from.username} does not follow @${target.username}`,
  };
}
