import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { SCOPES } from '../core/scope.js';
import type { IdSource } from '../core/snowflake.js';
import type { UserId } from '../core/ids.js';
import { BEARER_PREFIX, generate, randomAlphanumeric } from '../services/secrets/secrets.js';
import { insertOperator } from '../stores/operators.js';
import { hasNoUsers } from '../stores/users.js';
import { createPrivateFile } from '../database/private-file.js';
import { loadWorld, type WorldDeps } from '../world/load-world.js';

/** What a first start makes, in the names of `app create` and `token create`. */
export interface FirstCredentials {
  readonly username: string;
  /** For the pages in the browser. */
  readonly password: string;
  readonly user_id: string;
  readonly app_id: string;
  readonly api_key: string;
  readonly api_secret: string;
  readonly bearer_token: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly oauth1: { readonly access_token: string; readonly access_token_secret: string };
  /** It has every scope and does not expire: it is the operator's own, kept in a file that only the operator reads. */
  readonly oauth2: { readonly access_token: string; readonly refresh_token: string };
}

/** What a first start made. */
export interface FirstStart {
  readonly credentials: FirstCredentials;
  /** Where they are kept; undefined for a database in memory. */
  readonly file: string | undefined;
}

/** A credentials file that cannot be used; the message tells which and why. */
class CredentialsFileRefused extends Error {
  override readonly name = 'CredentialsFileRefused';
}

/** The username of whom a first start makes. */
export const OWNER = 'owner';
const APP_NAME = 'first app';
const BEARER_CHARACTERS = 86;
const PASSWORD_CHARACTERS = 20;

/**
 * In a database without users makes an owner, who is an operator, an app and tokens, and resolves to them; undefined in any other.
 *
 * With `file` they are kept there first, and then written to the database from there. A crash in between leaves an
 * empty database beside the file, and the next start takes up the same credentials; two processes that start at once
 * agree on one file. A file is never overwritten, as it may be all that is left of another database's credentials.
 * Throws CredentialsFileRefused for a file that holds something else.
 */
export async function makeFirstCredentials(
  deps: WorldDeps,
  file: string | undefined,
): Promise<FirstCredentials | undefined> {
  if (!(await hasNoUsers(deps.engine))) return undefined;
  const made = generateCredentials(deps.ids);
  const credentials = file === undefined ? made : await keep(made, file);
  const ownerId = BigInt(credentials.user_id) as UserId;
  // Before there are users, as a start that finds any makes nobody an operator.
  await deps.engine.tx('make operator', (tx) => insertOperator(tx, ownerId, deps.clock()));
  await loadWorld(deps, asWorld(credentials));
  return credentials;
}

function generateCredentials(ids: IdSource): FirstCredentials {
  const userId = ids.next<UserId>();
  return {
    username: OWNER,
    password: randomAlphanumeric(PASSWORD_CHARACTERS),
    user_id: String(userId),
    app_id: String(ids.next()),
    api_key: generate.apiKey(),
    api_secret: generate.apiSecret(),
    bearer_token: BEARER_PREFIX + randomAlphanumeric(BEARER_CHARACTERS),
    client_id: generate.clientId(),
    client_secret: generate.clientSecret(),
    oauth1: { access_token: generate.oauth1Token(userId), access_token_secret: generate.oauth1Secret() },
    oauth2: { access_token: generate.oauth2Token(), refresh_token: generate.oauth2Token() },
  };
}

async function keep(made: FirstCredentials, file: string): Promise<FirstCredentials> {
  if (await createPrivateFile(file, `${JSON.stringify(made, undefined, 2)}\n`)) return made;
  const kept = parse(await readFile(file, 'utf8'));
  if (hasShapeOf(made, kept)) return kept as FirstCredentials;
  throw new CredentialsFileRefused(`${file} holds no credentials of a first start: move it away`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** True when `value` has a text wherever `sample` has one. */
function hasShapeOf(sample: object, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Readonly<Record<string, unknown>>;
  return Object.entries(sample).every(([key, part]) =>
    typeof part === 'string' ? typeof members[key] === 'string' : hasShapeOf(part as object, members[key]),
  );
}

function asWorld(credentials: FirstCredentials): unknown {
  const { username, password, user_id, app_id, api_key, api_secret, bearer_token, client_id, client_secret } =
    credentials;
  const holder = { app: app_id, user: username };
  return {
    users: [{ id: user_id, username, password, name: 'Owner' }],
    apps: [
      {
        id: app_id,
        name: APP_NAME,
        owner: username,
        access_level: 'elevated',
        track: 'academic_research',
        permissions: 'read_write_dm',
        api_key,
        api_secret,
        bearer_token,
        client_id,
        client_secret,
        redirect_uris: [],
      },
    ],
    tokens: [
      { ...holder, kind: 'oauth1', ...credentials.oauth1 },
      { ...holder, kind: 'oauth2', scopes: SCOPES, ...credentials.oauth2 },
    ],
  };
}

/**
 * A command line that asks the server something with the first credentials. It reads the token from its file, so that
 * no secret stands in a terminal's or a service manager's log.
 */
export function curlLine(url: string, { credentials, file }: FirstStart, folder: string): string {
  const path = `${url}/2/users/by/username/${credentials.username}`;
  if (file === undefined) return `curl -H 'Authorization: Bearer ${credentials.bearer_token}' ${path}`;
  const near = relative(folder, file);
  const name = near.startsWith('..') ? file : `./${near}`;
  const script = `require(${JSON.stringify(name)}).bearer_token`.replaceAll("'", String.raw`'\''`);
  return `curl -H "Authorization: Bearer $(node -p '${script}')" ${path}`;
}
