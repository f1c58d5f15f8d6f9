/** Users who post concurrently, and the app that they authorized. */
export const STORM_USERS = ['ada', 'ben', 'cleo', 'dan'] as const;
export type StormUser = (typeof STORM_USERS)[number];

export const STORM_BEARER = 'storm-app-bearer-token';

/** Returns the OAuth 2.0 token of a user. */
export function tokenOf(user: StormUser): string {
  return `storm-token-of-${user}`;
}

/** Returns the world file of the load. */
export function stormWorld(): object {
  return {
    users: STORM_USERS.map((username, index) => ({ id: String(1001 + index), username, name: username })),
    apps: [
      {
        id: '27',
        name: 'Storm',
        owner: STORM_USERS[0],
        access_level: 'elevated',
        track: 'standard',
        permissions: 'read_write',
        api_key: 'storm-key',
        api_secret: 'storm-secret',
        bearer_token: STORM_BEARER,
        client_id: 'storm-client',
        redirect_uris: [],
      },
    ],
    tokens: STORM_USERS.map((user) => ({
      app: '27',
      user,
      kind: 'oauth2',
      access_token: tokenOf(user),
      scopes: ['tweet.read', 'tweet.write', 'users.read'],
    })),
  };
}
