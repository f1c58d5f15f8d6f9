import type { Connection, RequestOptions } from './connection.js';
import type { OAuth1Credentials, TokenOptions, Tokens } from './tokens.js';

/** A post that a test has created or knows. */
export interface Post {
  readonly id: string;
  readonly text: string;
}

/** The members of `POST /2/tweets` besides the text. */
export type PostFields = Readonly<Record<string, unknown>>;

/** A post, or its id. */
type PostRef = string | { readonly id: string };

/** A user of the server, and what this user does through the interface. */
export interface User {
  readonly username: string;
  id(): Promise<string>;
  /** Returns an OAuth 2.0 access token: the same one until the state of the server is reset. */
  token(options?: TokenOptions): Promise<string>;
  /** Issues credentials of OAuth 1.0a. */
  oauth1(app?: string): Promise<OAuth1Credentials>;
  /** Signs the user in to the pages without a password; returns the value of the header `cookie`. */
  signIn(): Promise<string>;
  /** Sends a request with this user's token, and returns the parsed answer. Throws PipitRefused. */
  request<T = unknown>(method: string, path: string, options?: Omit<RequestOptions, 'token'>): Promise<T>;
  post(text: string, fields?: PostFields): Promise<Post>;
  reply(post: PostRef, text: string): Promise<Post>;
  quote(post: PostRef, text: string): Promise<Post>;
  repost(post: PostRef): Promise<void>;
  like(post: PostRef): Promise<void>;
  delete(post: PostRef): Promise<void>;
  follow(user: User): Promise<void>;
  message(user: User, text: string): Promise<void>;
  /** Returns this user's newest posts, newest first; at most 100. */
  posts(): Promise<readonly Post[]>;
}

/** Creates the handle of a user. Nothing is sent before a method is called. */
export function createUser(username: string, { send, control }: Connection, tokens: Tokens): User {
  const id = async () => (await tokens.ofUser(username)).userId;
  const request: User['request'] = async (method, path, options = {}) =>
    send(method, path, { ...options, token: (await tokens.ofUser(username)).token });
  const post: User['post'] = async (text, fields = {}) => {
    const body = { text, ...fields };
    return (await request<{ readonly data: Post }>('POST', '/2/tweets', { body })).data;
  };
  /** Adds an edge from this user, such as a like. */
  const add = async (kind: string, body: object): Promise<void> => {
    await request('POST', `/2/users/${await id()}/${kind}`, { body });
  };
  return {
    username,
    id,
    token: async (options) => (await tokens.ofUser(username, options)).token,
    oauth1: (app) => tokens.oauth1(username, app),
    signIn: async () =>
      (await control<{ readonly cookie: string }>('POST', '/sessions', { body: { username } })).cookie,
    request,
    post,
    reply: (to, text) => post(text, { reply: { in_reply_to_tweet_id: idOf(to) } }),
    quote: (quoted, text) => post(text, { quote_tweet_id: idOf(quoted) }),
    repost: (reposted) => add('retweets', { tweet_id: idOf(reposted) }),
    like: (liked) => add('likes', { tweet_id: idOf(liked) }),
    delete: async (deleted) => void (await request('DELETE', `/2/tweets/${idOf(deleted)}`)),
    follow: async (user) => add('following', { target_user_id: await user.id() }),
    message: async (user, text) => {
      await request('POST', `/2/dm_conversations/with/${await user.id()}/messages`, { body: { text } });
    },
    posts: async () => {
      const path = `/2/users/${await id()}/tweets`;
      const { data = [] } = await request<{ readonly data?: readonly Post[] }>('GET', path, {
        query: { max_results: 100 },
      });
      return data;
    },
  };
}

function idOf(post: PostRef): string {
  return typeof post === 'string' ? post : post.id;
}

/** The users of a server by username, created when they are first used. */
export type Users<Name extends string> = string extends Name
  ? Readonly<Record<string, User>>
  : { readonly [Username in Name]: User };

/** Creates the users by name. Whether a user exists shows at the first request. */
export function createUsers<Name extends string>(userNamed: (username: string) => User): Users<Name> {
  return new Proxy({} as Users<Name>, {
    // `then` makes promises wait for it, and symbols name no user.
    get: (_target, name) => (typeof name === 'symbol' || name === 'then' ? undefined : userNamed(name)),
  });
}
