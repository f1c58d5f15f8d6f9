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

/**
 * The field that each expansion follows, which the expansion adds to `data` (docs/api/objects.md#field-selection).
 */
const FOLLOWED_FIELD: Readonly<Record<string, string>> = {
  author_id: 'author_id',
  in_reply_to_user_id: 'in_reply_to_user_id',
  'entities.mentions.username': 'entities',
  'referenced_tweets.id': 'referenced_tweets',
  'referenced_tweets.id.author_id': 'referenced_tweets',
  edit_history_tweet_ids: 'edit_history_tweet_ids',
  'attachments.media_keys': 'attachments',
  'attachments.poll_ids': 'attachments',
  'geo.place_id': 'geo',
};

/** Returns the selection for objects that an expansion leads to, which has none itself. */
export function withoutExpansions(selection: Selection): Selection {
  return { ...selection, expansions: new Set() };
}

/** Returns the post fields of objects in `data`: the requested ones and those that expansions follow. */
export function primaryPostFields(selection: Selection): ReadonlySet<string> {
  if (selection.expansions.size === 0) return selection.postFields;
  const fields = new Set(selection.postFields);
  for (const expansion of selection.expansions) {
    const field = FOLLOWED_FIELD[expansion];
    if (field !== undefined) fields.add(field);
  }
  return fields;
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

/** Returns the user fields of objects in `data` of a user endpoint. */
export function primaryUserFields(selection: Selection): ReadonlySet<string> {
  return selection.expansions.has('pinned_tweet_id')
    ? new Set([...selection.userFields, 'pinned_tweet_id'])
    : selection.userFields;
}

/** Returns the List fields of objects in `data` of a List endpoint. */
export function primaryListFields(selection: Selection): ReadonlySet<string> {
  return selection.expansions.has('owner_id')
    ? new Set([...selection.listFields, 'owner_id'])
    : selection.listFields;
}

/**
 * Returns the Space fields of objects in `data` of a Space endpoint; each expansion follows the field of its name.
 */
export function primarySpaceFields(selection: Selection): ReadonlySet<string> {
  return selection.expansions.size > 0
    ? new Set([...selection.spaceFields, ...selection.expansions])
    : selection.spaceFields;
}
