import type { Command } from 'commander';
import {
  ACCESS_LEVELS,
  PERMISSIONS,
  TRACKS,
  type AccessLevel,
  type Permission,
  type Track,
} from '../core/access.js';
import type { AppCredentials } from '../services/apps/app-credentials.js';
import type { App } from '../stores/apps.js';
import type { Backend } from '../server/backend.js';
import {
  choice,
  confirm,
  isoTime,
  objectResult,
  withCommonOptions,
  withYes,
  type CommandIo,
  type CommonOptions,
  type ConfirmOptions,
  type Result,
} from './command.js';
import { databaseAction } from './on-database.js';
import { ownerName, requireApp, requireDefaultOwner, requireUser } from './lookups.js';
import { collect } from './setting-options.js';

interface AppOptions extends CommonOptions {
  readonly accessLevel?: AccessLevel;
  readonly track?: Track;
  readonly permissions?: Permission;
  readonly redirectUri?: readonly string[];
  readonly description?: string;
  readonly website?: string;
}

interface CreateOptions extends AppOptions {
  readonly owner?: string;
  readonly public?: true;
}

interface UpdateOptions extends AppOptions {
  readonly name?: string;
}

/** Adds `pipit app ...` (docs/command-line.md). */
export function addAppCommands(program: Command, io: CommandIo): void {
  const app = program.command('app').description('apps and their credentials');
  withAppOptions(withCommonOptions(app.command('create <name>')))
    .description('register an app; its credentials are shown only once')
    .option(
      '--owner <username>',
      'the owner (default: the owner created at the first start, or the only user)',
    )
    .option('--public', 'a client that cannot keep a secret (native, single-page)')
    .action(databaseAction(io, createApp));
  withCommonOptions(app.command('list')).description('list all apps').action(databaseAction(io, listApps));
  withCommonOptions(app.command('show <id>'))
    .description('show one app')
    .action(databaseAction(io, async (backend, _, id) => appResult(backend, await findApp(backend, id))));
  withAppOptions(withCommonOptions(app.command('update <id>')))
    .description('change an app; its credentials stay valid')
    .option('--name <name>', 'the new name')
    .action(
      databaseAction(io, (backend, options: UpdateOptions, id: string) =>
        updateApp(io, backend, id, options),
      ),
    );
  withYes(withCommonOptions(app.command('delete <id>')))
    .description('delete an app and every token issued for it')
    .action(
      databaseAction(io, async (backend, options: ConfirmOptions, id: string) => {
        const { name } = await findApp(backend, id);
        await confirm(io, options, `permanently delete the app "${name}" and every token issued for it`);
        return deleteApp(backend, id);
      }),
    );
  const keys = app.command('keys').description('credentials of an app');
  withYes(withCommonOptions(keys.command('regenerate <id>')))
    .description('generate new keys and secrets; the old ones stop working')
    .action(
      databaseAction(io, async (backend, options: ConfirmOptions, id: string) => {
        const { name } = await findApp(backend, id);
        const what = `permanently invalidate the current keys and secrets of the app "${name}"`;
        await confirm(io, options, what);
        return regenerateKeys(backend, id);
      }),
    );
}

function withAppOptions(command: Command): Command {
  return command
    .addOption(choice('--access-level <level>', 'default elevated', ACCESS_LEVELS))
    .addOption(choice('--track <track>', 'default standard', TRACKS))
    .addOption(choice('--permissions <permissions>', 'default read', PERMISSIONS))
    .option('--redirect-uri <uri>', 'a redirect URI for OAuth (repeatable)', collect)
    .option('--description <text>', 'a description for the consent page')
    .option('--website <url>', 'a website for the consent page');
}

async function createApp(backend: Backend, options: CreateOptions, name: string): Promise<Result> {
  const { engine } = backend;
  const owner = await (options.owner === undefined
    ? requireDefaultOwner(engine)
    : requireUser(engine, options.owner));
  const { createManagedApp } = await import('../services/apps/managed-apps.js');
  const created = await createManagedApp(backend, {
    name,
    ownerId: owner.id,
    ...settingsOf(options),
    confidential: !options.public,
  });
  return appResult(backend, created.app, created.created ? created.credentials : undefined);
}

async function listApps(backend: Backend): Promise<Result> {
  const apps = await backend.apps.list();
  const json = await Promise.all(apps.map((app) => asJson(backend, app)));
  const text = json.map((app) => [app.id, app.name, `@${app.owner}`, app.permissions].join('  ')).join('\n');
  return { json, text };
}

async function updateApp(
  io: CommandIo,
  backend: Backend,
  id: string,
  options: UpdateOptions,
): Promise<Result> {
  const before = await findApp(backend, id);
  const changes = { name: options.name, ...settingsOf(options) };
  const { updateManagedApp } = await import('../services/apps/managed-apps.js');
  const app = await requireApp(id, (appId) => updateManagedApp(backend, appId, changes));
  if (app.permissions !== before.permissions)
    io.note('pipit: existing OAuth 1.0a tokens keep their old permissions: issue new ones');
  return appResult(backend, app);
}

function settingsOf(options: AppOptions) {
  const { accessLevel, track, permissions, redirectUri: redirectUris, description, website } = options;
  return { accessLevel, track, permissions, redirectUris, description, website };
}

function findApp({ apps }: Backend, id: string): Promise<App> {
  return requireApp(id, (appId) => apps.find(appId));
}

async function deleteApp(backend: Backend, id: string): Promise<Result> {
  const { deleteManagedApp } = await import('../services/apps/managed-apps.js');
  await requireApp(id, async (appId) => (await deleteManagedApp(backend, appId)) || undefined);
  return { json: { id, deleted: true }, text: `deleted app ${id}` };
}

async function regenerateKeys(backend: Backend, id: string): Promise<Result> {
  const { regenerateManagedKeys } = await import('../services/apps/managed-apps.js');
  const credentials = await requireApp(id, (appId) => regenerateManagedKeys(backend, appId));
  return objectResult({ id, ...credentialsJson(credentials) });
}

async function appResult(backend: Backend, app: App, credentials?: AppCredentials): Promise<Result> {
  return objectResult({
    ...(await asJson(backend, app)),
    ...(credentials && credentialsJson(credentials)),
  });
}

async function asJson({ engine }: Backend, app: App) {
  return {
    id: String(app.id),
    name: app.name,
    owner: await ownerName(engine, app),
    access_level: app.accessLevel,
    track: app.track,
    permissions: app.permissions,
    api_key: app.apiKey,
    client_id: app.clientId,
    redirect_uris: app.redirectUris,
    description: app.description || undefined,
    website: app.website || undefined,
    created_at: isoTime(app.createdAtMs),
  };
}

function credentialsJson(credentials: AppCredentials) {
  return {
    api_key: credentials.apiKey,
    api_secret: credentials.apiSecret,
    bearer_token: credentials.bearerToken,
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  };
}
