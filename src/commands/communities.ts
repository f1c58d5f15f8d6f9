import type { Command } from 'commander';
import type { Backend } from '../server/backend.js';
import { JOIN_POLICIES, type CountedCommunity, type JoinPolicy } from '../core/community.js';
import type { CommunityId } from '../core/ids.js';
import { MAX_COMMUNITY_DESCRIPTION, MAX_COMMUNITY_NAME } from '../core/limits.js';
import { countCodePoints, isUnicodeText } from '../core/unicode.js';
import type { CommunityService } from '../services/communities/communities.js';
import {
  choice,
  CommandRefused,
  isoTime,
  objectResult,
  withCommonOptions,
  type CommandIo,
  type CommonOptions,
  type Result,
} from './command.js';
import { readAll } from '../world/export/read-all.js';
import { readId, requireUser } from './lookups.js';
import { databaseAction } from './on-database.js';

interface CreateOptions extends CommonOptions {
  readonly description?: string;
  readonly joinPolicy?: JoinPolicy;
}

/** Adds `pipit community ...` (docs/command-line.md). The API has no endpoints that write communities. */
export function addCommunityCommands(program: Command, io: CommandIo): void {
  const community = program.command('community').description('communities');
  withCommonOptions(community.command('create <name>'))
    .description('create a community without members')
    .option('--description <text>', 'what it is about')
    .addOption(choice('--join-policy <policy>', 'shown to clients; default Open', JOIN_POLICIES))
    .action(databaseAction(io, createCommunity));
  withCommonOptions(community.command('join <id> <username>'))
    .description('make a user a member')
    .action(databaseAction(io, (backend, _options, id, name) => changeMember(backend, 'join', id, name)));
  withCommonOptions(community.command('leave <id> <username>'))
    .description('end a membership; the posts stay')
    .action(databaseAction(io, (backend, _options, id, name) => changeMember(backend, 'leave', id, name)));
  withCommonOptions(community.command('list'))
    .description('list all communities')
    .action(databaseAction(io, listAll));
}

async function createCommunity(backend: Backend, options: CreateOptions, name: string): Promise<Result> {
  const { description = '', joinPolicy = 'Open' } = options;
  requireText('a name', name, 1, MAX_COMMUNITY_NAME);
  requireText('a description', description, 0, MAX_COMMUNITY_DESCRIPTION);
  const communities = await serviceOf(backend);
  return objectResult(asJson(await communities.create({ name, description, joinPolicy })));
}

async function changeMember(
  backend: Backend,
  change: 'join' | 'leave',
  text: string,
  name: string,
): Promise<Result> {
  const id = readId<CommunityId>(text, 'the id of a community: pipit community list shows them');
  const communities = await serviceOf(backend);
  if (!(await communities.find(id))) throw new CommandRefused(`there is no community ${id}`);
  await communities[change](id, (await requireUser(backend.engine, name)).id);
  const changed = await communities.find(id);
  return objectResult(changed ? asJson(changed) : {});
}

async function listAll(backend: Backend): Promise<Result> {
  const { pageCommunityIds } = await import('../stores/communities.js');
  const communities = await serviceOf(backend);
  const ids = await readAll<CommunityId>((last = 0n as CommunityId, limit) =>
    pageCommunityIds(backend.engine, last, limit),
  );
  const json = (await communities.findAll(ids)).map(asJson);
  return {
    json,
    text: json.map(({ id, name, member_count }) => [id, member_count, name].join('  ')).join('\n'),
  };
}

async function serviceOf(backend: Backend): Promise<CommunityService> {
  const { createCommunityService } = await import('../services/communities/communities.js');
  return createCommunityService(backend);
}

function requireText(what: string, text: string, min: number, max: number): void {
  const count = countCodePoints(text);
  if (count < min || count > max || !isUnicodeText(text))
    throw new CommandRefused(`${what} has ${min === 0 ? 'up' : `${min}`} to ${max} characters`, 2);
}

function asJson(community: CountedCommunity) {
  return {
    id: String(community.id),
    name: community.name,
    description: community.description,
    join_policy: community.joinPolicy,
    created_at: isoTime(community.createdAtMs),
    member_count: community.members,
  };
}
