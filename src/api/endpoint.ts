import type { IncomingHttpHeaders } from 'node:http';
import type { RateLimit } from '../limits/rate-limit.js';
import type { AccessLevel, Context, Permission, Principal, Track } from '../core/access.js';
import type { JsonSchema } from '../core/json-schema.js';
import type { Scope } from '../core/scope.js';
import type { BodySpec, BodyValue } from './body/body.js';
import type { ApiContext } from './context.js';
import type { Method } from '../http/shell.js';
import type { ParamMap, ParamValues } from './params/params.js';

/** Who may call an endpoint that is not public. */
export interface CredentialRules {
  readonly contexts: readonly Context[];
  /** All of them, of an OAuth 2.0 user token (docs/api/authentication.md#scopes). */
  readonly scopes?: readonly Scope[];
  /** Of the app and, with OAuth 1.0a, of the token too (docs/api/authentication.md#permissions, docs/api/authentication.md#permissions). Default read. */
  readonly permission?: Permission;
  /** The path parameter that must be the authenticated user's own id (docs/api/errors.md#order-of-checks). */
  readonly ownId?: string;
  /** Only apps of this track (docs/api/authentication.md#levels-and-tracks). */
  readonly track?: Track;
  /** Only apps of these levels (docs/api/authentication.md#levels-and-tracks, rules 2 and 3). */
  readonly levels?: readonly AccessLevel[];
}

export type Access = 'public' | CredentialRules;

/** The principals that an access rule lets through: a user's when the contexts exclude `app`, none when public. */
type PrincipalOf<A> = A extends { readonly contexts: readonly (infer C)[] }
  ? Extract<Principal, { context: C }>
  : undefined;

/** One request as its handler sees it: authenticated, within limits, and valid. */
export interface Call<A, P extends ParamMap, B> {
  readonly principal: PrincipalOf<A>;
  readonly params: ParamValues<P>;
  readonly body: BodyValue<B>;
  /** As sent, without the question mark. */
  readonly rawQuery: string;
  /** The texts of the path's parameters, as sent. */
  readonly rawPath: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** The value of `x-transaction-id`; for logs. */
  readonly requestId: string;
}

/** An endpoint as data: route, guards, validation, documentation and tests all come from it (ARCHITECTURE.md). */
export interface EndpointSpec<A extends Access, P extends ParamMap, B extends BodySpec<unknown> | undefined> {
  /** Unique; names the endpoint in OpenAPI, logs and rate limits. */
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly method: Method;
  /** With placeholders, as `/2/tweets/{id}`; each is declared in `params` by `inPath`. */
  readonly path: string;
  readonly access: A;
  /** Per window; the windows of `app` count app-only calls, those of `user` calls for a user. */
  readonly rateLimits?: readonly RateLimit[];
  /** Posts in `data` count toward the project's cap (docs/api/limits.md#sizes). */
  readonly capped?: boolean;
  readonly params?: P;
  /** Unknown and repeated query parameters are left to the handler (`rawQuery`); for v1.1 endpoints. */
  readonly openQuery?: boolean;
  /** Query parameters of which exactly one must be sent (docs/api/limits.md#sizes, docs/api/spaces.md); examples use the first. */
  readonly exactlyOneOf?: readonly string[];
  readonly body?: B;
  /** Shape of error bodies: problems, or the older code-and-message lists. Default problem. */
  readonly errorStyle?: 'problem' | 'v1';
  /** Default 200. */
  readonly success?: number;
  /** Further statuses of success, with the same body; 204 has none. */
  readonly otherSuccesses?: readonly number[];
  /** May refuse with 409. */
  readonly conflicts?: true;
  /** Schema of the successful body; absent when there is none. */
  readonly response?: JsonSchema;
  /** Returns the body, or an `Answer` when status or headers vary. Throws PipitError for refusals. */
  handler(context: ApiContext, call: Call<A, P, B>): Promise<unknown>;
}

export type AnyEndpoint = EndpointSpec<Access, ParamMap, BodySpec<unknown> | undefined>;

/** Declares an endpoint; the types of the handler's `call` follow from the declaration. */
export function endpoint<
  const A extends Access,
  P extends ParamMap = Record<never, never>,
  B extends BodySpec<unknown> | undefined = undefined,
>(spec: EndpointSpec<A, P, B>): EndpointSpec<A, P, B> {
  return spec;
}
