import { WireJson } from '../core/wire-json.js';
import type { Envelope } from './includes.js';
import type { PartialError } from './present/partial-errors.js';

/**
 * The names that newer clients know by others: of parameters, of what they choose, of members of objects and of
 * `includes`. Answers use the first of the newer names (docs/api/objects.md#vocabularies).
 */
const NEWER_NAMES = new Map<string, readonly [string, ...string[]]>([
  ['edit_history_tweet_ids', ['edit_history_post_ids']],
  ['most_recent_tweet_id', ['most_recent_post_id']],
  ['note_tweet', ['note_post']],
  ['pinned_tweet_id', ['pinned_post_id']],
  ['referenced_tweets', ['referenced_posts']],
  ['referenced_tweets.id', ['referenced_posts.id', 'referenced_posts']],
  ['referenced_tweets.id.author_id', ['referenced_posts.id.author_id']],
  ['tweet.fields', ['post.fields']],
  ['tweets', ['posts']],
]);

/** Returns the newer names of what older requests call `name`, none if it has no other. */
export function newerNamesOf(name: string): readonly string[] {
  return NEWER_NAMES.get(name) ?? [];
}

/** Returns what answers in the newer names call `name`. */
export function newerNameOf(name: string): string {
  return NEWER_NAMES.get(name)?.[0] ?? name;
}

/** Returns an answer in the newer names. Texts and ids stay as they are. */
export function inNewerNames<T>(answer: Envelope<T>): Envelope<unknown> {
  const { data, includes, errors } = answer;
  return {
    ...answer,
    ...(data !== undefined && { data: Array.isArray(data) ? data.map(newerObject) : newerObject(data) }),
    ...(includes && { includes: newerIncludes(includes) }),
    ...(errors && { errors: errors.map(newerError) }),
  };
}

function newerIncludes(includes: NonNullable<Envelope<never>['includes']>): object {
  const buckets = Object.entries(includes).map(([name, objects]) => [
    newerNameOf(name),
    objects.map(newerObject),
  ]);
  return Object.fromEntries(buckets) as object;
}

/** An error that an expansion caused names it in `parameter` and in its text. */
function newerError(error: PartialError): PartialError {
  const parameter = newerNameOf(error.parameter);
  if (parameter === error.parameter) return error;
  return {
    ...error,
    parameter,
    detail: error.detail.replace(`with ${error.parameter}`, `with ${parameter}`),
  };
}

/** Where the JSON of an object holds its JSON in the newer names. */
const NEWER = Symbol('newer');

type Renamed = WireJson & { [NEWER]?: WireJson };

/**
 * Returns an object in the newer names. The result is kept with the JSON that was given: requests in turn in
 * both vocabularies discard nothing of each other.
 */
function newerObject<T>(object: T): T | object {
  if (!(object instanceof WireJson)) return newerMembers(object as object);
  const wire: Renamed = object;
  return (wire[NEWER] ??= newerJson(wire));
}

function newerJson(wire: WireJson): WireJson {
  const json = JSON.stringify(newerMembers(JSON.parse(wire.json) as object));
  return json === wire.json ? wire : new WireJson(wire.id, json);
}

/** The members that hold another object of the interface. */
const HOLDERS: ReadonlySet<string> = new Set(['last_event']);

/**
 * Renames the members of an object and of the objects of the interface in it, not those of other values: imported ones
 * may have any names.
 */
function newerMembers(object: object): object {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      newerNameOf(name),
      HOLDERS.has(name) ? newerMembers(value as object) : (value as unknown),
    ]),
  ) as object;
}
