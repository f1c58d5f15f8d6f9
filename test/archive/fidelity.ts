import { isDeepStrictEqual } from 'node:util';
import type { Seen, WireObject } from './twarc-files.js';

/** A field that the API returns differently than a file. */
export interface Difference {
  readonly field: string;
  readonly inFile: unknown;
  readonly inAnswer: unknown;
  /** The rule that explains it; a difference without a rule is an error. */
  readonly rule?: RuleName;
}

/** Every reason for which a response may differ from a file. */
type RuleName =
  // The files have the object several times; a later sighting, or a fuller one of the same time, won.
  | 'other-sighting'
  // A post from before edits has no history in the file; the API returns its own id.
  | 'own-edit-history'
  // A post from before edits has no controls in the file; the API derives them from its time.
  | 'derived-edit-controls'
  // The file has no picture of the user; the API returns the default one.
  | 'default-picture'
  // The file was fetched without this field; the API returns the default of a post or user.
  | 'not-fetched'
  // A repost shows the current reposts of its original (docs/api/posts.md#replies-quotes-and-reposts).
  | 'original-reposts'
  // The order of references has no meaning and is not kept.
  | 'reference-order'
  // A poll that was open when fetched has ended since.
  | 'closed-by-now'
  // Photos have no preview and other media no url (docs/api/objects.md#media).
  | 'media-view';

/** The context of the comparison of one sighting. */
export interface Surroundings {
  /** Every sighting of the same object in the files, including this one. */
  readonly sightings: readonly Seen[];
  /** For reposts, every sighting of the original. */
  readonly original?: readonly Seen[];
}

/** Compares a post of a file with the API’s response, both with all fields. */
export function comparePost(seen: Seen, answer: WireObject, around: Surroundings): Difference[] {
  return compare(seen, answer, around, plainPost, [
    ownEditHistory,
    derivedEditControls,
    referenceOrder,
    notFetched(POST_DEFAULTS),
    originalReposts,
    otherSighting(plainPost),
  ]);
}

/** Compares a user of a file with the API’s response. */
export function compareUser(seen: Seen, answer: WireObject, around: Surroundings): Difference[] {
  return compare(seen, answer, around, plainUser, [
    defaultPicture,
    notFetched(USER_DEFAULTS),
    otherSighting(plainUser),
  ]);
}

/** Compares media of a file with the API’s response. */
export function compareMedia(seen: Seen, answer: WireObject, around: Surroundings): Difference[] {
  return compare(seen, answer, around, plain, [mediaView, otherSighting(plain)]);
}

/** Compares a poll of a file with the API’s response. */
export function comparePoll(seen: Seen, answer: WireObject, around: Surroundings): Difference[] {
  return compare(seen, answer, around, plain, [closedByNow, otherSighting(plain)]);
}

/** Compares a place of a file with the API’s response. */
export function comparePlace(seen: Seen, answer: WireObject, around: Surroundings): Difference[] {
  return compare(seen, answer, around, plain, [otherSighting(plain)]);
}

function defaultPicture({ field, inFile, inAnswer }: Unexplained): RuleName | false {
  const isDefault = field === 'profile_image_url' && String(inAnswer).includes('/profile_images/');
  return isDefault && inFile === undefined && 'default-picture';
}

type Unexplained = Omit<Difference, 'rule'>;
type Rule = (difference: Unexplained, context: RuleContext) => RuleName | false;

interface RuleContext extends Surroundings {
  readonly seen: Seen;
  readonly file: WireObject;
  readonly answer: WireObject;
}

function compare(
  seen: Seen,
  answer: WireObject,
  around: Surroundings,
  normalize: (object: WireObject) => WireObject,
  rules: readonly Rule[],
): Difference[] {
  const file = normalize(seen.object);
  const context: RuleContext = { ...around, seen, file, answer };
  const fields = new Set([...Object.keys(file), ...Object.keys(answer)]);
  return [...fields]
    .map((field) => ({ field, inFile: file[field], inAnswer: answer[field] }))
    .filter(({ inFile, inAnswer }) => !isDeepStrictEqual(inFile, inAnswer))
    .map((difference) => {
      const rule = rules.map((explain) => explain(difference, context)).find((name) => name !== false);
      return { ...difference, ...(rule && { rule }) };
    });
}

// Objects that flattening added are not part of the object: they return in `includes`.

const plain = (object: WireObject): WireObject => object;

function plainPost(post: WireObject): WireObject {
  return withMembers(without(post, ['author', 'in_reply_to_user', '__twarc', 'type']), {
    attachments: (attachments) => without(attachments, ['media', 'poll']),
    geo: (geo) => only(geo, ['place_id', 'coordinates']),
    entities: (entities) => withMembers(entities, { mentions: eachOf(['start', 'end', 'username', 'id']) }),
    referenced_tweets: eachOf(['type', 'id']),
  });
}

function plainUser(user: WireObject): WireObject {
  return without(user, ['start', 'end', 'pinned_tweet']);
}

function without(object: WireObject, fields: readonly string[]): WireObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}

function only(object: WireObject, fields: readonly string[]): WireObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => fields.includes(field)));
}

type MemberRule = (member: WireObject) => unknown;

function withMembers(object: WireObject, rules: Readonly<Record<string, MemberRule>>): WireObject {
  const members = Object.entries(object).map(([name, member]) => {
    const rule = rules[name];
    return [name, rule ? rule(member as WireObject) : member];
  });
  return Object.fromEntries(members) as WireObject;
}

function eachOf(fields: readonly string[]): MemberRule {
  return (items) => (items as unknown as WireObject[]).map((item) => only(item, fields));
}

// The rules. Each is as narrow as possible.

const ownEditHistory: Rule = ({ field, inFile, inAnswer }, { answer }) =>
  field === 'edit_history_tweet_ids' && inFile === undefined && isDeepStrictEqual(inAnswer, [answer.id])
    ? 'own-edit-history'
    : false;

const derivedEditControls: Rule = ({ field, inFile }, { file }) =>
  field === 'edit_controls' && inFile === undefined && isBeforeEdits(file) ? 'derived-edit-controls' : false;

/** Files from before edits have no history. */
function isBeforeEdits(file: WireObject): boolean {
  return file.edit_history_tweet_ids === undefined || file.conversation_id === undefined;
}

const referenceOrder: Rule = ({ field, inFile, inAnswer }) => {
  if (field !== 'referenced_tweets' || !Array.isArray(inFile) || !Array.isArray(inAnswer)) return false;
  const sorted = (items: unknown[]): string[] => items.map((item) => JSON.stringify(item)).sort();
  return isDeepStrictEqual(sorted(inFile), sorted(inAnswer)) ? 'reference-order' : false;
};

const POST_DEFAULTS: Readonly<Record<string, (answer: WireObject) => unknown>> = {
  conversation_id: (answer) => answer.id,
  lang: () => 'und',
  possibly_sensitive: () => false,
  reply_settings: () => 'everyone',
};

const NO_COUNTS = { followers_count: 0, following_count: 0, tweet_count: 0, listed_count: 0 };
const USER_DEFAULTS: Readonly<Record<string, (answer: WireObject) => unknown>> = {
  protected: () => false,
  verified: () => false,
  verified_type: (answer) => (answer.verified ? 'blue' : 'none'),
  public_metrics: () => NO_COUNTS,
  url: () => '',
};

function notFetched(defaults: typeof POST_DEFAULTS): Rule {
  return ({ field, inFile, inAnswer }, { answer }) => {
    const byDefault = defaults[field];
    return inFile === undefined && byDefault && isDeepStrictEqual(inAnswer, byDefault(answer))
      ? 'not-fetched'
      : false;
  };
}

const originalReposts: Rule = ({ field, inFile, inAnswer }, { original, seen, sightings }) => {
  if (field !== 'public_metrics' || !original) return false;
  const withoutReposts = (metrics: unknown): WireObject => without(metrics as WireObject, ['retweet_count']);
  const shown = (inAnswer as WireObject).retweet_count;
  const isOriginals = original.some(({ object }) => metric(object, 'retweet_count') === shown);
  // All but the reposts must come from the file, or from another sighting that may win.
  const candidates = [inFile, ...winners(seen, sightings).map(({ object }) => object.public_metrics)];
  const isRestKept = candidates.some((metrics) =>
    isDeepStrictEqual(withoutReposts(metrics), withoutReposts(inAnswer)),
  );
  return isOriginals && isRestKept ? 'original-reposts' : false;
};

function metric(object: WireObject, name: string): unknown {
  return (object.public_metrics as WireObject | undefined)?.[name];
}

function otherSighting(normalize: (object: WireObject) => WireObject): Rule {
  return ({ field, inAnswer }, { seen, sightings }) =>
    winners(seen, sightings).some(({ object }) => isDeepStrictEqual(normalize(object)[field], inAnswer))
      ? 'other-sighting'
      : false;
}

/**
 * Returns the sightings that may win over this one: later ones, and equally old ones that are not shorter. When a
 * later one lacks most fields, an earlier full one fills the gaps.
 */
function winners(seen: Seen, sightings: readonly Seen[]): Seen[] {
  const isFull = seen.object.public_metrics !== undefined && seen.object.created_at !== undefined;
  const hasMost = seen.object.conversation_id !== undefined || seen.object.username !== undefined;
  const fillsGaps = !(isFull && hasMost);
  return sightings.filter((other) => other !== seen && (other.retrievedAt >= seen.retrievedAt || fillsGaps));
}

const mediaView: Rule = ({ field, inAnswer }, { file }) => {
  const isPhoto = file.type === 'photo';
  const isHidden = isPhoto ? field === 'preview_image_url' : field === 'url';
  return isHidden && inAnswer === undefined ? 'media-view' : false;
};

const closedByNow: Rule = ({ field, inFile, inAnswer }, { answer }) =>
  field === 'voting_status' &&
  inFile === 'open' &&
  inAnswer === 'closed' &&
  Date.parse(String(answer.end_datetime)) <= Date.now()
    ? 'closed-by-now'
    : false;
