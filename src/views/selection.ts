import { RecentMap } from '../core/maps.js';
import { memoized } from '../core/memoized.js';

/** The requested expansions and fields, in wire names (docs/api/objects.md). */
export interface Selection {
  readonly expansions: ReadonlySet<string>;
  readonly postFields: ReadonlySet<string>;
  readonly userFields: ReadonlySet<string>;
  readonly mediaFields: ReadonlySet<string>;
  readonly pollFields: ReadonlySet<string>;
  readonly placeFields: ReadonlySet<string>;
  readonly listFields: ReadonlySet<string>;
  readonly spaceFields: ReadonlySet<string>;
  readonly topicFields: ReadonlySet<string>;
}

/** Clients select few combinations of fields. */
const MAX_SELECTIONS = 128;

const byText = new RecentMap<string, Selection>(MAX_SELECTIONS);
const sets = new RecentMap<string, ReadonlySet<string>>(MAX_SELECTIONS);

/** The last selection with these sets of post fields: queries that are sent again have the same sets. */
const byPostFields = new WeakMap<ReadonlySet<string>, readonly [asked: Selection, shared: Selection]>();

/** Returns the same object for equal selections, so that what is kept for one serves all. */
export function sharedSelection(asked: Selection): Selection {
  const [before, known] = byPostFields.get(asked.postFields) ?? [];
  if (before && known && KINDS.every((kind) => before[kind] === asked[kind])) return known;
  const text = KINDS.map((kind) => [...asked[kind]].join()).join(' ');
  const shared = byText.get(text) ?? withSharedSets(asked);
  byText.set(text, shared);
  byPostFields.set(asked.postFields, [asked, shared]);
  return shared;
}

const KINDS = [
  'expansions',
  'postFields',
  'userFields',
  'mediaFields',
  'pollFields',
  'placeFields',
  'listFields',
  'spaceFields',
  'topicFields',
] as const satisfies readonly (keyof Selection)[];

/** Returns the selection with the same set for the same names, since other selections may have some of its sets. */
function withSharedSets(asked: Selection): Selection {
  const shared = KINDS.map((kind) => {
    const names = [...asked[kind]].join();
    const set = sets.get(names) ?? asked[kind];
    sets.set(names, set);
    return [kind, set];
  });
  return Object.fromEntries(shared) as Selection;
}

/** Returns the selection for objects that an expansion leads to, which has none itself. */
export const withoutExpansions = memoized((selection: Selection): Selection => ({
  ...selection,
  expansions: new Set(),
}));

/** The expansions of what no field shows. */
const FOLLOW_NOTHING = new Set([
  'article.cover_media',
  'article.media_entities',
  'attachments.media_source_tweet',
  'entities.note.mentions.username',
]);

/**
 * Returns the fields of objects in `data`: the requested ones, and those that expansions follow, whose names begin with
 * the field (docs/api/objects.md#field-selection).
 */
export function withFollowed(
  fields: ReadonlySet<string>,
  { expansions }: Pick<Selection, 'expansions'>,
): ReadonlySet<string> {
  if (expansions.size === 0) return fields;
  const all = new Set(fields);
  for (const expansion of expansions) {
    const end = expansion.indexOf('.');
    if (!FOLLOW_NOTHING.has(expansion)) all.add(end === -1 ? expansion : expansion.slice(0, end));
  }
  return all;
}

/** Returns the fields of posts in `data`. */
export const dataPostFields = memoized((selection: Selection) =>
  withFollowed(selection.postFields, selection),
);

/** Returns the fields of users in `data`. */
export const dataUserFields = memoized(({ expansions, userFields }: Selection) =>
  expansions.has('pinned_tweet_id') ? new Set([...userFields, 'pinned_tweet_id']) : userFields,
);

/** Returns the fields of posts in `includes.tweets`. */
export const includedPostFields = memoized(({ expansions, postFields }: Selection) =>
  expansions.has('referenced_tweets.id.author_id') ? new Set([...postFields, 'author_id']) : postFields,
);

/** Returns true if the expansions include referenced posts. */
export function wantsReferencedPosts(selection: Selection): boolean {
  return (
    selection.expansions.has('referenced_tweets.id') ||
    selection.expansions.has('referenced_tweets.id.author_id')
  );
}
