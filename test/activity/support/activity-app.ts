import { expect } from 'vitest';
import type { UserId, WebhookId } from '../../../src/core/ids.js';
import { listRecentDeliveries } from '../../../src/stores/webhook-deliveries.js';
import { startReceiver, type Received, type Receiver } from '../../webhooks/support/receiver.js';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/app.js';
import type { LooseJson } from '../../support/loose-json.js';
import { APP, USERS, type Username } from '../../support/world.js';

/** A server with an app that receives activity. */
export interface ActivityApp extends AsyncDisposable {
  readonly app: TestApp;
  /** The server of the app that receives activity. */
  readonly receiver: Receiver;
  /** An OAuth 2.0 token of a user with every scope. */
  token(username: Username): Promise<string>;
  /** Subscribes to a kind of activity of a user: as that user with `isOwn`, otherwise as the app. */
  subscribe(type: string, username: Username, more?: SubscribeOptions): Promise<string>;
  /** Makes a request as a user, which must succeed, and returns `data`. */
  act(username: Username, method: 'POST' | 'DELETE' | 'PUT', path: string, body?: object): Promise<LooseJson>;
  post(username: Username, text: string, more?: object): Promise<string>;
  like(username: Username, post: string): Promise<unknown>;
  repost(username: Username, post: string): Promise<unknown>;
  relate(username: Username, kind: RelationKind, target: Username): Promise<unknown>;
  unrelate(username: Username, kind: RelationKind, target: Username): Promise<unknown>;
  idOf(username: Username): UserId;
  /** The webhook of the app, to which subscriptions deliver. */
  readonly webhookId: string;
  /** Returns what the webhook received since the last call, in the order in which it happened. */
  received(): Promise<LooseJson[]>;
  /** Returns the same of the events of subscriptions. */
  events(): Promise<LooseJson[]>;
  /** Returns the last message that the webhook received. */
  last(): Received;
  close(): Promise<void>;
}

/** More than any test has. */
const MAX_DELIVERIES = 1_000;

type RelationKind = 'following' | 'muting' | 'blocking';

interface SubscribeOptions {
  readonly isOwn?: boolean;
  readonly by?: Username;
  readonly direction?: 'inbound' | 'outbound';
  readonly tag?: string;
}

export async function startActivityApp(options: TestAppOptions = {}): Promise<ActivityApp> {
  const receiver = await startReceiver(APP.api_secret);
  const app = await startTestApp({
    ...options,
    flags: { ...options.flags, webhooksTo: [`127.0.0.1:${receiver.port}`] },
  });
  const registered = await app.post('/2/webhooks', app.bearer, { url: receiver.url() });
  expect(registered.status, JSON.stringify(registered.body)).toBe(200);
  const webhookId = registered.body.data.id as string;
  const tokens = new Map<Username, string>();
  const token = async (username: Username): Promise<string> => {
    const held = tokens.get(username) ?? (await app.as(username));
    tokens.set(username, held);
    return held;
  };
  const act: ActivityApp['act'] = async (username, method, path, payload) => {
    const headers = { authorization: `Bearer ${await token(username)}` };
    const { status, body } = await app.request({ method, url: path, headers, payload });
    expect([200, 201], `${path} ${JSON.stringify(body)}`).toContain(status);
    return body.data as LooseJson;
  };
  const subscribe: ActivityApp['subscribe'] = async (type, username, options = {}) => {
    const { isOwn = false, by, direction, tag } = options;
    const caller = isOwn ? username : by;
    const bearer = caller === undefined ? app.bearer : await token(caller);
    const filter = { user_id: USERS[username], direction };
    const sent = { event_type: type, filter, tag, webhook_id: webhookId };
    const { status, body } = await app.post('/2/activity/subscriptions', bearer, sent);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data.subscription.subscription_id as string;
  };
  const idOf = (username: Username): UserId => BigInt(USERS[username]) as UserId;
  let seen = 0;
  const received = async (): Promise<LooseJson[]> => {
    await app.pipit.webhooks.runDue();
    const { engine } = app.pipit.backend;
    const stored = await listRecentDeliveries(engine, BigInt(webhookId) as WebhookId, MAX_DELIVERIES);
    const order = stored.map(({ body }) => body).reverse();
    const texts = receiver.received.slice(seen).map(({ text }) => text);
    seen = receiver.received.length;
    return texts
      .sort((one, other) => order.indexOf(one) - order.indexOf(other))
      .map((text) => JSON.parse(text) as LooseJson);
  };
  const close = async (): Promise<void> => {
    await app.close();
    await receiver.close();
  };
  return {
    app,
    receiver,
    token,
    act,
    post: async (username, text, more = {}) =>
      (await act(username, 'POST', '/2/tweets', { text, ...more })).id as string,
    subscribe,
    like: (username, post) => act(username, 'POST', `/2/users/${USERS[username]}/likes`, { tweet_id: post }),
    repost: (username, post) =>
      act(username, 'POST', `/2/users/${USERS[username]}/retweets`, { tweet_id: post }),
    relate: (username, kind, target) =>
      act(username, 'POST', `/2/users/${USERS[username]}/${kind}`, { target_user_id: USERS[target] }),
    unrelate: (username, kind, target) =>
      act(username, 'DELETE', `/2/users/${USERS[username]}/${kind}/${USERS[target]}`),
    idOf,
    webhookId,
    last: () => receiver.received.at(-1) ?? expect.fail('nothing was received'),
    received,
    events: async () => (await received()).map(({ data }) => data as LooseJson),
    close,
    [Symbol.asyncDispose]: close,
  };
}
