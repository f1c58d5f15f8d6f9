/** The variable with the address of the server, for programs and their tests. */
export const URL_VARIABLE = 'PIPIT_URL';

/** The variable with the key of a sandbox. */
export const KEY_VARIABLE = 'PIPIT_SANDBOX_KEY';

/** The variables with the credentials of a world: the section or kind of token, and the key of the entry. */
export const CREDENTIAL_VARIABLES = {
  PIPIT_API_KEY: ['apps', 'api_key'],
  PIPIT_API_SECRET: ['apps', 'api_secret'],
  PIPIT_BEARER_TOKEN: ['apps', 'bearer_token'],
  PIPIT_CLIENT_ID: ['apps', 'client_id'],
  PIPIT_CLIENT_SECRET: ['apps', 'client_secret'],
  PIPIT_ACCESS_TOKEN: ['oauth1', 'access_token'],
  PIPIT_ACCESS_TOKEN_SECRET: ['oauth1', 'access_token_secret'],
  PIPIT_OAUTH2_TOKEN: ['oauth2', 'access_token'],
  PIPIT_USERNAME: ['users', 'username'],
  PIPIT_PASSWORD: ['users', 'password'],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

type Entry = Readonly<Record<string, unknown>>;

/**
 * Returns the credentials of a world document as variables: those of its first app, of its first token of each kind, and of
 * the user of these tokens. Absent ones are left out.
 */
export function credentialsOf(world: unknown): Record<string, string> {
  const tokens = entriesOf(world, 'tokens');
  const users = entriesOf(world, 'users');
  const first: Readonly<Record<string, Entry | undefined>> = {
    apps: entriesOf(world, 'apps')[0],
    users: users.find(({ username }) => username === tokens[0]?.['user']) ?? users[0],
    oauth1: tokens.find(({ kind }) => kind === 'oauth1'),
    oauth2: tokens.find(({ kind }) => kind === 'oauth2'),
  };
  const found = Object.entries(CREDENTIAL_VARIABLES).map(([name, [entry, key]]) => [
    name,
    first[entry]?.[key],
  ]);
  return Object.fromEntries(found.filter(([, value]) => typeof value === 'string')) as Record<string, string>;
}

function entriesOf(world: unknown, key: string): readonly Entry[] {
  const entries = (world as Entry | null)?.[key];
  return Array.isArray(entries) ? (entries as readonly Entry[]) : [];
}
