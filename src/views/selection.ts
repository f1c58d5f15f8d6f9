/** What the caller asked to add, in wire names: expansions and fields (docs/api/objects.md). */
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

/** The field that each expansion follows: present in `data` when the expansion is asked for (docs/api/objects.md#field-selection). */
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

/** The post fields of the objects in `data`: those asked for, and those that the expansions follow. */
export function primaryPostFields(selection: Selection): ReadonlySet<string> {
  if (selection.expansions.size === 0) return selection.postFields;
  const fields = new Set(selection.postFields);
  for (const expansion of selection.expansions) {
    const field = FOLLOWED_FIELD[expansion];
    if (field !== undefined) fields.add(field);
  }
  return fields;
}

/** The post fields of the objects in `includes.tweets`. */
export function includedPostFields(selection: Selection): ReadonlySet<string> {
  return selection.expansions.has('referenced_tweets.id.author_id')
    ? new Set([...selection.postFields, 'author_id'])
    : selection.postFields;
}

/** True when the expansions ask for the posts that a post refers to. */
export function wantsReferencedPosts(selection: Selection): boolean {
  return (
    selection.expansions.has('referenced_tweets.id') ||
    selection.expansions.has('referenced_tweets.id.author_id')
  );
}

/** The user fields of the objects in `data` of a user endpoint. */
export function primaryUserFields(selection: Selection): ReadonlySet<string> {
  return selection.expansions.has('pinned_tweet_id')
    ? new Set([...selection.userFields, 'pinned_tweet_id'])
    : selection.userFields;
}

/** The List fields of the objects in `data` of a List endpoint. */
export function primaryListFields(selection: Selection): ReadonlySet<string> {
  return selection.expansions.has('owner_id')
    ? new Set([...selection.listFields, 'owner_id'])
    : selection.listFields;
}

/** The Space fields of the objects in `data` of a Space endpoint; each expansion follows the field of its name. */
export function primarySpaceFields(selection: Selection): ReadonlySet<string> {
  return selection.expansions.size > 0
    ? new Set([...selection.spaceFields, ...selection.expansions])
    : selection.spaceFields;
}
