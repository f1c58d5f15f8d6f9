import { date, described, flag, count, fullObject, id, listOf, object } from '../../core/json-schema.js';
import { oneOf, schemaOf, text, type ValueOf } from '../../core/json-schema.js';
import { editableUntilMs, editsRemaining, isEditableKind } from '../../core/edits.js';
import { REPLY_SETTINGS, type Post } from '../../core/post.js';
import { escapeText } from '../../core/post-text/escape.js';
import { presentDate } from '../present/dates.js';
import { entities, noteEntities } from './entities.js';
import { asImported, byDefault, field, required, type Fields } from './field.js';
import { privateMetricFields, publicMetricFields, type PostMoment } from './post-metrics.js';

const context = object({ id: text, name: text, description: text }, ['id']);
const attachments = object({ media_keys: listOf(text), poll_ids: listOf(id) });
const point = fullObject({ type: oneOf('Point'), coordinates: listOf(schemaOf('number')) });
const geo = object({ place_id: text, coordinates: point });
const editControls = object({ edits_remaining: count, is_edit_eligible: flag, editable_until: date });
const reference = fullObject({ type: oneOf('retweeted', 'quoted', 'replied_to'), id });
const note = object({ text: described(text, 'With `& < >` escaped.'), entities: noteEntities }, ['text']);
const articleSchema = object({
  title: text,
  plain_text: text,
  cover_media: text,
  media_entities: listOf(text),
});
const withheld = object({ copyright: flag, country_codes: listOf(text), scope: oneOf('tweet', 'user') });

/** The members that depend on the stored post alone, beside the text of its id. */
export const fixedPostFields = {
  id: required(id, (_, idText) => idText),
  text: required(
    described(text, 'With `& < >` escaped.'),
    (post) => post.detail.wireText ?? escapeText(post.text),
  ),
  edit_history_tweet_ids: byDefault(
    described(listOf(id), 'All versions, oldest first.'),
    ({ detail }, idText) => detail.editHistory ?? [idText],
  ),
  article: field(
    articleSchema,
    ({ detail: { article } }) =>
      article && {
        title: article.title,
        plain_text: escapeText(article.plainText),
        cover_media: article.coverMediaKey,
        media_entities: article.mediaKeys.length > 0 ? article.mediaKeys : undefined,
      },
  ),
  article_title: field(
    fullObject({ title: text }),
    ({ detail: { article } }) => article && { title: article.title },
  ),
  attachments: field(attachments, ({ detail: { mediaKeys, pollIds } }) =>
    mediaKeys || pollIds ? { media_keys: mediaKeys, poll_ids: pollIds } : undefined,
  ),
  author_id: field(id, ({ authorId }) => String(authorId)),
  card_uri: field(text, ({ detail }) => detail.cardUri),
  community_id: field(id, ({ detail }) => detail.communityId),
  context_annotations: field(listOf(fullObject({ domain: context, entity: context })), ({ detail }) =>
    asImported(detail.contextAnnotations),
  ),
  conversation_id: field(id, ({ conversationId }) => String(conversationId)),
  created_at: field(date, ({ createdAtMs }) => presentDate(createdAtMs)),
  display_text_range: field(listOf(count), displayRangeOf),
  entities: field(entities, ({ detail }) => detail.entities),
  geo: field(geo, ({ placeId, detail: { coordinates } }) =>
    placeId !== undefined || coordinates
      ? { coordinates: asImported(coordinates), place_id: placeId }
      : undefined,
  ),
  in_reply_to_user_id: field(id, ({ inReplyToUserId }) => inReplyToUserId?.toString()),
  lang: field(described(text, 'BCP 47; `und` when it is unknown.'), ({ lang }) => lang),
  media_metadata: field(listOf(object({ media_key: text, title: text, description: text })), mediaMetadataOf),
  note_tweet: field(
    note,
    ({ detail }) =>
      detail.note && {
        text: detail.note.wireText ?? escapeText(detail.note.text),
        entities: asImported(detail.note.entities),
      },
  ),
  paid_partnership: field(flag, ({ detail }) => detail.paidPartnership),
  possibly_sensitive: field(flag, ({ possiblySensitive }) => possiblySensitive),
  referenced_tweets: field(listOf(reference), referencesOf),
  reply_settings: field(oneOf(...REPLY_SETTINGS), ({ replySettings }) => replySettings),
  scopes: field(object({ followers: flag }), ({ superFollowersOnly }) =>
    superFollowersOnly ? { followers: true } : undefined,
  ),
  source: field(text, ({ source }) => source),
  withheld: field(withheld, ({ detail }) => asImported(detail.withheld)),
} satisfies Fields<Post, string>;

/** The members that depend on time, viewer and counts, but for the public metrics. */
export const changingPostFields = {
  edit_controls: field(editControls, editControlsOf),
  ...privateMetricFields,
} satisfies Fields<Post, PostMoment>;

/** A post (docs/api/objects.md#post). */
export const postFields = { ...fixedPostFields, ...publicMetricFields, ...changingPostFields };

function referencesOf(post: Post): ValueOf<typeof reference>[] | undefined {
  const references: ValueOf<typeof reference>[] = [];
  if (post.repostedPostId !== undefined) {
    references.push({ type: 'retweeted', id: String(post.repostedPostId) });
  }
  if (post.quotedPostId !== undefined) references.push({ type: 'quoted', id: String(post.quotedPostId) });
  if (post.inReplyToPostId !== undefined) {
    references.push({ type: 'replied_to', id: String(post.inReplyToPostId) });
  }
  return references.length > 0 ? references : undefined;
}

/** Returns what authors say about their media. */
function mediaMetadataOf({ detail }: Post) {
  const { mediaKeys = [], mediaTitle: title, mediaDescription: description } = detail;
  if (title === undefined && description === undefined) return undefined;
  return mediaKeys.map((media_key) => ({ media_key, title, description }));
}

/**
 * Returns the part of the text that people read: without the handles that begin a reply, and without the links of media
 * and of the quoted post at the end.
 */
function displayRangeOf({ text: stored, inReplyToPostId, quotedPostId, detail }: Post): [number, number] {
  const { entities: { mentions = [], urls = [] } = {} } = detail;
  let [start, end] = [0, Array.from(detail.wireText ?? escapeText(stored)).length];
  if (inReplyToPostId !== undefined) {
    for (const mention of mentions.toSorted((one, other) => one.start - other.start)) {
      if (mention.start === start) start = mention.end + 1;
    }
  }
  const isOfQuoted = new RegExp(`/status/${quotedPostId}$`);
  for (const url of urls.toSorted((one, other) => other.end - one.end)) {
    const isAdded = url.media_key !== undefined || isOfQuoted.test(url.expanded_url ?? url.url);
    if (isAdded && (url.end === end || url.end + 1 === end)) end = Math.max(0, url.start - 1);
  }
  return [Math.min(start, end), end];
}

function editControlsOf(post: Post, { nowMs }: PostMoment): ValueOf<typeof editControls> {
  if (post.detail.editControls) return asImported(post.detail.editControls);
  const [untilMs, remaining] = [editableUntilMs(post), editsRemaining(post)];
  return {
    edits_remaining: remaining,
    is_edit_eligible: isEditableKind(post) && remaining > 0 && nowMs < untilMs,
    editable_until: presentDate(untilMs),
  };
}
