import { readFile } from 'node:fs/promises';
import { SCOPES } from '../../src/core/access.js';

/** The sender of the requests, with its credentials. */
export const SENDER = {
  id: '101',
  username: 'wren',
  appKey: 'pond-api-key',
  appSecret: 'pond-api-secret',
  accessToken: '101-pond-access-token',
  accessSecret: 'pond-token-secret',
  bearer: 'pond-bearer-token',
  oauth2: 'wren-oauth2-token',
} as const;

/** The operator signed in to the pages, not the sender, as pages can revoke tokens. */
export const VISITOR = { id: '102', username: 'heron', password: 'correct horse heron' } as const;

const VISITOR_APP = {
  id: '901',
  name: 'heron app',
  owner: VISITOR.username,
  api_key: 'heron-api-key',
  api_secret: 'heron-api-secret',
  bearer_token: 'heron-bearer-token',
  client_id: 'heron-client-id',
} as const;

/** Values that exist in the world, by the name of the parameter. */
export const KNOWN_VALUES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  id: ['1560000000000000001', '1560000000000000101', '101', '102', '1MillPondDawn'],
  ids: ['1560000000000000001,1560000000000000003', '101,102', '1MillPondDawn,1MillPondDusk'],
  username: ['wren', 'heron'],
  usernames: ['wren,heron,owl'],
  user_ids: ['101,103'],
  tweet_id: ['1560000000000000003'],
  source_tweet_id: ['1560000000000000003'],
  target_user_id: ['102', '103'],
  source_user_id: ['101'],
  user_id: ['102'],
  participant_id: ['102', '103'],
  dm_conversation_id: ['101-102'],
  list_id: ['1560000000000000101'],
  media_key: ['3_301'],
  media_keys: ['3_301,3_1'],
  query: ['dawnchorus', 'from:wren has:media', '(reeds OR boat) -is:retweet lang:en'],
};

/** Returns the example world, whose first user has every type of credential. */
export async function fuzzWorld(): Promise<object> {
  const file = new URL('../../examples/pond.json', import.meta.url);
  const world = JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, unknown>[]>;
  const { users = [], apps = [], tokens = [] } = world;
  return {
    ...world,
    users: users.map((user) => (user['id'] === VISITOR.id ? { ...user, password: VISITOR.password } : user)),
    apps: [
      ...apps.map((app) => ({ ...app, access_level: 'elevated', track: 'academic_research' })),
      { ...apps[0], ...VISITOR_APP },
    ],
    tokens: [
      ...tokens,
      { app: '900', user: SENDER.username, kind: 'oauth2', access_token: SENDER.oauth2, scopes: SCOPES },
    ],
  };
}
