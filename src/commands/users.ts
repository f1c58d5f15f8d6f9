import type { Command } from 'commander';
import type { Backend } from '../server/backend.js';
import { PipitError, refuseViolations } from '../core/errors.js';
import { PROFILE_LIMITS } from '../core/limits.js';
import { isPlainName } from '../core/plain-line.js';
import { isReservedUsername } from '../core/reserved-usernames.js';
import { countCodePoints } from '../core/unicode.js';
import { USERNAME_PATTERN, type User, type UserCounts } from '../core/user.js';
import type { UserId } from '../core/ids.js';
import { addAccountCommands } from './account-commands.js';
import {
  asLines,
  CommandRefused,
  confirm,
  isoTime,
  withCommonOptions,
  withYes,
  type CommandIo,
  type CommonOptions,
  type ConfirmOptions,
  type Result,
} from './command.js';
import { readAll } from '../world/export/read-all.js';
import { databaseAction, onDatabase } from './on-database.js';
import { accountResult, type LiftOptions, userAction } from './lookups.js';

interface CreateOptions extends CommonOptions {
  readonly name?: string;
  readonly password?: string;
  readonly protected?: true;
}

/** Adds `pipit user ...` (docs/command-line.md). */
export function addUserCommands(program: Command, io: CommandIo): void {
  const user = program.command('user').description('accounts');
  withCommonOptions(user.command('create <username>'))
    .description('create an account; prompts for the password on a terminal')
    .option('--name <name>', 'the display name (default: the username)')
    .option('--password <password>', 'the password; without one the user cannot sign in')
    .option('--protected', 'only accepted followers see the posts')
    .action((username: string, options: CreateOptions) => createUser(io, username, options));
  withCommonOptions(user.command('list'))
    .description('list all accounts')
    .action(databaseAction(io, listUsers));
  withCommonOptions(user.command('show <username>'))
    .description('show one account')
    .action(userAction(io, showUser));
  withCommonOptions(user.command('suspend <username>'))
    .description('hide an account and its posts, and refuse its tokens')
    .option('--lift', 'end the suspension')
    .option('--reason <text>', 'the reason, which the user reads at sign-in')
    .action(userAction(io, suspendUser));
  withCommonOptions(user.command('protect <username>'))
    .description('show the posts of an account to accepted followers only')
    .option('--lift', 'show them to everyone and accept pending follow requests')
    .action(userAction(io, protectUser));
  withYes(withCommonOptions(user.command('scrub-places <username>')))
    .description('remove the location from all posts of an account')
    .action(
      userAction(io, async (backend, account, options: ConfirmOptions) => {
        await confirm(io, options, `permanently remove the location from all posts of @${account.username}`);
        return scrubPlacesOf(backend, account);
      }),
    );
  withYes(withCommonOptions(user.command('delete <username>')))
    .description('delete an account and everything it wrote')
    .action(
      userAction(io, async (backend, account, options: ConfirmOptions) => {
        await requireNoApps(backend, account);
        await confirm(io, options, `permanently delete @${account.username} and everything they wrote`);
        return deleteUser(backend, account);
      }),
    );
  addAccountCommands(user, io);
}

async function createUser(io: CommandIo, username: string, options: CreateOptions): Promise<void> {
  if (!USERNAME_PATTERN.test(username))
    throw new CommandRefused(
      `"${username}" is not a username: use 1 to 15 letters, digits and underscores`,
      2,
    );
  if (isReservedUsername(username))
    throw new CommandRefused(`"${username}" is reserved for pages of the server`, 2);
  const name = options.name ?? username;
  if (!isPlainName(name) || countCodePoints(name) > PROFILE_LIMITS.name)
    throw new CommandRefused(
      `a name must have 1 to ${PROFILE_LIMITS.name} characters, none of them invisible`,
      2,
    );
  if (options.password === '')
    throw new CommandRefused('--password is empty: omit it for an account without sign-in', 2);
  const { passwordFaults } = await import('../services/accounts/account-rules.js');
  const password = options.password ?? (await io.askSecret(`Password for @${username}: `));
  if (password) refuseViolations(passwordFaults(password, username));
  await onDatabase(io, options, async (backend) => {
    const { hashPassword } = await import('../services/secrets/secrets.js');
    const { createAccount } = await import('../services/accounts/sign-up.js');
    const passwordHash = password ? await hashPassword(password) : undefined;
    const account = { username, name, passwordHash, protected: options.protected ?? false };
    const { recordAction, userTarget } = await import('../services/audit/record-action.js');
    const user = await backend.engine
      .tx('create user', async (tx) => {
        const created = await createAccount(backend, tx, account);
        const target = userTarget(created);
        await recordAction(tx, backend, undefined, { action: 'user.create', target });
        return created;
      })
      .catch((error: unknown) => {
        const isTaken = error instanceof PipitError && error.failure.code === 'conflict';
        throw isTaken ? new CommandRefused(`the username @${username} is taken`) : error;
      });
    return userResult(user);
  });
}

async function listUsers({ engine }: Backend): Promise<Result> {
  const { findUsers, pageUserIds } = await import('../stores/users.js');
  const ids = await readAll<UserId>((last = 0n as UserId, limit) => pageUserIds(engine, last, limit));
  const found = await findUsers(engine, ids);
  const users = ids.flatMap((id) => found.get(id) ?? []);
  return { json: users.map((user) => asJson(user)), text: users.map(asLine).join('\n') };
}

async function showUser({ engine }: Backend, user: User): Promise<Result> {
  const { findUserCounts } = await import('../stores/users.js');
  return userResult(user, (await findUserCounts(engine, [user.id])).get(user.id));
}

interface SuspendOptions extends LiftOptions {
  readonly reason?: string;
}

async function suspendUser(backend: Backend, user: User, { lift, reason }: SuspendOptions): Promise<Result> {
  const { suspendAccount } = await import('../services/accounts/standing.js');
  const standing = await suspendAccount(backend, user.id, !lift, { reason });
  return userResult({ ...user, suspended: standing !== 'active' });
}

async function protectUser(backend: Backend, user: User, { lift }: LiftOptions): Promise<Result> {
  const { protectAccount, unprotectAccount } = await import('../services/relations/follow-requests.js');
  await recordFirst(backend, user, lift ? 'user.unprotect' : 'user.protect');
  await (lift ? unprotectAccount : protectAccount)(backend, user.id);
  return userResult({ ...user, protected: !lift });
}

async function scrubPlacesOf(backend: Backend, user: User): Promise<Result> {
  const { scrubPlaces } = await import('../services/accounts/scrub-places.js');
  await recordFirst(backend, user, 'user.scrub_places');
  const posts = await scrubPlaces(backend, user.id);
  const text = `removed the location from ${posts} posts of @${user.username}`;
  return accountResult(user, { scrubbed_posts: posts }, text);
}

/** Records an action that takes several transactions, before the first of them. */
async function recordFirst(
  backend: Backend,
  user: User,
  action: 'user.protect' | 'user.unprotect' | 'user.scrub_places',
): Promise<void> {
  const { recordAction, userTarget } = await import('../services/audit/record-action.js');
  await backend.engine.tx('record action', (tx) =>
    recordAction(tx, backend, undefined, { action, target: userTarget(user) }),
  );
}

/** Throws CommandRefused if the user owns apps. */
async function requireNoApps(backend: Backend, user: User): Promise<void> {
  const { listAppsOf } = await import('../stores/apps.js');
  const owned = await listAppsOf(backend.engine, user.id);
  if (owned.length > 0)
    throw new CommandRefused(
      `@${user.username} owns apps (${owned.map((app) => app.id).join(', ')}): delete them first`,
    );
}

async function deleteUser(backend: Backend, user: User): Promise<Result> {
  const { deleteAccount } = await import('../services/accounts/delete-account.js');
  await deleteAccount(backend, user, { sparesOwners: true, byCommand: true });
  return accountResult(user, { deleted: true }, `deleted @${user.username}`);
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
    created_at: isoTime(user.createdAtMs),
    description: user.description === '' ? undefined : user.description,
    location: user.location,
    url: user.url,
    protected: user.protected,
    verified: user.verified,
    verified_type: user.verifiedType,
    subscription_type: user.subscriptionType,
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
