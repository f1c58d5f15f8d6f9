import type { Connection } from './connection.js';

/** The credentials of OAuth 1.0a, as clients take them. */
export interface OAuth1Credentials {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly accessToken: string;
  readonly accessTokenSecret: string;
}

export interface TokenOptions {
  /** The id or the name of the app; by default the first one. */
  readonly app?: string;
  /** By default every scope. */
  readonly scopes?: readonly string[];
}

/** An OAuth 2.0 access token and the id of its user. */
interface UserToken {
  readonly userId: string;
  readonly token: string;
}

interface Issued {
  readonly user: { readonly id: string };
  readonly access_token: string;
  readonly access_token_secret: string;
  readonly api_key: string;
  readonly api_secret: string;
}

export type Tokens = ReturnType<typeof createTokens>;

/** Issues credentials and keeps those of OAuth 2.0 until the state of the server changes. */
export function createTokens({ control }: Connection) {
  const kept = new Map<string, Promise<UserToken>>();
  const issue = (body: object) => control<Issued>('POST', '/tokens', { body });
  return {
    ofUser: (username: string, { app, scopes }: TokenOptions = {}): Promise<UserToken> => {
      const key = JSON.stringify([username, app, scopes]);
      const earlier = kept.get(key);
      if (earlier) return earlier;
      const issued = issue({ username, app, scopes, kind: 'oauth2' }).then(({ user, access_token }) => ({
        userId: user.id,
        token: access_token,
      }));
      kept.set(key, issued);
      issued.catch(() => kept.delete(key));
      return issued;
    },
    oauth1: async (username: string, app?: string): Promise<OAuth1Credentials> => {
      const issued = await issue({ username, app, kind: 'oauth1' });
      return {
        apiKey: issued.api_key,
        apiSecret: issued.api_secret,
        accessToken: issued.access_token,
        accessTokenSecret: issued.access_token_secret,
      };
    },
    ofApp: async (app?: string): Promise<string> => (await issue({ app, kind: 'app' })).access_token,
    /** Forgets all tokens: the server no longer knows them. */
    forget: () => kept.clear(),
  };
}
