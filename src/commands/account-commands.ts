import type { Command } from 'commander';
import type { Backend } from '../server/backend.js';
import { readConfig } from '../server/config.js';
import { SUBSCRIPTION_TYPES, type SubscriptionType, type User } from '../core/user.js';
import { withoutTrailingSlashes } from '../core/trailing-slashes.js';
import {
  choice,
  CommandRefused,
  withCommonOptions,
  type CommandIo,
  type CommonOptions,
  type Result,
} from './command.js';
import { onDatabase } from './on-database.js';
import { accountResult, requireUser, userAction, type LiftOptions } from './lookups.js';
import { optionOf } from './setting-options.js';

interface PasswordOptions extends CommonOptions {
  readonly password?: string;
  readonly link?: true;
  readonly baseUrl?: string;
}

/** Adds `pipit user password|operator ...`, for operators without access to the pages. */
export function addAccountCommands(user: Command, io: CommandIo): void {
  withCommonOptions(user.command('password <username>'))
    .description('set the password of a user: prompts for it on a terminal, or generates and prints one')
    .option('--password <password>', 'the new password')
    .option('--link', 'print a link for the user to set the password instead; valid once, for a day')
    .addOption(optionOf('baseUrl', 'the public URL of the server, for the link'))
    .action((username: string, options: PasswordOptions) => changePassword(io, username, options));
  withCommonOptions(user.command('operator <username>'))
    .description(
      'make a user an operator, who can list, suspend and delete users and grant access in the browser',
    )
    .option('--lift', 'revoke the operator role')
    .action(userAction(io, changeOperator));
  withCommonOptions(user.command('subscribe <username>'))
    .description('give an account a subscription: subscribers may write long posts')
    .addOption(choice('--type <type>', 'default Premium', SUBSCRIPTION_TYPES))
    .option('--lift', 'end the subscription')
    .action(userAction(io, changeSubscription));
}

interface SubscribeOptions extends LiftOptions {
  readonly type?: SubscriptionType;
}

async function changeSubscription(
  backend: Backend,
  user: User,
  { lift, type = 'Premium' }: SubscribeOptions,
): Promise<Result> {
  const store = await import('../stores/users.js');
  const { recordAction, userTarget } = await import('../services/audit/record-action.js');
  const subscriptionType = lift ? undefined : type;
  const action = lift ? 'user.unsubscribe' : 'user.subscribe';
  await backend.engine.tx('change subscription', async (tx) => {
    await store.changeSubscription(tx, user.id, { subscriptionType });
    const detail = subscriptionType ?? '';
    await recordAction(tx, backend, undefined, { action, target: userTarget(user), detail });
  });
  const text = `@${user.username} has ${lift ? 'no subscription' : `the subscription ${type}`}`;
  return accountResult(user, { subscription_type: subscriptionType }, text);
}

async function changePassword(io: CommandIo, username: string, options: PasswordOptions): Promise<void> {
  if (options.link && options.password !== undefined)
    throw new CommandRefused('--link and --password cannot be combined', 2);
  if (options.password === '') throw new CommandRefused('--password is empty: omit it to generate one', 2);
  const asked =
    options.link || options.password !== undefined
      ? options.password
      : await io.askSecret(`New password for @${username.replace(/^@/, '')} (empty to generate one): `);
  await onDatabase(io, options, (backend) =>
    options.link
      ? resetLink(backend, username, readConfig({ baseUrl: options.baseUrl }, io.env).baseUrl ?? '')
      : setPassword(backend, username, asked),
  );
}

async function setPassword(
  backend: Backend,
  username: string,
  password: string | undefined,
): Promise<Result> {
  const passwords = await import('../services/accounts/passwords.js');
  const user = await requireUser(backend.engine, username);
  const made = password ? undefined : await passwords.setRandomPassword(backend, user);
  if (password) await passwords.changePassword(backend, user, password);
  const text = made ?? `changed the password of @${user.username} and ended their sessions`;
  return accountResult(user, { password: made }, text);
}

async function resetLink(backend: Backend, username: string, baseUrl: string): Promise<Result> {
  const { createPasswordReset, passwordResetPath } = await import('../services/accounts/passwords.js');
  const user = await requireUser(backend.engine, username);
  const path = passwordResetPath(await createPasswordReset(backend, user.id));
  const link = withoutTrailingSlashes(baseUrl) + path;
  return accountResult(user, { link }, link);
}

async function changeOperator(backend: Backend, user: User, { lift }: LiftOptions): Promise<Result> {
  const { setOperator } = await import('../services/accounts/operators.js');
  await setOperator(backend, user.id, !lift);
  const text = `@${user.username} is ${lift ? 'no longer' : 'now'} an operator`;
  return accountResult(user, { operator: !lift }, text);
}
