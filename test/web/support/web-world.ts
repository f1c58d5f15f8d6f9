import { standardWorld } from '../../support/world.js';

export const PASSWORDS = { alice: 'correct horse alice', bob: 'correct horse bob' } as const;

/** The registered redirect URI of the world’s apps. */
export const CALLBACK = 'https://client.example/callback?from=pipit';
export const NATIVE_CALLBACK = 'example-app://signed-in';

/** A confidential client that can read, write and send messages. */
export const WEB_APP = {
  id: '3001',
  api_key: 'web-api-key',
  api_secret: 'web-api-secret',
  bearer_token: 'AAAAAAAAAAAAAAAAAAAAAweb%2Fbearer%3D',
  client_id: 'web-client',
  client_secret: 'web-client-secret',
} as const;

/** A public client that can write. */
export const NATIVE_APP = {
  id: '3002',
  api_key: 'native-api-key',
  api_secret: 'native-api-secret',
  bearer_token: 'native-bearer',
  client_id: 'native-client',
} as const;

/** Returns a world in which alice and bob have passwords and carol has none. */
export function webWorld(): Record<string, unknown[]> {
  const world = standardWorld();
  const passwords: Readonly<Record<string, string>> = PASSWORDS;
  return {
    ...world,
    users: (world['users'] ?? []).map((user) => {
      const { username } = user as { readonly username: string };
      return { ...(user as object), ...(passwords[username] && { password: passwords[username] }) };
    }),
    apps: [
      ...(world['apps'] ?? []),
      {
        ...WEB_APP,
        name: 'Birds & <Bees>',
        owner: 'alice',
        access_level: 'elevated',
        track: 'standard',
        permissions: 'read_write_dm',
        redirect_uris: [CALLBACK, 'http://127.0.0.1:3000/back'],
      },
      {
        ...NATIVE_APP,
        name: 'Native',
        owner: 'bob',
        access_level: 'essential',
        track: 'standard',
        permissions: 'read_write',
        redirect_uris: [NATIVE_CALLBACK],
      },
    ],
  };
}
