import { type App, buildApp } from '../../src/api/app.js';
import { jsonBody, streamedBody, idField } from '../../src/api/body/body.js';
import type { ApiContext } from '../../src/api/context.js';
import { Answer } from '../../src/http/answer.js';
import { type AnyEndpoint, endpoint } from '../../src/api/endpoint.js';
import type { UsageCap } from '../../src/api/guards.js';
import { withOpenApi } from '../../src/api/openapi.js';
import { postFieldParams } from '../../src/api/params/families.js';
import {
  choiceParam,
  choicesParam,
  idListParam,
  idParam,
  inPath,
  required,
  textParam,
  timestampParam,
  usernameListParam,
} from '../../src/api/params/params.js';
import { pageParams } from '../../src/api/paged-endpoint.js';
import { dataSchema, pageSchema, singleSchema } from '../../src/api/schemas/envelopes.js';
import type { Authenticator } from '../../src/auth/authenticate.js';
import { createRateLimiter } from '../../src/limits/rate-limit.js';
import type { Permission, Principal, Scope } from '../../src/core/access.js';
import type { Clock } from '../../src/core/clock.js';
import { PipitError, forbidden, resourceNotFound } from '../../src/core/errors.js';
import type { AppId, PostId, UserId } from '../../src/core/ids.js';
import * as v from '../../src/core/validators.js';

/** A catalogue with one endpoint per feature, and a server for it that needs no database. */

export const OWN_ID = '7';
export const NOW_MS = Date.UTC(2022, 1, 1);

const app = {
  id: 1n as AppId,
  name: 'test',
  clientId: 'client-1',
  accessLevel: 'elevated',
  track: 'academic_research',
  permissions: 'read_write',
} as const;
const essentialApp = { ...app, accessLevel: 'essential' } as const;
const userId = BigInt(OWN_ID) as UserId;

function oauth2(scopes: readonly Scope[], permission: Permission = 'read_write'): Principal {
  return { context: 'oauth2', app, userId, permission, scopes: new Set(scopes) };
}

/** Principals by bearer token. */
const principals: Readonly<Record<string, Principal>> = {
  app: { context: 'app', app },
  'essential-app': { context: 'app', app: essentialApp },
  'essential-user': {
    context: 'oauth2',
    app: essentialApp,
    userId,
    permission: 'read_write',
    scopes: new Set(),
  },
  'standard-app': { context: 'app', app: { ...app, track: 'standard' } },
  user: oauth2(['tweet.read', 'tweet.write']),
  reader: oauth2(['tweet.read']),
  'user-of-reading-app': oauth2(['tweet.read', 'tweet.write'], 'read'),
  signed: { context: 'oauth1', app, userId, permission: 'read_write' },
  'signed-reader': { context: 'oauth1', app, userId, permission: 'read' },
};

/** Returns the authorization header for one of the principals above. */
export function as(name: string): Record<string, string> {
  return { authorization: `Bearer ${name}` };
}

const authenticator: Authenticator = {
  authenticate: async ({ headers }) => {
    const principal = principals[headers.authorization?.replace('Bearer ', '') ?? ''];
    if (principal === undefined) throw new PipitError({ code: 'unauthorized' });
    return principal;
  },
};

const users = { contexts: ['oauth1', 'oauth2'], scopes: ['tweet.read', 'tweet.write'] } as const;

const getThing = endpoint({
  operationId: 'getThing',
  tag: 'Things',
  summary: 'One thing',
  method: 'GET',
  path: '/2/things/{id}',
  access: { contexts: ['app', 'oauth1', 'oauth2'], scopes: ['tweet.read'] },
  rateLimits: [
    { per: 'app', limit: 300 },
    { per: 'user', limit: 900 },
  ],
  params: { id: inPath(idParam<PostId>('The thing.')), ...postFieldParams },
  response: singleSchema('Tweet'),
  handler: async (_context, { params }) => ({
    data: { id: params.id.toString(), fields: [...params['tweet.fields']] },
  }),
});

const findThings = endpoint({
  operationId: 'findThings',
  tag: 'Things',
  summary: 'Several things',
  method: 'GET',
  path: '/2/things',
  access: { contexts: ['app'], scopes: [] },
  rateLimits: [{ per: 'app', limit: 50 }],
  capped: true,
  params: {
    ids: required(idListParam<PostId>('Things.')),
    usernames: usernameListParam('Owners.'),
    query: textParam('Words.', { max: 8 }),
    start_time: timestampParam('Begin.'),
    exclude: choicesParam(['replies', 'retweets'], 'What to leave out.'),
    shiny: choiceParam(['true', 'false'], undefined, 'Only shiny ones.'),
    ...pageParams({ min: 10, max: 100, default: 10 }),
  },
  response: pageSchema('Tweet'),
  handler: async (_context, { params }) => ({
    data: params.ids.map((id) => ({ id: id.toString() })),
    echo: { ...params, ids: undefined, exclude: [...params.exclude] },
  }),
});

const thingBody = jsonBody(
  v.object({
    text: v.text({ max: 10 }),
    count: v.integer({ min: 5, max: 10 }),
    shiny: v.boolean('Whether it shines.'),
    owner_id: v.required(idField<UserId>('Who owns it.')),
    settings: v.oneOf(['following', 'mentionedUsers']),
    media: v.object({
      media_ids: v.required(v.list(idField(), { min: 1, max: 4 })),
      tags: v.list(v.text({ min: 1, max: 5 }), { min: 0, max: 2 }),
    }),
    attachments: v.list(v.object({ media_id: v.required(idField()) }), { min: 1, max: 1 }),
  }),
  { flat: { media_ids: 'media.media_ids', tags: 'media.tags', media_id: 'attachments.0.media_id' } },
);

const createThing = endpoint({
  operationId: 'createThing',
  tag: 'Things',
  summary: 'Makes a thing',
  method: 'POST',
  path: '/2/things',
  access: { ...users, permission: 'read_write' },
  rateLimits: [{ per: 'user', limit: 50 }],
  body: thingBody,
  success: 201,
  response: dataSchema({ owner_id: { type: 'string' } }),
  handler: async (_context, { body, principal }) => ({
    data: {
      ...body,
      owner_id: body.owner_id.toString(),
      media: body.media && { ...body.media, media_ids: body.media.media_ids.map(String) },
      attachments: body.attachments?.map((each) => each?.media_id.toString()),
      user_id: principal.userId.toString(),
    },
  }),
});

const deleteThing = endpoint({
  operationId: 'deleteThing',
  tag: 'Things',
  summary: 'Ends a thing',
  method: 'DELETE',
  path: '/2/users/{id}/things/{thing_id}',
  access: { ...users, permission: 'read_write', ownId: 'id' },
  rateLimits: [{ per: 'user', limit: 50 }],
  params: { id: inPath(idParam<UserId>('You.')), thing_id: inPath(idParam('The thing.')) },
  response: dataSchema({ deleted: { type: 'boolean' } }),
  handler: async (_context, { params }) => {
    if (params.thing_id === 403n) throw forbidden('You are not authorized to delete this Tweet.');
    if (params.thing_id === 404n) {
      throw resourceNotFound({ resourceType: 'tweet', parameter: 'thing_id', value: '404' });
    }
    if (params.thing_id === 409n) throw new PipitError({ code: 'conflict', detail: 'Already running.' });
    return { data: { deleted: true } };
  },
});

const getArchive = endpoint({
  operationId: 'getArchive',
  tag: 'Archive',
  summary: 'All things',
  method: 'GET',
  path: '/2/archive',
  access: { contexts: ['app'], track: 'academic_research' },
  rateLimits: [{ per: 'app', limit: 30 }],
  handler: async () => ({ data: [] }),
});

const upload = endpoint({
  operationId: 'upload',
  tag: 'Media',
  summary: 'Takes bytes',
  method: 'POST',
  path: '/1.1/media/upload.json',
  access: { contexts: ['oauth1'], permission: 'read_write' },
  body: streamedBody({ 'multipart/form-data': { type: 'object' } }, 1024),
  openQuery: true,
  errorStyle: 'v1',
  success: 202,
  handler: async (_context, { body, rawQuery }) => {
    if (rawQuery === 'command=APPEND') return new Answer(204);
    let size = 0;
    for await (const chunk of body.chunks) size += chunk.length;
    return { size, type: body.contentType };
  },
});

/** Fails in the way its query names. */
const breakThing = endpoint({
  operationId: 'breakThing',
  tag: 'Things',
  summary: 'Never works',
  method: 'GET',
  path: '/2/broken',
  access: 'public',
  params: { how: textParam('In which way.') },
  handler: async (_context, { params }) => {
    if (params.how === undefined) return { data: 'works' };
    throw Object.assign(new Error('select * from secrets'), { name: params.how });
  },
});

export const fakeEndpoints: readonly AnyEndpoint[] = withOpenApi([
  getThing,
  findThings,
  createThing,
  deleteThing,
  getArchive,
  upload,
  breakThing,
]);

/** A fake app with the messages it logs and the ids counted toward its usage cap. */
export interface FakeApp {
  readonly app: App;
  readonly logged: { readonly fields: object; readonly message: string }[];
  readonly cappedIds: string[];
}

/** Builds the app. `capLeft` is the rest of the usage cap; rate limits can be off. */
export function buildFakeApp(
  options: { readonly capLeft?: number; readonly limits?: 'standard' | 'off'; readonly clock?: Clock } = {},
): FakeApp {
  const logged: { fields: object; message: string }[] = [];
  const cappedIds: string[] = [];
  const usageCap: UsageCap = {
    countRequest: () => undefined,
    require: ({ id }) => {
      if (cappedIds.length < (options.capLeft ?? Infinity)) return undefined;
      throw new PipitError({ code: 'usage-capped', accountId: id.toString() });
    },
    record: (_app, postIds) => {
      cappedIds.push(...postIds);
    },
  };
  const { clock = () => NOW_MS } = options;
  return {
    logged,
    cappedIds,
    app: buildApp({
      endpoints: fakeEndpoints,
      plainRoutes: () => [
        {
          method: 'GET',
          path: '/assets/*',
          handler: ({ path }) => new Answer(200, `file ${path['*'] ?? ''}`, { 'content-type': 'text/plain' }),
        },
        {
          method: 'POST',
          path: '/sign-in',
          handler: ({ body }) => new Answer(303, body, { location: '/', 'set-cookie': ['a=1', 'b=2'] }),
        },
      ],
      publicUrl: 'http://pipit.test',
      // The handlers above use no services.
      context: {} as ApiContext,
      authenticator,
      limiter: createRateLimiter({ clock, mode: options.limits ?? 'standard' }),
      usageCap,
      log: { error: (fields, message) => logged.push({ fields, message }) },
      clock,
    }),
  };
}
