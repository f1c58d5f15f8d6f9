import type { UserId } from '../../core/ids.js';
import { NO_POST_COUNTS, type Post, type PostCounts } from '../../core/post.js';
import { escapeText } from '../../core/post-text/escape.js';
import { presentDate } from './dates.js';
import { presenter, type Present, type Presenter } from './presenter.js';
import { PRIVATE_FIELDS, presentPrivateMetrics, refusedMetrics } from './post-metrics.js';

const EDIT_WINDOW_MS = 30 * 60 * 1000;
const MAX_EDITS = 5;

/** What shows of a post (docs/api/objects.md#post) what it shows whoever looks and whenever. */
export function postPresenter(fields: ReadonlySet<string>): Presenter<Post> {
  return presenter(presentBarePost, OPTIONAL, fields);
}

function presentBarePost(post: Post): Record<string, unknown> {
  const id = String(post.id);
  return {
    id,
    text: post.detail.wireText ?? escapeText(post.text),
    edit_history_tweet_ids: post.detail.editHistory ?? [id],
  };
}

const OPTIONAL: Readonly<Record<string, Present<Post>>> = {
  attachments,
  author_id: ({ authorId }) => String(authorId),
  card_uri: ({ detail }) => detail.cardUri,
  context_annotations: ({ detail }) => detail.contextAnnotations,
  conversation_id: ({ conversationId }) => String(conversationId),
  created_at: ({ createdAtMs }) => presentDate(createdAtMs),
  entities: ({ detail }) => detail.entities,
  geo,
  in_reply_to_user_id: ({ inReplyToUserId }) => inReplyToUserId?.toString(),
  lang: ({ lang }) => lang,
  possibly_sensitive: ({ possiblySensitive }) => possiblySensitive,
  referenced_tweets: references,
  reply_settings: ({ replySettings }) => replySettings,
  scopes: ({ superFollowersOnly }) => (superFollowersOnly ? { followers: true } : undefined),
  source: ({ source }) => source,
  withheld: ({ detail }) => detail.withheld,
};

/** The fields of a post that time and viewer decide; what everybody may count is counted-json.ts. */
const CHANGING_FIELDS = ['edit_controls', ...PRIVATE_FIELDS];

/** What shows these: `edit_controls` and private metrics; undefined when the fields ask for none. */
export function changingPresenter(
  fields: ReadonlySet<string>,
  { nowMs, viewerId }: { readonly nowMs: number; readonly viewerId: UserId | undefined },
): ((post: Post, counts: PostCounts | undefined) => object) | undefined {
  if (!CHANGING_FIELDS.some((field) => fields.has(field))) return undefined;
  return (post, counts = NO_POST_COUNTS) => ({
    ...(fields.has('edit_controls') && { edit_controls: editControls(post, nowMs) }),
    ...(refusedMetrics(post, viewerId, fields, nowMs).length === 0 && presentPrivateMetrics(counts, fields)),
  });
}

function attachments(post: Post): Record<string, unknown> | undefined {
  const { mediaKeys, pollIds } = post.detail;
  if (!mediaKeys && !pollIds) return undefined;
  return { ...(mediaKeys && { media_keys: mediaKeys }), ...(pollIds && { poll_ids: pollIds }) };
}

function geo(post: Post): Record<string, unknown> | undefined {
  const { coordinates } = post.detail;
  if (post.placeId === undefined && !coordinates) return undefined;
  return {
    ...(coordinates && { coordinates }),
    ...(post.placeId !== undefined && { place_id: post.placeId }),
  };
}

function references(post: Post): { type: string; id: string }[] | undefined {
  const references: { type: string; id: string }[] = [];
  if (post.repostedPostId !== undefined) {
    references.push({ type: 'retweeted', id: String(post.repostedPostId) });
  }
  if (post.quotedPostId !== undefined) references.push({ type: 'quoted', id: String(post.quotedPostId) });
  if (post.inReplyToPostId !== undefined) {
    references.push({ type: 'replied_to', id: String(post.inReplyToPostId) });
  }
  return references.length > 0 ? references : undefined;
}

/** Polls, replies to others and reposts cannot be edited (docs/api/posts.md#edits). */
function editControls(post: Post, nowMs: number): unknown {
  if (post.detail.editControls) return post.detail.editControls;
  const editableUntilMs = post.createdAtMs + EDIT_WINDOW_MS;
  const isReplyToOther = post.inReplyToUserId !== undefined && post.inReplyToUserId !== post.authorId;
  const isEditable = !post.detail.pollIds && !isReplyToOther && post.repostedPostId === undefined;
  return {
    edits_remaining: MAX_EDITS,
    is_edit_eligible: isEditable && nowMs < editableUntilMs,
    editable_until: presentDate(editableUntilMs),
  };
}
