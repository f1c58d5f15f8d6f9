import type { IncomingHttpHeaders } from 'node:http';
import type { RateLimit } from '../limits/rate-limit.js';
import type { AccessLevel, Context, Permission, Principal, Track, Scope } from '../core/access.js';
import type { JsonSchema } from '../core/json-schema.js';
import type { BodySpec, BodyValue } from './body/body.js';
import type { ApiContext } from './context.js';
import type { Method } from '../http/shell.js';
import type { ParamMap, ParamValues } from './params/params.js';

/** The credentials that an endpoint requires. */
export interface CredentialRules {
  readonly contexts: readonly Context[];
  /** The required scopes of an OAuth 2.0 user token (docs/api/authentication.md#scopes). */
  readonly scopes?: readonly Scope[];
  /** Scopes of which such a token needs at least one: which one depends on the request, and the handler checks it. */
  readonly anyScope?: readonly Scope[];
  /**
   * The required permission of the app and, with OAuth 1.0a, of the token (docs/api/authentication.md#permissions).
   * Default: read.
   */
  readonly permission?: Permission;
  /** The path parameter that must be the authenticated user's id (docs/api/errors.md#order-of-checks). */
  readonly ownId?: string;
  /** The required track of the app (docs/api/authentication.md#levels-and-tracks). */
  readonly track?: Track;
  /** The allowed access levels of the app (docs/api/authentication.md#levels-and-tracks, rules 2 and 3). */
  readonly levels?: readonly AccessLevel[];
}

export type Access = 'public' | CredentialRules;

/** The type of principals that an access rule allows: users if the contexts exclude `app`, none if public. */
type PrincipalOf<A> = A extends { readonly contexts: readonly (infer C)[] }
  ? Extract<Principal, { context: C }>
  : undefined;

/** A request as its handler receives it: authenticated, within limits, and valid. */
export interface Call<A, P extends ParamMap, B> {
  readonly principal: PrincipalOf<A>;
  readonly params: ParamValues<P>;
  readonly body: BodyValue<B>;
  /** As sent, without the question mark. */
  readonly rawQuery: string;
  /** The path parameters as sent. */
  readonly rawPath: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** The address of the other side, which may be a proxy; absent for a tool. */
  readonly remoteAddress?: string;
  /** The value of `x-transaction-id`, for logs. */
  readonly requestId: string;
}

/** An endpoint as data, the source of route, guards, validation and documentation (ARCHITECTURE.md). */
export interface EndpointSpec<A extends Access, P extends ParamMap, B extends BodySpec<unknown> | undefined> {
  /** Unique; identifies the endpoint in OpenAPI, logs and rate limits. */
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  /** Default GET. */
  readonly method?: Method;
  /** With placeholders, such as `/2/tweets/{id}`; `params` declares each with `inPath`. */
  readonly path: string;
  readonly access: A;
  /** Per window: those of `app` count app-only calls, those of `user` count calls for a user. */
  readonly rateLimits?: readonly RateLimit[];
  /** If true, posts in `data` count toward the project's cap (docs/api/limits.md#sizes). */
  readonly capped?: boolean;
  readonly params?: P;
  /** If true, unknown, repeated and empty query parameters are no faults; for v1.1 endpoints. */
  readonly openQuery?: boolean;
  /** If true, a form body holds parameters too, which win over those of the query; for v1.1 endpoints. */
  readonly formParams?: boolean;
  /**
   * Query parameters of which exactly one is required (docs/api/limits.md#sizes, docs/api/spaces.md); examples use
   * the first.
   */
  readonly exactlyOneOf?: readonly string[];
  readonly body?: B;
  /** The format of error bodies: problems, or v1.1 lists of codes and messages. Default: problem. */
  readonly errorStyle?: 'problem' | 'v1';
  /** Default 200. */
  readonly success?: number;
  /** Further success statuses with the same body; 204 has no body. */
  readonly otherSuccesses?: readonly number[];
  /** If true, this POST removes or replaces something, as PUT and DELETE do (docs/api/mcp.md#tools). */
  readonly removes?: true;
  /** If true, the endpoint answers with the bytes of a file; it is no tool (docs/api/mcp.md#tools). */
  readonly file?: true;
  /** If true, the endpoint may answer 409. */
  readonly conflicts?: true;
  /** If true, the response is a stream of messages without an end (http/message-stream.ts). */
  readonly streams?: true;
  /** If true, the endpoint may answer 422 because a stored number is limited. */
  readonly limitsRules?: true;
  /** The schema of the successful body; absent if there is none. */
  readonly response?: JsonSchema;
  /** Returns the body, or an `Answer` if status or headers vary. Throws PipitError to refuse. */
  handler(context: ApiContext, call: Call<A, P, B>): Promise<unknown>;
}

/** A declared endpoint. */
export type Endpoint<
  A extends Access,
  P extends ParamMap,
  B extends BodySpec<unknown> | undefined,
> = EndpointSpec<A, P, B> & { readonly method: Method };

export type AnyEndpoint = Endpoint<Access, ParamMap, BodySpec<unknown> | undefined>;

/** Declares an endpoint and infers the types of the handler's `call`. */
export function endpoint<
  const A extends Access,
  P extends ParamMap = Record<never, never>,
  B extends BodySpec<unknown> | undefined = undefined,
>(spec: EndpointSpec<A, P, B>): Endpoint<A, P, B> {
  return { method: 'GET', ...spec };
}

/**
 * The scopes of every OAuth 2.0 user token that reads or writes posts or users (docs/api/authentication.md#scopes).
 */
const BASE_SCOPES = ['tweet.read', 'users.read'] as const satisfies readonly Scope[];

const ANYBODY = ['app', 'oauth1', 'oauth2'] as const;
const USERS = ['oauth1', 'oauth2'] as const;

/** Declares access for apps and users; `scopes` are added to `tweet.read` and `users.read`. */
export function publicRead(...scopes: Scope[]) {
  return { contexts: ANYBODY, scopes: [...BASE_SCOPES, ...scopes] } as const;
}

/** Declares access for users only; scopes as for `publicRead`. */
export function userRead(...scopes: Scope[]) {
  return { contexts: USERS, scopes: [...BASE_SCOPES, ...scopes] } as const;
}

/**
 * Declares access for users whose app may write (docs/api/authentication.md#permissions); scopes as for
 * `publicRead`.
 */
export function userWrite(...scopes: Scope[]) {
  return { ...userRead(...scopes), permission: 'read_write' satisfies Permission } as const;
}

/**
 * Declares limits per 15 minutes, as in the tables of docs/api/README.md: for calls with an app's own token, for
 * calls of a user, or both.
 */
export function perQuarterHour(limits: { readonly app?: number; readonly user?: number }): RateLimit[] {
  const { app, user } = limits;
  return [
    ...(app === undefined ? [] : [{ per: 'app', limit: app } as const]),
    ...(user === undefined ? [] : [{ per: 'user', limit: user } as const]),
  ];
}

/** The common limit for posts and reposts of a user through one app (docs/api/posts.md). */
export const POST_BUDGET: RateLimit = {
  per: 'user-of-app',
  limit: 300,
  windowSeconds: 3 * 60 * 60,
  pool: 'posts and reposts',
};

/**
 * Declares a limit of one call per second, in addition to those per 15 minutes (docs/api/limits.md#sizes,
 * docs/api/limits.md#rate-limits).
 */
export const onceASecond = (per: 'app' | 'user'): RateLimit => ({ per, limit: 1, windowSeconds: 1 });
