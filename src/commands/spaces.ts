import { InvalidArgumentError, type Command } from 'commander';
import type { Backend } from '../server/backend.js';
import type { PostId, UserId } from '../core/ids.js';
import { MAX_SPACE_LANG, MAX_SPACE_TITLE } from '../core/limits.js';
import { SPACE_ID_PATTERN, type Space, type SpaceId } from '../core/space.js';
import { parseDigits } from '../core/digits.js';
import { parseTimestamp } from '../core/timestamp.js';
import { countCodePoints, isUnicodeText } from '../core/unicode.js';
import type { SpaceChanges, SpaceService } from '../services/spaces/spaces.js';
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
import { databaseAction } from './on-database.js';
import { readId, requireUser } from './lookups.js';
import { collect } from './setting-options.js';

interface SettingOptions extends CommonOptions {
  readonly title?: string;
  readonly lang?: string;
  readonly scheduledStart?: number;
  readonly ticketed?: boolean;
  readonly host?: readonly string[];
  readonly speaker?: readonly string[];
  readonly invited?: readonly string[];
  readonly participantCount?: number;
}

interface CreateOptions extends SettingOptions {
  readonly creator: string;
  readonly state?: 'scheduled' | 'live';
}

interface UpdateOptions extends SettingOptions {
  readonly state?: 'live' | 'ended';
  readonly post?: readonly string[];
  readonly buyer?: readonly string[];
}

/** Adds `pipit space ...` (docs/command-line.md). */
export function addSpaceCommands(program: Command, io: CommandIo): void {
  const space = program.command('space').description('Spaces');
  withSettings(withCommonOptions(space.command('create [title]')))
    .description('create a Space')
    .requiredOption('--creator <username>', 'its creator')
    .addOption(choice('--state <state>', 'default scheduled', ['scheduled', 'live']))
    .action(databaseAction(io, createSpace));
  withSettings(withCommonOptions(space.command('update <id>')))
    .description('change a Space, start or end it, share posts in it, sell tickets to it')
    .addOption(choice('--state <state>', 'live starts it, ended ends or cancels it', ['live', 'ended']))
    .option('--post <id>', 'a post to share in it (repeatable)', collect)
    .option('--buyer <username>', 'a user who buys a ticket (repeatable)', collect)
    .action(databaseAction(io, updateSpace));
  for (const [name, state, description] of [
    ['start', 'live', 'start a scheduled Space'],
    ['end', 'ended', 'end a live Space, or cancel a scheduled one'],
  ] as const) {
    withCommonOptions(space.command(`${name} <id>`))
      .description(description)
      .action(databaseAction(io, (backend, options, id) => updateSpace(backend, { ...options, state }, id)));
  }
  withCommonOptions(space.command('list')).description('list all Spaces').action(databaseAction(io, listAll));
}

function withSettings(command: Command): Command {
  return command
    .option('--title <title>', 'the title')
    .option('--lang <code>', 'the language spoken in it')
    .option('--scheduled-start <time>', 'the scheduled start, such as 2022-02-01T00:00:00Z', timeFrom)
    .option('--ticketed', 'require a ticket')
    .option('--no-ticketed', 'require no ticket')
    .option('--host <username>', 'a host (repeatable; default: its creator)', collect)
    .option('--speaker <username>', 'a speaker (repeatable)', collect)
    .option('--invited <username>', 'a user invited to speak (repeatable)', collect)
    .option('--participant-count <number>', 'the number of participants', countFrom);
}

async function createSpace(backend: Backend, options: CreateOptions, title = options.title): Promise<Result> {
  if (title === undefined) throw new CommandRefused('a Space needs a title', 2);
  const creator = await requireUser(backend.engine, options.creator);
  const settings = await settingsOf(backend, options);
  const made = { ...settings, title: titleFrom(title), creatorId: creator.id };
  const spaces = await serviceOf(backend);
  const space = await spaces.create({ ...made, state: options.state ?? 'scheduled' });
  return objectResult(await asJson(backend, space));
}

async function updateSpace(backend: Backend, options: UpdateOptions, text: string): Promise<Result> {
  const id = spaceIdFrom(text);
  const changes: SpaceChanges = {
    ...(await settingsOf(backend, options)),
    state: options.state,
    posts: options.post?.map((post) => readId<PostId>(post, 'a post id')),
    buyers: options.buyer && (await userIds(backend, options.buyer)),
  };
  const spaces = await serviceOf(backend);
  return objectResult(await asJson(backend, await spaces.change(id, changes)));
}

async function settingsOf(backend: Backend, options: SettingOptions) {
  const { title, host, speaker, invited } = options;
  return {
    title: title === undefined ? undefined : titleFrom(title),
    lang: options.lang === undefined ? undefined : langFrom(options.lang),
    scheduledStartMs: options.scheduledStart,
    isTicketed: options.ticketed,
    hostIds: host && (await userIds(backend, host)),
    speakerIds: speaker && (await userIds(backend, speaker)),
    invitedIds: invited && (await userIds(backend, invited)),
    participants: options.participantCount,
  };
}

async function listAll(backend: Backend): Promise<Result> {
  const { listSpaces } = await import('../stores/spaces.js');
  const all = await readAll<Space>((last, limit) => listSpaces(backend.engine, last?.id ?? '', limit));
  const json = await Promise.all(all.map((space) => asJson(backend, space)));
  const text = json.map(({ id, state, creator, title }) => [id, state, `@${creator}`, title].join('  '));
  return { json, text: text.join('\n') };
}

async function serviceOf(backend: Backend): Promise<SpaceService> {
  const { createSpaceService } = await import('../services/spaces/spaces.js');
  return createSpaceService(backend);
}

async function userIds({ engine }: Backend, names: readonly string[]): Promise<UserId[]> {
  const ids: UserId[] = [];
  for (const name of names) ids.push((await requireUser(engine, name)).id);
  return [...new Set(ids)];
}

async function asJson({ engine }: Backend, space: Space) {
  const { findUsers } = await import('../stores/users.js');
  const { creatorId, hostIds, speakerIds, invitedIds } = space;
  const users = await findUsers(engine, [creatorId, ...hostIds, ...speakerIds, ...invitedIds]);
  const nameOf = (id: UserId): string => users.get(id)?.username ?? String(id);
  const namesOf = (ids: readonly UserId[]) => (ids.length > 0 ? ids.map(nameOf) : undefined);
  return {
    id: space.id,
    creator: nameOf(creatorId),
    title: space.title,
    state: space.state,
    created_at: isoTime(space.createdAtMs),
    scheduled_start: isoTime(space.scheduledStartMs),
    started_at: isoTime(space.startedAtMs),
    ended_at: isoTime(space.endedAtMs),
    lang: space.lang,
    is_ticketed: space.isTicketed,
    hosts: namesOf(hostIds),
    speakers: namesOf(speakerIds),
    invited: namesOf(invitedIds),
    participant_count: space.participants,
  };
}

function titleFrom(text: string): string {
  if (countCodePoints(text) <= MAX_SPACE_TITLE && isUnicodeText(text)) return text;
  throw new CommandRefused(`a title has up to ${MAX_SPACE_TITLE} characters`, 2);
}

function langFrom(text: string): string {
  if (text !== '' && countCodePoints(text) <= MAX_SPACE_LANG && isUnicodeText(text)) return text;
  throw new CommandRefused(`a language has 1 to ${MAX_SPACE_LANG} characters`, 2);
}

function spaceIdFrom(text: string): SpaceId {
  if (SPACE_ID_PATTERN.test(text)) return text as SpaceId;
  throw new CommandRefused(`"${text}" is not a Space id: pipit space list shows them`, 2);
}

function timeFrom(text: string): number {
  const timeMs = parseTimestamp(text);
  if (timeMs === undefined) throw new InvalidArgumentError('It must have the form 2022-02-01T00:00:00Z.');
  return timeMs;
}

function countFrom(text: string): number {
  const count = parseDigits(text);
  if (count === undefined) throw new InvalidArgumentError('It must be a number.');
  return count;
}
