import { RATE_WINDOW_SECONDS } from '../limits/rate-limit.js';
import { SCOPES, type Context } from '../core/access.js';
import type { JsonSchema } from '../core/json-schema.js';
import { type BodySpec } from './body/body.js';
import { Answer } from '../http/answer.js';
import { type AnyEndpoint, endpoint } from './endpoint.js';
import { API_VERSION } from '../http/exchange.js';
import { headerComponents, responseComponents, responsesOf } from './openapi-responses.js';
import type { ParamSpec } from './params/params.js';
import { shownParams } from './params/shown-params.js';
import { JSON_TYPE } from '../http/problems.js';
import { components } from './schemas/components.js';

/** The security scheme of each context. */
const SCHEME: Readonly<Record<Context, string>> = {
  app: 'BearerToken',
  oauth1: 'UserToken',
  oauth2: 'OAuth2UserToken',
};

/** What an OpenAPI document says about the whole interface. */
interface About {
  readonly title: string;
  readonly description: string;
}

const ABOUT_PIPIT: About = {
  title: 'Pipit',
  description: 'A self-hosted short-message network whose interface is the X API v2.',
};

/** Returns the OpenAPI 3.0 document of a catalogue, generated from its declarations only. */
export function openApiDocument(endpoints: readonly AnyEndpoint[], about = ABOUT_PIPIT): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const each of endpoints) {
    (paths[each.path] ??= {})[each.method.toLowerCase()] = operation(each);
  }
  return {
    openapi: '3.0.3',
    info: { ...about, version: API_VERSION },
    servers: [{ url: '/' }],
    tags: [...new Set(endpoints.map((each) => each.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components,
      responses: responseComponents(),
      headers: headerComponents(),
      securitySchemes: securitySchemes(),
    },
  };
}

function operation(each: AnyEndpoint): JsonSchema {
  const { access } = each;
  return {
    operationId: each.operationId,
    tags: [each.tag],
    summary: each.summary,
    security: access === 'public' ? [] : security(each),
    parameters: shownParams(each.params ?? {}).map(([name, spec]) => parameter(name, spec)),
    ...bodyOf(each),
    responses: responsesOf(each),
    'x-rate-limits': (each.rateLimits ?? []).map((limit) => ({
      windowSeconds: RATE_WINDOW_SECONDS,
      ...limit,
    })),
    'x-counts-toward-cap': each.capped === true,
    ...(access !== 'public' && access.track !== undefined ? { 'x-required-track': access.track } : {}),
    ...(access !== 'public' && access.levels !== undefined ? { 'x-required-levels': access.levels } : {}),
    ...(access !== 'public' && access.permission !== undefined
      ? { 'x-required-permission': access.permission }
      : {}),
  };
}

function security({ access }: AnyEndpoint): JsonSchema[] {
  if (access === 'public') return [];
  return access.contexts.map((context) => ({
    [SCHEME[context]]: context === 'oauth2' ? (access.scopes ?? []) : [],
  }));
}

function parameter(name: string, spec: ParamSpec<unknown>): JsonSchema {
  return {
    name,
    in: spec.in,
    required: spec.required,
    description: spec.description,
    schema: spec.schema,
    ...(spec.schema['type'] === 'array'
      ? { style: spec.in === 'path' ? 'simple' : 'form', explode: false }
      : {}),
  };
}

function bodyOf({ body, formParams, method, params = {} }: AnyEndpoint): JsonSchema {
  if (body !== undefined) return { requestBody: requestBody(body) };
  if (formParams !== true || method === 'GET') return {};
  const members = Object.entries(params).filter(([, spec]) => spec.in === 'query');
  const properties = Object.fromEntries(members.map(([name, { schema }]) => [name, schema]));
  const schema = { type: 'object', properties };
  return { requestBody: { content: { 'application/x-www-form-urlencoded': { schema } } } };
}

function requestBody(body: BodySpec<unknown>): JsonSchema {
  const content =
    body.kind === 'streamed'
      ? Object.fromEntries(Object.entries(body.content).map(([type, schema]) => [type, { schema }]))
      : { 'application/json': { schema: withFlatNames(body.object.schema, body.flat) } };
  return { content, required: true };
}

/** Adds the flat names of nested fields as separate members. */
function withFlatNames(schema: JsonSchema, flat: Readonly<Record<string, string>>): JsonSchema {
  const names = Object.entries(flat);
  if (names.length === 0) return schema;
  const members = names.map(([name, target]) => [
    name,
    { ...fieldAt(schema, target), description: `The same as \`${target}\`.` },
  ]);
  return {
    ...schema,
    properties: { ...(schema['properties'] as JsonSchema), ...Object.fromEntries(members) },
  };
}

/** Returns the schema of a nested field; numeric steps enter a list. */
export function fieldAt(schema: JsonSchema, target: string): JsonSchema {
  return target.split('.').reduce<JsonSchema>((node, step) => {
    const next = /^\d+$/.test(step) ? node['items'] : (node['properties'] as JsonSchema | undefined)?.[step];
    return (next ?? {}) as JsonSchema;
  }, schema);
}

function securitySchemes(): JsonSchema {
  return {
    BearerToken: { type: 'http', scheme: 'bearer', description: 'The bearer token of an app.' },
    OAuth2UserToken: {
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: '/i/oauth2/authorize',
          tokenUrl: '/2/oauth2/token',
          refreshUrl: '/2/oauth2/token',
          scopes: Object.fromEntries(SCOPES.map((scope) => [scope, `Use of ${scope}.`])),
        },
      },
    },
    UserToken: {
      type: 'http',
      scheme: 'OAuth',
      description: 'OAuth 1.0a: the request signed with the keys of an app and of a user.',
    },
  };
}

type DocumentSpec = Pick<AnyEndpoint, 'operationId' | 'tag' | 'summary' | 'path'> & { readonly about: About };

const PIPIT_DOCUMENT: DocumentSpec = {
  operationId: 'getOpenApiSpec',
  tag: 'General',
  summary: 'The OpenAPI document of this server',
  path: '/2/openapi.json',
  about: ABOUT_PIPIT,
};

/** Appends the endpoint that serves the OpenAPI document, which includes itself. */
export function withOpenApi(
  endpoints: readonly AnyEndpoint[],
  { about, ...spec } = PIPIT_DOCUMENT,
): readonly AnyEndpoint[] {
  // Made at its first request: a start is faster without it.
  let answer: Answer | undefined;
  const getOpenApi: AnyEndpoint = endpoint({
    ...spec,
    access: 'public',
    response: { type: 'object' },
    handler: async () => (answer ??= documentAnswer(all, about)),
  });
  const all = [...endpoints, getOpenApi];
  return all;
}

function documentAnswer(endpoints: readonly AnyEndpoint[], about: About): Answer {
  const document = Buffer.from(JSON.stringify(openApiDocument(endpoints, about)));
  return new Answer(200, document, { 'content-type': JSON_TYPE });
}
