import type { AnyEndpoint } from '../../../src/api/endpoint.js';
import { pairConversation } from '../../../src/core/direct-message.js';
import type { UserId } from '../../../src/core/ids.js';

/** Values for the URLs of endpoints. */
export interface UrlWorld {
  readonly postIds: readonly string[];
  readonly userIds: readonly string[];
  readonly usernames: readonly string[];
  readonly dmEventIds: readonly string[];
  /** The caller, for paths about one’s own account. */
  readonly ownId: string;
}

/** Values of path and query parameters by name, for one call. */
export type CallValues = Readonly<Record<string, string>>;

/** Metrics of one’s own posts; requesting them for other posts returns an error instead of the post. */
const PRIVATE_FIELD = /^(non_public|organic|promoted)_metrics$/;

/**
 * Returns URLs that reach everything in `world` through an endpoint, each with all its fields and expansions.
 * `ways` replace the derived calls. Throws for an endpoint whose parameters are unknown and that has no
 * `ways`.
 */
export function urlsOf(endpoint: AnyEndpoint, world: UrlWorld, ways: readonly CallValues[] = []): string[] {
  const calls = ways.length > 0 ? ways : callsOf(endpoint, world);
  return calls.map((values) => urlOf(endpoint, { ...everything(endpoint), ...values }));
}

function callsOf(endpoint: AnyEndpoint, world: UrlWorld): CallValues[] {
  return neededNames(endpoint).reduce<CallValues[]>(
    (calls, name) => {
      const values = valuesOf(endpoint, name, world);
      return calls.flatMap((call) => values.map((value) => ({ ...call, [name]: value })));
    },
    [{}],
  );
}

function neededNames({ params = {}, exactlyOneOf = [] }: AnyEndpoint): string[] {
  const required = Object.entries(params).flatMap(([name, spec]) => (spec.required ? [name] : []));
  return [...required, ...exactlyOneOf.slice(0, 1)];
}

function valuesOf(
  { operationId, access, path }: AnyEndpoint,
  name: string,
  world: UrlWorld,
): readonly string[] {
  if (access !== 'public' && access.ownId === name) return [world.ownId];
  switch (`${path.split('/')[2]} ${name}`) {
    case 'tweets id':
      return world.postIds;
    case 'tweets ids':
      return [world.postIds.join()];
    case 'users id':
      return world.userIds;
    case 'users ids':
      return [world.userIds.join()];
    case 'users username':
      return world.usernames;
    case 'users usernames':
      return [world.usernames.join()];
    case 'dm_conversations participant_id':
      return world.userIds;
    case 'dm_conversations dm_conversation_id':
      return world.userIds.map((id) => pairConversation(asUser(world.ownId), asUser(id)).id);
    case 'dm_events event_id':
      return world.dmEventIds;
    default:
      throw new Error(`say how to call ${operationId}: nothing is known about its parameter ${name}`);
  }
}

function asUser(id: string): UserId {
  return BigInt(id) as UserId;
}

/** Selects all fields and expansions. */
function everything({ params = {} }: AnyEndpoint): CallValues {
  const choices = Object.entries(params).filter(([name]) => /^expansions$|\.fields$/.test(name));
  return Object.fromEntries(
    choices.map(([name, { schema }]) => {
      const { enum: values } = schema['items'] as { readonly enum: readonly string[] };
      return [name, values.filter((value) => !PRIVATE_FIELD.test(value)).join()];
    }),
  );
}

function urlOf({ path }: AnyEndpoint, values: CallValues): string {
  const isInPath = (name: string): boolean => path.includes(`{${name}}`);
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = Object.entries(values).filter(([name]) => !isInPath(name));
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(Object.fromEntries(query))}`;
}
