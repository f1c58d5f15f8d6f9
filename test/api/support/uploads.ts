import { inject } from '../../support/inject.js';
import { onTestFinished } from 'vitest';
import type { Scope } from '../../../src/core/access.js';
import {
  startTestApp,
  TEST_URL,
  type TestAnswer,
  type TestApp,
  type TestAppOptions,
} from '../../support/app.js';
import { signHeader } from '../../auth/support/sign.js';

type Form = Readonly<Record<string, string | number | Buffer>>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A server for uploads, with OAuth 1.0a in version 1.1 and OAuth 2.0 in version 2. */
export interface Uploads extends TestApp {
  /** Sends a multipart form, by default to `/1.1/media/upload.json`. */
  v1(form: Form, username?: string, path?: string): Promise<TestAnswer>;
  v1Get(query: string, username?: string): Promise<TestAnswer>;
  /** Sends a multipart form to a path below `/2/media/upload`. */
  v2(path: string, form: Form, username?: string): Promise<TestAnswer>;
  /** Sends a multipart form with an OAuth 2.0 token to any path. */
  form(method: Method, path: string, form: Form, username?: string): Promise<TestAnswer>;
  /** Sends JSON to any path. */
  json(method: Method, path: string, body?: object, username?: string): Promise<TestAnswer>;
  signed(method: Method, path: string, username?: string): Promise<Record<string, string>>;
  /** Uploads media as the user and returns the id; fails the test on error. */
  uploaded(media: Buffer, category?: string, username?: string): Promise<string>;
  /** Returns the bytes and headers of a file by its link. */
  file(url: string, headers?: Record<string, string>, method?: 'GET' | 'HEAD'): Promise<FileAnswer>;
  /** Advances the clock. */
  advance(durationMs: number): void;
  runJobs(): Promise<void>;
}

interface FileAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

export type UploadsOptions = Pick<TestAppOptions, 'world' | 'database' | 'flags' | 'expectsErrors'>;

/** Starts a server that is closed with the test. */
export async function startUploads(options: UploadsOptions = {}): Promise<Uploads> {
  const uploads = await openUploads(options);
  onTestFinished(() => uploads.close());
  return uploads;
}

export async function openUploads(options: UploadsOptions = {}): Promise<Uploads> {
  let nowMs = Date.parse('2022-10-07T22:42:12.000Z');
  let nonce = 0;
  const app = await startTestApp({ ...options, clock: () => nowMs });
  const keys = new Map<string, Awaited<ReturnType<TestApp['oauth1']>>>();
  const tokens = new Map<string, string>();
  const tokenOf = async (username: string, scopes?: readonly Scope[]): Promise<string> => {
    const token = tokens.get(username) ?? (await app.as(username, scopes));
    tokens.set(username, token);
    return token;
  };
  const signed: Uploads['signed'] = async (method, path, username = 'alice') => {
    const key = keys.get(username) ?? (await app.oauth1(username));
    keys.set(username, key);
    const authorization = signHeader({
      method,
      url: TEST_URL + path,
      consumerKey: key.appKey,
      consumerSecret: key.appSecret,
      token: key.accessToken,
      tokenSecret: key.accessSecret,
      timestampSeconds: Math.floor(nowMs / 1000),
      nonce: String((nonce += 1)),
    });
    return { host: new URL(TEST_URL).host, authorization };
  };
  const json: Uploads['json'] = async (method, url, body, username = 'alice') => {
    const authorization = `Bearer ${await tokenOf(username)}`;
    return app.request({ method, url, headers: { authorization }, payload: body });
  };
  const v1: Uploads['v1'] = async (form, username, path = '/1.1/media/upload.json') => {
    const { headers, payload } = await multipart(form);
    return app.request({
      method: 'POST',
      url: path,
      headers: { ...headers, ...(await signed('POST', path, username)) },
      payload,
    });
  };
  const sendForm: Uploads['form'] = async (method, url, form, username = 'alice') => {
    const { headers, payload } = await multipart(form);
    const authorization = `Bearer ${await tokenOf(username)}`;
    return app.request({ method, url, headers: { ...headers, authorization }, payload });
  };
  return {
    ...app,
    signed,
    json,
    v1,
    v1Get: async (query, username) => {
      const url = `/1.1/media/upload.json?${query}`;
      return app.request({ method: 'GET', url, headers: await signed('GET', url, username) });
    },
    form: sendForm,
    v2: (path, form, username) => sendForm('POST', `/2/media/upload${path}`, form, username),
    uploaded: async (media, category, username) => {
      const answer = await v1({ ...(category && { media_category: category }), media }, username);
      if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body.media_id_string as string;
    },
    file: async (url, headers, method = 'GET') => {
      const answer = await inject(app.pipit.app, { method, url: new URL(url).pathname, headers });
      return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
    },
    advance: (durationMs) => {
      nowMs += durationMs;
      // OAuth 2.0 tokens expire after two hours.
      tokens.clear();
    },
    runJobs: () => app.pipit.jobs.worker.runDue(),
  };
}

async function multipart(form: Form): Promise<{ headers: Record<string, string>; payload: Buffer }> {
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) {
    if (value instanceof Buffer) data.append(name, new Blob([new Uint8Array(value)]), 'file');
    else data.append(name, String(value));
  }
  const encoded = new Response(data);
  const payload = Buffer.from(await encoded.arrayBuffer());
  return { headers: { 'content-type': encoded.headers.get('content-type') ?? '' }, payload };
}

/** Creates a post with media as their uploader. */
export function postWith(
  uploads: Uploads,
  mediaIds: readonly string[],
  username = 'alice',
  text = `With media ${mediaIds.join()}`,
): Promise<TestAnswer> {
  return uploads.json('POST', '/2/tweets', { text, media: { media_ids: mediaIds } }, username);
}

/** The media fields that tests compare, as a query parameter. */
export const MEDIA_FIELDS = 'media.fields=url,width,height,alt_text,duration_ms,preview_image_url,variants';

/** Reads media by key with these fields. */
export async function mediaOf(uploads: Uploads, key: string, username = 'alice') {
  return (await uploads.json('GET', `/2/media/${key}?${MEDIA_FIELDS}`, undefined, username)).body;
}
