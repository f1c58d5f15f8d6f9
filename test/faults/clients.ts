import { expect, vi } from 'vitest';
import { APP, POSTS } from '../support/world.js';

/** Clients of a server whose database fails. */

const CLIENTS = 4;
const LOOKUP_SIZE = 100;

const USER_TOKEN = 'alice-token';

/** The token of alice, with which the clients post, as a world file has it. */
export const CLIENT_TOKEN = {
  app: APP.id,
  user: 'alice',
  kind: 'oauth2',
  access_token: USER_TOKEN,
  scopes: ['tweet.read', 'tweet.write', 'users.read'],
} as const;

/** Sends requests over several clients, each as soon as the last was answered, until stopped. */
export function clients(url: string, send: (url: string, n: number) => Promise<Response>) {
  const answers: { readonly status: number; readonly retryAfter: string | null; readonly body: string }[] =
    [];
  let isStopped = false;
  let sent = 0;
  const client = async (): Promise<void> => {
    while (!isStopped) {
      sent += 1;
      const response = await send(url, sent);
      const { status, headers } = response;
      answers.push({ status, retryAfter: headers.get('retry-after'), body: await response.text() });
      if (status === 503) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const done = Promise.all(Array.from({ length: CLIENTS }, client));
  const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
  return {
    answers,
    count,
    hasMore: (status: number, more: number) => {
      const before = count(status);
      return vi.waitFor(() => expect(count(status)).toBeGreaterThan(before + more), { timeout: 20_000 });
    },
    stop: async () => {
      isStopped = true;
      await done;
    },
  };
}

/** Another text each time, since duplicates are refused. */
export const postAbout =
  (topic: string) =>
  (url: string, n: number): Promise<Response> =>
    fetch(`${url}/2/tweets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${USER_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text: `Posted whatever happens, a ${topic}, number ${n}` }),
    });

/** Reads a post that exists. */
export const getPost = (url: string): Promise<Response> =>
  fetch(`${url}/2/tweets/${POSTS.hello}`, { headers: { authorization: `Bearer ${APP.bearer_token}` } });

/** Returns the ids of the posts that do not exist. */
export async function missingOf(url: string, ids: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (let start = 0; start < ids.length; start += LOOKUP_SIZE) {
    const requested = ids.slice(start, start + LOOKUP_SIZE);
    const answer = await fetch(`${url}/2/tweets?ids=${requested.join(',')}`, {
      headers: { authorization: `Bearer ${USER_TOKEN}` },
    });
    const { data = [] } = (await answer.json()) as { data?: { id: string }[] };
    const found = new Set(data.map(({ id }) => id));
    missing.push(...requested.filter((id) => !found.has(id)));
  }
  return missing;
}
