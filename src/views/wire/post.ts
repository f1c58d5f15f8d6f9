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
  attachments: field(attachments, ({ detail: { mediaKeys, pollIds } }) =>
    mediaKeys || pollIds ? { media_keys: mediaKeys, poll_ids: pollIds } : undefined,
  ),
  author_id: field(id, ({ authorId }) => String(authorId)),
  card_uri: field(text, ({ detail }) => detail.cardUri),
  context_annotations: field(listOf(fullObject({ domain: context, entity: context })), ({ detail }) =>
    asImported(detail.contextAnnotations),
  ),
  conversation_id: field(id, ({ conversationId }) => String(conversationId)),
  created_at: field(date, ({ createdAtMs }) => presentDate(createdAtMs)),
  entities: field(entities, ({ detail }) => detail.entities),
  geo: field(geo, ({ placeId, detail: { coordinates } }) =>
    placeId !== undefined || coordinates
      ? { coordinates: asImported(coordinates), place_id: placeId }
      : undefined,
  ),
  in_reply_to_user_id: field(id, ({ inReplyToUserId }) => inReplyToUserId?.toString()),
  lang: field(described(text, 'BCP 47; `und` when it is unknown.'), ({ lang }) => lang),
  note_tweet: field(
    note,
    ({ detail }) =>
      detail.note && {
        text: detail.note.wireText ?? escapeText(detail.note.text),
        entities: asImported(detail.note.entities),
      },
  ),
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

function editControlsOf(post: Post, { nowMs }: PostMoment): ValueOf<typeof editControls> {
  if (post.detail.editControls) return asImported(post.detail.editControls);
  const [untilMs, remaining] = [editableUntilMs(post), editsRemaining(post)];
  return {
    edits_remaining: remaining,
    is_edit_eligible: isEditableKind(post) && remaining > 0 && nowMs < untilMs,
    editable_until: presentDate(untilMs),
  };
}
