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

/** Returns the selection for objects that an expansion leads to, which has none itself. */
export function withoutExpansions(selection: Selection): Selection {
  return { ...selection, expansions: new Set() };
}

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

/** Returns the post fields of objects in `includes.tweets`. */
export function includedPostFields(selection: Selection): ReadonlySet<string> {
  return selection.expansions.has('referenced_tweets.id.author_id')
    ? new Set([...selection.postFields, 'author_id'])
    : selection.postFields;
}

/** Returns true if the expansions include referenced posts. */
export function wantsReferencedPosts(selection: Selection): boolean {
  return (
    selection.expansions.has('referenced_tweets.id') ||
    selection.expansions.has('referenced_tweets.id.author_id')
  );
}
