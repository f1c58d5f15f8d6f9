import type { Command } from 'commander';
import { SCOPES, type Scope } from '../core/access.js';
import type { Tx } from '../database/engine.js';
import type { Backend } from '../server/backend.js';
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
import { databaseAction, onDatabase } from './on-database.js';
import { requireApp, requireUser } from './lookups.js';
import { collect } from './setting-options.js';

interface CreateOptions extends CommonOptions {
  readonly app: string;
  readonly user: string;
  readonly kind: 'oauth1' | 'oauth2';
  readonly scope?: readonly string[];
}

/** Adds `pipit token ...` (docs/command-line.md). */
export function addTokenCommands(program: Command, io: CommandIo): void {
  const token = program.command('token').description('tokens with which apps act for users');
  withCommonOptions(token.command('create'))
    .description('issue a token; it is shown only once')
    .requiredOption('--app <id>', 'the app')
    .requiredOption('--user <username>', 'the user')
    .addOption(choice('--kind <kind>', 'the OAuth version', ['oauth1', 'oauth2']).makeOptionMandatory())
    .option('--scope <scope>', 'a scope of an oauth2 token (repeatable; default: all)', collect)
    .action((options: CreateOptions) => {
      const scopes = readScopes(options);
      return onDatabase(io, options, (backend) => createToken(backend, options, scopes));
    });
  withCommonOptions(token.command('revoke <token>'))
    .description('revoke a token of any kind immediately')
    .action(
      databaseAction(io, async (backend, _options, text) => {
        if (!(await revokeToken(backend, text))) throw new CommandRefused('there is no such active token');
        return { json: { revoked: true }, text: 'revoked' };
      }),
    );
}

function readScopes({ kind, scope }: CreateOptions): readonly Scope[] {
  if (kind === 'oauth1' && scope) throw new CommandRefused('--scope is only for oauth2 tokens', 2);
  const words = scope?.flatMap((text) => text.split(/[\s,]+/)).filter((word) => word !== '') ?? SCOPES;
  if (words.length === 0) throw new CommandRefused('--scope is empty', 2);
  return words.map((word) => {
    const known = SCOPES.find((candidate) => candidate === word);
    if (known === undefined)
      throw new CommandRefused(`"${word}" is not a scope; the scopes are ${SCOPES.join(', ')}`, 2);
    return known;
  });
}

async function revokeToken(backend: Backend, text: string): Promise<boolean> {
  const { recordAction } = await import('../services/audit/record-action.js');
  return backend.engine.tx('revoke token', async (tx) => {
    const isRevoked = await backend.tokens.revoke(text, tx);
    // The log must not contain the token.
    const target = { kind: 'token', name: '' } as const;
    if (isRevoked) await recordAction(tx, backend, undefined, { action: 'token.revoke', target });
    return isRevoked;
  });
}

async function createToken(
  backend: Backend,
  options: CreateOptions,
  scopes: readonly Scope[],
): Promise<Result> {
  const { apps, tokens, engine, clock } = backend;
  const { recordAction, userTarget } = await import('../services/audit/record-action.js');
  const { id: appId, name } = await requireApp(options.app, (id) => apps.find(id));
  const user = await requireUser(engine, options.user);
  const holder = { appId, userId: user.id };
  const head = { app: options.app, user: user.username, kind: options.kind };
  const issue = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    engine.tx('issue token', async (tx) => {
      const detail = `app: ${name}; kind: ${options.kind}`;
      await recordAction(tx, backend, undefined, {
        action: 'token.create',
        target: userTarget(user),
        detail,
      });
      return work(tx);
    });
  if (options.kind === 'oauth1') {
    const issued = await issue((tx) => tokens.issueOAuth1(holder, tx));
    const { accessToken: access_token, accessTokenSecret: access_token_secret } = issued;
    return objectResult({ ...head, access_token, access_token_secret });
  }
  const issued = await issue((tx) => tokens.issueOAuth2({ ...holder, scopes }, tx));
  const { expiresInSeconds: seconds } = issued;
  return objectResult({
    ...head,
    access_token: issued.accessToken,
    refresh_token: issued.refreshToken,
    scopes,
    expires_at: seconds && isoTime(clock() + seconds * 1000),
  });
}
