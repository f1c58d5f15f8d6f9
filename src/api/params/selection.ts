import type { Selection } from '../../views/selection.js';

const NONE: ReadonlySet<string> = new Set();

/** The field and expansion parameters that an endpoint may have. */
export interface FieldValues {
  readonly expansions?: ReadonlySet<string>;
  readonly 'tweet.fields'?: ReadonlySet<string>;
  readonly 'user.fields'?: ReadonlySet<string>;
  readonly 'media.fields'?: ReadonlySet<string>;
  readonly 'poll.fields'?: ReadonlySet<string>;
  readonly 'place.fields'?: ReadonlySet<string>;
  readonly 'list.fields'?: ReadonlySet<string>;
  readonly 'space.fields'?: ReadonlySet<string>;
  readonly 'topic.fields'?: ReadonlySet<string>;
}

/** Returns the selection of a call. */
export function selectionOf(params: FieldValues): Selection {
  return {
    expansions: params.expansions ?? NONE,
    postFields: params['tweet.fields'] ?? NONE,
    userFields: params['user.fields'] ?? NONE,
    mediaFields: params['media.fields'] ?? NONE,
    pollFields: params['poll.fields'] ?? NONE,
    placeFields: params['place.fields'] ?? NONE,
    listFields: params['list.fields'] ?? NONE,
    spaceFields: params['space.fields'] ?? NONE,
    topicFields: params['topic.fields'] ?? NONE,
  };
}
