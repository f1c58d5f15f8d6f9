import type { Principal } from '../core/access.js';
import { invalidRequest, PipitError } from '../core/errors.js';
import type { Page, PageRequest } from '../core/page.js';
import { withMembers } from '../core/with-members.js';
import type { PageTokens } from './page-tokens.js';
import type { Envelope } from '../views/includes.js';

/** The context of a page token: an operation, a caller and parameter values (docs/api/requests.md#paging). */
interface PageCall {
  readonly operationId: string;
  readonly principal: Principal;
  readonly params: Readonly<Record<string, unknown>>;
}

export type Paging = ReturnType<typeof createPaging>;

/** Opens the tokens of calls and seals those of answers. */
export function createPaging(pageTokens: PageTokens) {
  return {
    /** Throws PipitError `invalid-request` for a token of another operation, caller or filter. */
    open: (call: PageCall): PageRequest => {
      const limit = call.params['max_results'] as number;
      const sent = sentToken(call.params);
      if (!sent) return { limit };
      const [name, token] = sent;
      const cursor = pageTokens.open(token, scopeOf(call));
      if (cursor) return { limit, cursor };
      throw invalidRequest(name, [token], `The \`${name}\` query parameter value [${token}] is not valid`);
    },
    /** Returns `meta.next_token` and `meta.previous_token` for the pages that exist. */
    tokens: (call: PageCall, { next, previous }: Pick<Page<unknown>, 'next' | 'previous'>) => {
      const scope = next || previous ? scopeOf(call) : '';
      return {
        ...(next && { next_token: pageTokens.seal(next, scope) }),
        ...(previous && { previous_token: pageTokens.seal(previous, scope) }),
      };
    },
  };
}

const TOKEN_NAMES = ['pagination_token', 'next_token'] as const;

function sentToken(params: PageCall['params']): readonly [name: string, token: string] | undefined {
  const [first, second] = TOKEN_NAMES.flatMap((name) => {
    const value = params[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  if (!first || !second) return first;
  const parameters = { [first[0]]: [first[1]], [second[0]]: [second[1]] };
  const message = 'Only one of `next_token` or `pagination_token` may be sent';
  throw new PipitError({ code: 'invalid-request', violations: [{ parameters, message }] });
}

/** Parameters that may change between pages: the page size and the presentation. */
const FREE_NAMES: ReadonlySet<string> = new Set([
  'max_results',
  'pagination_token',
  'next_token',
  'expansions',
]);

/** Returns the context as JSON. Each page needs it, so it is written without a list of all parameters. */
function scopeOf({ operationId, principal, params }: PageCall): string {
  const caller = principal.context === 'app' ? `app ${principal.app.id}` : `user ${principal.userId}`;
  let scope = `["${operationId}","${caller}"`;
  for (const name in params) {
    const value = params[name];
    if (value === undefined || FREE_NAMES.has(name) || name.endsWith('.fields')) continue;
    scope += `,["${name}",${JSON.stringify(asText(value))}]`;
  }
  return `${scope}]`;
}

function asText(value: unknown): string {
  return value instanceof Set ? [...value].map(String).sort().join() : String(value);
}

/**
 * Returns the answer with a page's `meta` (docs/api/requests.md#meta): the number of shown results, which may be
 * fewer than were found; with `withIds` the newest and oldest ids; and the tokens.
 */
export function withPageMeta(
  envelope: Envelope<readonly unknown[]>,
  tokens: ReturnType<Paging['tokens']>,
  { withIds = false }: { readonly withIds?: boolean } = {},
): Envelope<readonly unknown[]> {
  const { data = [] } = envelope;
  const meta = { result_count: data.length, ...(withIds ? idsOf(data) : {}), ...envelope.meta, ...tokens };
  return withMembers(envelope, { meta });
}

function idsOf(data: readonly unknown[]): { newest_id?: string; oldest_id?: string } {
  if (data.length === 0) return {};
  let newest = idOf(data[0]);
  let oldest = newest;
  for (const item of data) {
    const id = idOf(item);
    if (isNewer(id, newest)) newest = id;
    if (isNewer(oldest, id)) oldest = id;
  }
  return { newest_id: newest, oldest_id: oldest };
}

const idOf = (item: unknown): string => (item as { readonly id: string }).id;

/** Ids are decimal numbers without leading zeros, so a longer one is greater. */
function isNewer(one: string, other: string): boolean {
  return one.length === other.length ? one > other : one.length > other.length;
}
