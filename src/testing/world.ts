/** A time of a world file: `2026-01-02T03:04:05Z`, or relative to loading: `now-90m`. */
type Time = string;

/** A world document (docs/world-files.md). Its sections are described by docs/world-file.schema.json. */
export interface World {
  readonly users?: readonly WorldUser[];
  readonly posts?: readonly WorldPost[];
  readonly follows?: readonly { readonly from: string; readonly to: string; readonly pending?: boolean }[];
  readonly likes?: readonly { readonly user: string; readonly post: string; readonly at?: Time }[];
  readonly [section: string]: unknown;
}

export interface WorldUser {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly password?: string;
  readonly protected?: boolean;
  readonly [key: string]: unknown;
}

export interface WorldPost {
  readonly id: string;
  readonly author: string;
  readonly text?: string;
  readonly created_at?: Time;
  readonly in_reply_to?: string;
  readonly quote_of?: string;
  readonly repost_of?: string;
  readonly [key: string]: unknown;
}

/** The usernames that a world declares, when it is written as a literal; otherwise any text. */
export type UsernameOf<W> = W extends { readonly users: readonly { readonly username: infer Name }[] }
  ? Name & string
  : string;

/** The world of a server without another one: an app and two users. */
export const SMALL_WORLD = {
  users: [
    { id: '1', username: 'alice', name: 'Alice' },
    { id: '2', username: 'bob', name: 'Bob' },
  ],
  apps: [
    {
      id: '9',
      name: 'test app',
      owner: 'alice',
      access_level: 'elevated',
      permissions: 'read_write_dm',
      api_key: 'test-api-key',
      api_secret: 'test-api-secret',
      bearer_token: 'test-bearer-token',
      client_id: 'test-client-id',
      client_secret: 'test-client-secret',
      redirect_uris: ['http://127.0.0.1:3000/callback'],
    },
  ],
} as const;
