import type { Command } from 'commander';
import type { Backend } from '../backend.js';
import { USERNAME_PATTERN, type User, type UserCounts } from '../core/user.js';
import { timeOfId } from '../core/snowflake.js';
import type { UserId } from '../core/ids.js';
import {
  asLines,
  CommandRefused,
  onDatabase,
  withCommonOptions,
  type CommandIo,
  type CommonOptions,
  type Result,
} from './command.js';
import { requireUser } from './lookups.js';

interface CreateOptions extends CommonOptions {
  readonly name?: string;
  readonly password?: string;
  readonly protected?: true;
}

const PAGE = 1_000;
const MAX_NAME = 50;

/** `pipit user ...` (reference/world-file.md). */
export function addUserCommands(program: Command, io: CommandIo): void {
  const user = program.command('user').description('accounts');
  withCommonOptions(user.command('create <username>'))
    .description('make an account; the password is asked for on a terminal')
    .option('--name <name>', 'as shown on the profile (default: the username)')
    .option('--password <password>', 'without one nobody can sign in')
    .option('--protected', 'only accepted followers see the posts')
    .action((username: string, options: CreateOptions) => createUser(io, username, options));
  withCommonOptions(user.command('list'))
    .description('list all accounts')
    .action((options: CommonOptions) => onDatabase(io, options, listUsers));
  withCommonOptions(user.command('show <username>'))
    .description('show one account')
    .action((username: string, options: CommonOptions) =>
      onDatabase(io, options, async ({ engine }) => showUser(engine, await requireUser(engine, username))),
    );
  withCommonOptions(user.command('suspend <username>'))
    .description('hide an account and its posts, and refuse its tokens')
    .option('--lift', 'end the suspension')
    .action((username: string, options: CommonOptions & { readonly lift?: true }) =>
      onDatabase(io, options, (backend) => suspendUser(backend, username, !options.lift)),
    );
  withCommonOptions(user.command('delete <username>'))
    .description('delete an account with everything it wrote')
    .action((username: string, options: CommonOptions) =>
      onDatabase(io, options, (backend) => deleteUser(backend, username)),
    );
}

async function createUser(io: CommandIo, username: string, options: CreateOptions): Promise<void> {
  if (!USERNAME_PATTERN.test(username))
    throw new CommandRefused(`"${username}" is no username: 1 to 15 letters, digits and underscores`);
  const name = options.name ?? username;
  if (name.trim() === '' || [...name].length > MAX_NAME)
    throw new CommandRefused(`a name has 1 to ${MAX_NAME} characters`);
  const password = options.password ?? (await io.askSecret(`Password for @${username}: `));
  await onDatabase(io, options, async (backend) => {
    const { hashPassword } = await import('../services/secrets.js');
    const { insertUser } = await import('../storage/users.js');
    const hash = password ? await hashPassword(password) : undefined;
    const user = newUser(backend, { username, name, protected: options.protected ?? false });
    const inserted = await backend.engine.tx('create user', (tx) => insertUser(tx, user, hash));
    if (inserted !== 'inserted') throw new CommandRefused(`the username @${username} is taken`);
    return userResult(user);
  });
}

function newUser({ ids, clock }: Backend, profile: Pick<User, 'username' | 'name' | 'protected'>): User {
  const id = ids.next<UserId>();
  return {
    ...profile,
    id,
    createdAtMs: timeOfId(id) ?? clock(),
    description: '',
    verified: false,
    allowsPhotoTagging: true,
    receivesDms: 'following',
    suspended: false,
  };
}

async function listUsers({ engine }: Backend): Promise<Result> {
  const { findUsers, pageUserIds } = await import('../storage/users.js');
  const users: User[] = [];
  let ids = await pageUserIds(engine, 0n as UserId, PAGE);
  while (ids.length > 0) {
    const found = await findUsers(engine, ids);
    users.push(...ids.flatMap((id) => found.get(id) ?? []));
    ids = await pageUserIds(engine, ids[ids.length - 1] as UserId, PAGE);
  }
  return { json: users.map((user) => asJson(user)), text: users.map(asLine).join('\n') };
}

async function showUser(engine: Backend['engine'], user: User): Promise<Result> {
  const { findUserCounts } = await import('../storage/users.js');
  return userResult(user, (await findUserCounts(engine, [user.id])).get(user.id));
}

async function suspendUser({ engine }: Backend, username: string, suspended: boolean): Promise<Result> {
  const { setSuspended } = await import('../storage/users.js');
  const user = await requireUser(engine, username);
  await engine.tx('suspend user', (tx) => setSuspended(tx, user.id, suspended));
  return userResult({ ...user, suspended });
}

async function deleteUser({ engine, clock }: Backend, username: string): Promise<Result> {
  const { deleteAccount } = await import('../services/delete-account.js');
  const { listApps } = await import('../storage/apps.js');
  const user = await requireUser(engine, username);
  const owned = (await listApps(engine)).filter((app) => app.ownerId === user.id);
  if (owned.length > 0)
    throw new CommandRefused(
      `@${user.username} owns apps (${owned.map((app) => app.id).join(', ')}): delete them first`,
    );
  await deleteAccount(engine, clock, user);
  return {
    json: { id: String(user.id), username: user.username, deleted: true },
    text: `deleted @${user.username}`,
  };
}

function userResult(user: User, counts?: UserCounts): Result {
  const json = asJson(user, counts);
  const { public_metrics: metrics, ...rest } = json;
  return { json, text: asLines({ ...rest, ...metrics }) };
}

function asLine(user: User): string {
  const marks = [user.protected && 'protected', user.suspended && 'suspended'].filter(Boolean);
  return [String(user.id), `@${user.username}`, user.name, ...marks].join('  ');
}

function asJson(user: User, counts?: UserCounts) {
  return {
    id: String(user.id),
    username: user.username,
    name: user.name,
    created_at: new Date(user.createdAtMs).toISOString(),
    description: user.description === '' ? undefined : user.description,
    location: user.location,
    url: user.url,
    protected: user.protected,
    verified: user.verified,
    verified_type: user.verifiedType,
    profile_image_url: user.profileImageUrl,
    pinned_post: user.pinnedPostId === undefined ? undefined : String(user.pinnedPostId),
    allows_photo_tagging: user.allowsPhotoTagging,
    receives_dms: user.receivesDms,
    suspended: user.suspended,
    public_metrics: counts && {
      followers_count: counts.followers,
      following_count: counts.following,
      tweet_count: counts.posts,
      listed_count: counts.listed,
    },
  };
}
