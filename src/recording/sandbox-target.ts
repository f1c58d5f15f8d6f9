import { NamedError } from '../core/named-error.js';
import { JSON_TYPE } from '../http/problems.js';
import { KEY_HEADER } from '../sandbox/guard.js';
import { SANDBOX_PATH } from '../sandbox/operation.js';
import { ReplayRefused, type ReplayTarget } from './replay-target.js';

/** The sandbox cannot be used; the message is one line for the user. */
class SandboxRefused extends NamedError {}

interface SandboxTargetOptions {
  /** Without a slash at the end. */
  readonly url: string;
  /** The key of the sandbox. */
  readonly key: string | undefined;
}

/** What an answer says, as far as it is read. */
interface Answered {
  readonly data?: { readonly id?: string; readonly access_token?: string };
  readonly detail?: string;
  readonly errors?: readonly { readonly message?: string }[];
}

/**
 * Opens a running sandbox (docs/sandbox.md) for replaying: authors get tokens, with which their posts are created over
 * HTTP. Every call rejects if the server does not answer.
 */
export function createSandboxTarget({ url, key }: SandboxTargetOptions): ReplayTarget {
  const usernames = new Map<string, string>();
  const tokens = new Map<string, string>();
  const send = async (path: string, body: unknown, headers: Record<string, string>) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': JSON_TYPE, ...headers },
      body: JSON.stringify(body),
    }).catch((cause: unknown) => {
      throw new SandboxRefused(`no server answers at ${url}`, { cause });
    });
    return { status: answer.status, json: (await answer.json()) as Answered };
  };
  const control = (path: string, body: unknown) =>
    send(SANDBOX_PATH + path, body, key === undefined ? {} : { [KEY_HEADER]: key });
  const tokenOf = async (authorId: string): Promise<string> => {
    const known = tokens.get(authorId);
    if (known !== undefined) return known;
    const username = usernames.get(authorId);
    if (username === undefined) throw new ReplayRefused('Its author could not be added.');
    const { json } = await control('/tokens', { username });
    if (json.data?.access_token === undefined) throw refusal(json);
    tokens.set(authorId, json.data.access_token);
    return json.data.access_token;
  };
  const act = async (authorId: string, path: string, body: unknown): Promise<Answered> => {
    const authorization = `Bearer ${await tokenOf(authorId)}`;
    const { status, json } = await send(path, body, { authorization });
    if (status >= 400) throw refusal(json);
    return json;
  };
  return {
    add: async (entries) => {
      const { status, json } = await control('/world', entries);
      if (status === 404) throw new SandboxRefused(`the server at ${url} is no sandbox`);
      if (status === 403) throw new SandboxRefused(json.detail ?? 'the sandbox refuses');
      if (status >= 400) return false;
      for (const { id, username } of entries.users ?? []) usernames.set(String(id), String(username));
      return true;
    },
    post: async (authorId, { text, inReplyToId, quotedId, poll, mediaIds, placeId }) => {
      const { data } = await act(authorId, '/2/tweets', {
        text,
        reply: inReplyToId === undefined ? undefined : { in_reply_to_tweet_id: inReplyToId },
        quote_tweet_id: quotedId,
        media: mediaIds && { media_ids: mediaIds },
        geo: placeId === undefined ? undefined : { place_id: placeId },
        poll: poll && { options: poll.options, duration_minutes: poll.durationMinutes },
      });
      return data?.id ?? '';
    },
    repost: async (authorId, postId) => {
      await act(authorId, `/2/users/${authorId}/retweets`, { tweet_id: postId });
    },
  };
}

function refusal({ errors, detail }: Answered): ReplayRefused {
  return new ReplayRefused(errors?.[0]?.message ?? detail ?? 'The server refused it.');
}
