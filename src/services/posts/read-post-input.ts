import { type Violation, refuseViolations, violation } from '../../core/errors.js';
import { MAX_POST_WEIGHT } from '../../core/limits.js';
import { weightedLength } from '../../core/post-text/length.js';
import { hasInvalidCharacters, normalizePostText } from '../../core/post-text/normalize.js';
import type { TypedText } from '../../core/post-text/typed-text.js';
import { REFUSED } from '../../core/refused-actions.js';
import type { PostInput } from './post-draft.js';
import type { PostWriter } from './write-post.js';

/**
 * Checks the rules of a post that need no database (docs/api/posts.md, docs/api/errors.md#refused-actions), and reads
 * its text, without the handles that are added to a reply. `maxWeight` is asked for the author's limit if the text is
 * longer than anybody's. Throws one 'invalid-request' error that lists every violation.
 */
export async function readPostInput(
  writer: Pick<PostWriter, 'read'>,
  input: PostInput,
  maxWeight: () => Promise<number>,
): Promise<TypedText> {
  const text = normalizePostText(input.text ?? '');
  const violations = [
    ...textViolations(input, text),
    ...(await lengthViolations(text, maxWeight)),
    ...attachmentViolations(input),
    ...pollViolations(input),
    ...editViolations(input),
  ];
  refuseViolations(violations);
  return writer.read(text);
}

function textViolations(input: PostInput, text: string): Violation[] {
  const hasMedia = (input.mediaIds?.length ?? 0) > 0;
  if (text === '') {
    if (hasMedia) return [];
    return input.text === undefined
      ? [violation('$.text', [], '$.text: is missing but it is required')]
      : [violation('$.text', [input.text], '$.text: must not be blank')];
  }
  if (hasInvalidCharacters(text)) {
    return [violation('$.text', [text], '$.text: contains characters that are not allowed')];
  }
  return [];
}

async function lengthViolations(text: string, maxWeight: () => Promise<number>): Promise<Violation[]> {
  const weight = weightedLength(text);
  if (weight <= MAX_POST_WEIGHT || weight <= (await maxWeight())) return [];
  return [violation('$.text', [text], REFUSED.tooLong)];
}

function attachmentViolations(input: PostInput): Violation[] {
  const violations: Violation[] = [];
  const attached = present({
    '$.media.media_ids': input.mediaIds ?? [],
    '$.poll.options': input.poll?.options ?? [],
    '$.quote_tweet_id': [input.quotedPostId],
  });
  if (Object.keys(attached).length > 1) {
    const message = '`media`, `poll` and `quote_tweet_id` are mutually exclusive';
    violations.push({ parameters: attached, message });
  }
  const beside = { ...attached, ...present({ '$.direct_message_deep_link': [input.directMessageDeepLink] }) };
  if (input.cardUri !== undefined && Object.keys(beside).length > 0) {
    const message = '`card_uri` excludes `media`, `poll`, `quote_tweet_id` and `direct_message_deep_link`';
    violations.push({ parameters: { '$.card_uri': [input.cardUri], ...beside }, message });
  }
  return violations;
}

/** Returns the parameters that were sent, as strings; parameters without values are omitted. */
function present(parameters: Readonly<Record<string, readonly unknown[]>>): Violation['parameters'] {
  const sent = Object.entries(parameters).map(
    ([name, values]) => [name, values.filter((value) => value !== undefined).map(String)] as const,
  );
  return Object.fromEntries(sent.filter(([, values]) => values.length > 0));
}

function pollViolations({ poll }: PostInput): Violation[] {
  const violations: Violation[] = [];
  const labels = poll?.options ?? [];
  if (new Set(labels.map((label) => label.trim())).size < labels.length) {
    violations.push(violation('$.poll.options', labels, '$.poll.options: must not repeat an option'));
  }
  if (labels.some((label) => label.trim() === '')) {
    violations.push(violation('$.poll.options', labels, '$.poll.options: must not be blank'));
  }
  return violations;
}

/** An edit keeps what replies and quotes were made for, and the settings of the post (docs/api/posts.md#edits). */
function editViolations(input: PostInput): Violation[] {
  if (input.previousPostId === undefined) return [];
  const kept = present({
    '$.poll.options': input.poll?.options ?? [],
    '$.quote_tweet_id': [input.quotedPostId],
    '$.reply.in_reply_to_tweet_id': [input.inReplyToPostId],
    '$.reply_settings': [input.replySettings],
    '$.for_super_followers_only': [input.superFollowersOnly],
    '$.nullcast': [input.nullcast],
    '$.community_id': [input.communityId],
  });
  if (Object.keys(kept).length === 0) return [];
  const message =
    '`edit_options` excludes `poll`, `quote_tweet_id`, `reply`, `reply_settings`, `for_super_followers_only`, `nullcast` and `community_id`';
  return [
    { parameters: { '$.edit_options.previous_post_id': [String(input.previousPostId)], ...kept }, message },
  ];
}
