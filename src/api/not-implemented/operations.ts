/** An operation of the X API that this server does not have. */
export interface MissingOperation {
  /** `ANY` means all methods. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'ANY';
  /** With placeholders, as in endpoints; a last step `*` matches everything below. */
  readonly path: string;
  /** Without a full stop. */
  readonly summary: string;
}

export interface MissingGroup {
  readonly title: string;
  /** Why this server does not have the operations; a sentence. */
  readonly reason: string;
  readonly operations: readonly MissingOperation[];
}

type Line = readonly [method: MissingOperation['method'], path: string, summary: string];

function group(title: string, reason: string, ...lines: readonly Line[]): MissingGroup {
  return { title, reason, operations: lines.map(([method, path, summary]) => ({ method, path, summary })) };
}

/**
 * The operations of the X API, up to its version 2.167, that this server does not have. Answers to such requests, the
 * page and the file in `docs/` come from this table. Remove the entry of an operation when you implement it.
 */
export const MISSING_OPERATIONS: readonly MissingGroup[] = [
  group('Webhooks and activity', 'They are not built yet.', [
    'ANY',
    '/2/account_activity/replay/*',
    'Delivers account activity again',
  ]),
  group(
    'Metrics of views',
    'Reading is not tracked, so there is nothing to count.',
    ['GET', '/2/insights/28hr', 'Metrics of own posts in the last 28 hours'],
    ['GET', '/2/insights/historical', 'Metrics of own posts in the past'],
  ),
  group(
    'Community notes',
    'Notes need many raters who do not know each other; operators moderate a server of this size.',
    ['POST', '/2/notes', 'Writes a note on a post'],
    ['POST', '/2/notes/evaluate', 'Rates a note'],
    ['GET', '/2/notes/search/notes_written', 'Notes that the account wrote'],
    ['GET', '/2/notes/search/posts_eligible_for_notes', 'Posts that notes can be written on'],
    ['DELETE', '/2/notes/{id}', 'Deletes a note'],
  ),
  group(
    'News',
    'Stories are written by the original from posts of the whole world; this server has no editors.',
    ['GET', '/2/news/search', 'Searches news'],
    ['GET', '/2/news/{id}', 'One news story'],
  ),
  group(
    'Encrypted chat',
    'Its protocol is not published. Direct messages are served.',
    ['ANY', '/2/chat/*', 'Encrypted chat'],
    ['GET', '/2/users/public_keys', 'Keys of encrypted chat of several users'],
    ['GET', '/2/users/{id}/public_keys', 'Keys of encrypted chat of a user'],
    ['POST', '/2/users/{id}/public_keys', 'Adds a key of encrypted chat'],
  ),
  group('Broadcasts', 'The server does not process live video.', [
    'ANY',
    '/2/broadcasts/*',
    'Live broadcasts',
  ]),
];

/** Features of served operations that this server does not support, and their effect. */
export const MISSING_FEATURES: readonly string[] = [
  '`media.preview_media_id` and `media.call_to_actions` of `POST /2/tweets`: refused with 400. Previews are made from ' +
    'the video, and nothing is advertised.',
];
