import { readFile, rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { SCOPES } from '../core/access.js';
import type { IdSource } from '../core/snowflake.js';
import type { UserId } from '../core/ids.js';
import { BEARER_PREFIX, generate, hashPassword, randomAlphanumeric } from '../services/secrets/secrets.js';
import { deleteOperator, insertOperator } from '../stores/operators.js';
import { findUser, hasUsers } from '../stores/users.js';
import { isInMemory, type Config } from './config.js';
import { createPrivateFile } from '../database/private-file.js';
import { loadWorld, type WorldDeps } from '../world/load-world.js';
import { NamedError } from '../core/named-error.js';

/** The credentials of a first start, in the format of `app create` and `token create`. */
export type FirstCredentials = Readonly<ReturnType<typeof generateCredentials>>;

/** The result of a first start. */
export interface FirstStart {
  readonly credentials: FirstCredentials;
  /** The credentials file; undefined for a database in memory. */
  readonly file: string | undefined;
}

/** Thrown for an unusable credentials file; the message names the file and the reason. */
class CredentialsFileRefused extends NamedError {}

/** A generated password and its hash. */
export interface FirstPassword {
  readonly password: string;
  readonly hash: Promise<string>;
}

/**
 * Generates a password, and begins to hash it in another thread, for a database that is certain to get its first
 * credentials. The schema is created meanwhile.
 */
export function drawPasswordEarly({ database, load }: Config): FirstPassword | undefined {
  return isInMemory(database) && load.length === 0 ? drawPassword() : undefined;
}

function drawPassword(): FirstPassword {
  const password = randomAlphanumeric(PASSWORD_CHARACTERS);
  return { password, hash: hashPassword(password) };
}

/** The username of the first user. */
export const OWNER = 'owner';
const APP_NAME = 'first app';
const BEARER_CHARACTERS = 86;
const PASSWORD_CHARACTERS = 20;

/**
 * In a database without users, creates an owner with operator rights, an app and tokens, and returns them. Returns
 * undefined for any other database.
 *
 * With `file`, writes the credentials there first and then copies them into the database. A crash in between leaves
 * an empty database beside the file, and the next start uses the same credentials; two processes that start at once
 * agree on one file. Two servers with a folder each make different ones: the database takes those of one, and the other
 * removes its file and returns undefined. Never overwrites a file, since it may be the only copy of another database's credentials. Throws
 * CredentialsFileRefused for a file with other content.
 *
 * `drawn` is the password if no file has one; drawn here by default.
 */
export async function makeFirstCredentials(
  deps: WorldDeps,
  file: string | undefined,
  drawn?: FirstPassword,
): Promise<FirstCredentials | undefined> {
  if (await hasUsers(deps.engine)) return undefined;
  const { password, hash } = drawn ?? drawPassword();
  const made = generateCredentials(deps.ids, password);
  const credentials = file === undefined ? made : await keep(made, file);
  const passwordHash = await (credentials === made ? hash : hashPassword(credentials.password));
  const ownerId = BigInt(credentials.user_id) as UserId;
  // The operator is stored before the user: a later start that finds users grants no operator rights.
  await deps.engine.tx('make operator', (tx) => insertOperator(tx, ownerId, deps.clock()));
  try {
    await loadWorld(deps, asWorld(credentials, passwordHash));
    return credentials;
  } catch (error) {
    const isBeaten = (await hasUsers(deps.engine)) && !(await findUser(deps.engine, ownerId));
    if (!isBeaten) throw error;
    await deps.engine.tx('withdraw operator', (tx) => deleteOperator(tx, ownerId));
    if (file !== undefined && credentials === made) await rm(file, { force: true });
    return undefined;
  }
}

function generateCredentials(ids: IdSource, password: string) {
  const userId = ids.next<UserId>();
  return {
    username: OWNER,
    /** The password for the web pages. */
    password,
    user_id: String(userId),
    app_id: String(ids.next()),
    api_key: generate.apiKey(),
    api_secret: generate.apiSecret(),
    bearer_token: BEARER_PREFIX + randomAlphanumeric(BEARER_CHARACTERS),
    client_id: generate.clientId(),
    client_secret: generate.clientSecret(),
    oauth1: { access_token: generate.oauth1Token(userId), access_token_secret: generate.oauth1Secret() },
    /**
     * Has every scope and does not expire: it belongs to the operator and is in a file that only the operator can read.
     */
    oauth2: { access_token: generate.oauth2Token(), refresh_token: generate.oauth2Token() },
  };
}

async function keep(made: FirstCredentials, file: string): Promise<FirstCredentials> {
  if (await createPrivateFile(file, `${JSON.stringify(made, undefined, 2)}\n`)) return made;
  const kept = parse(await readFile(file, 'utf8'));
  if (hasShapeOf(made, kept)) return kept as FirstCredentials;
  throw new CredentialsFileRefused(`${file} does not contain first-start credentials: move it away`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns true if `value` has a string for each string in `sample`. */
function hasShapeOf(sample: object, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Readonly<Record<string, unknown>>;
  return Object.entries(sample).every(([key, part]) =>
    typeof part === 'string' ? typeof members[key] === 'string' : hasShapeOf(part as object, members[key]),
  );
}

function asWorld(credentials: FirstCredentials, passwordHash: string): unknown {
  const { username, user_id, app_id, api_key, api_secret, bearer_token, client_id, client_secret } =
    credentials;
  const holder = { app: app_id, user: username };
  return {
    users: [{ id: user_id, username, password_hash: passwordHash, name: 'Owner' }],
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
 * Returns an example command that calls the server with the first credentials. It reads the token from the file, so
 * that no secret appears in a terminal or a service manager's log.
 */
export function curlLine(url: string, { credentials, file }: FirstStart, folder: string): string {
  const path = `${url}/2/users/by/username/${credentials.username}`;
  if (file === undefined) return `curl -H 'Authorization: Bearer ${credentials.bearer_token}' ${path}`;
  const near = relative(folder, file);
  const name = near.startsWith('..') ? file : `./${near}`;
  const script = `require(${JSON.stringify(name)}).bearer_token`.replaceAll("'", String.raw`'\''`);
  return `curl -H "Authorization: Bearer $(node -p '${script}')" ${path}`;
}
