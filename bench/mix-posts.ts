import type { Entities } from '../src/core/entities.js';
import type { PostId, UserId } from '../src/core/ids.js';
import type { Post } from '../src/core/post.js';
import { escapeText } from '../src/core/post-text/escape.js';
import { extractEntities } from '../src/core/post-text/extract.js';
import { toWireEntities, type MentionedUser } from '../src/core/post-text/wire-entities.js';
import { repostText } from '../src/services/posts/repost-text.js';
import { textSource } from './mix-text.js';
import type { SocialUser } from './social-world.js';
import { FIRST_POST_MS, MINUTE_MS, postId } from './world.js';
import { zipf } from './zipf.js';

/** Replies, quotes and reposts refer to one of so many posts before them. */
const REFERRED = 500;

const SHARES = { repost: 0.1, quote: 0.06, reply: 0.16, photo: 0.08, place: 0.02, poll: 0.01 };
const PLACES = 20;

/** A post that others may refer to. */
interface Original {
  readonly id: string;
  readonly conversationId: string;
  readonly author: SocialUser;
  readonly text: string;
  readonly entities: Entities | undefined;
}

/** A post in the form of a twarc2 file, with what it refers to. */
export interface WirePost {
  readonly data: Readonly<Record<string, unknown>> & { readonly id: string; readonly author_id: string };
  readonly media?: object;
  readonly poll?: object;
  readonly place?: object;
}

/**
 * Generates `count` posts, one a minute: authors by a Zipf distribution over the ranked people, texts with entities,
 * replies, quotes and reposts of recent posts, some photos, places and polls, and counts that are high for few.
 */
export function* mixPosts(
  people: readonly SocialUser[],
  count: number,
  random: () => number,
): Generator<WirePost, void> {
  const accounts = new Map(
    people.map(({ id, username }): [string, MentionedUser] => [username, { id, username }]),
  );
  const nextText = textSource([...accounts.keys()], random);
  const nextAuthor = zipf(people.length, random);
  const recent: Original[] = [];
  for (let number = 0; number < count; number += 1) {
    const author = people[nextAuthor()] as SocialUser;
    const draw = random();
    const target = recent[Math.floor(random() * recent.length)];
    if (target && draw < SHARES.repost) {
      yield { data: repostOf(number, author, target) };
      continue;
    }
    const isReply = target !== undefined && draw > 1 - SHARES.reply;
    const isQuote = target !== undefined && draw < SHARES.repost + SHARES.quote;
    const text = `${isReply ? `@${target.author.username} ` : ''}${nextText()}`;
    const id = postId(number);
    const conversationId = isReply ? target.conversationId : id;
    const entities = toWireEntities(text, extractEntities(text), accounts);
    recent[number % REFERRED] = { id, conversationId, author, text, entities };
    const attached = attachment(number, random());
    const data = {
      ...common(number, author),
      ...attached.members,
      conversation_id: conversationId,
      text: escapeText(text),
      entities,
      public_metrics: counts(random()),
      ...(isReply && { in_reply_to_user_id: target.author.id }),
      ...((isReply || isQuote) && {
        referenced_tweets: [{ type: isReply ? 'replied_to' : 'quoted', id: target.id }],
      }),
    };
    yield { data, ...attached.includes };
  }
}

function repostOf(number: number, author: SocialUser, target: Original): WirePost['data'] {
  const original = {
    text: target.text,
    authorId: BigInt(target.author.id) as UserId,
    id: BigInt(target.id) as PostId,
    detail: { entities: target.entities },
  } as unknown as Post;
  const { text, entities } = repostText(original, target.author.username);
  return {
    ...common(number, author),
    conversation_id: postId(number),
    text: escapeText(text),
    entities,
    public_metrics: counts(1),
    referenced_tweets: [{ type: 'retweeted', id: target.id }],
  };
}

interface Attachment {
  /** Members of the post. */
  readonly members?: object;
  readonly includes?: Omit<WirePost, 'data'>;
}

/** Returns the photo, place or poll of some posts. */
function attachment(number: number, draw: number): Attachment {
  if (draw < SHARES.photo) return photo(number);
  if (draw < SHARES.photo + SHARES.place) return placed(number);
  return draw < SHARES.photo + SHARES.place + SHARES.poll ? poll(number) : {};
}

function photo(number: number): Attachment {
  const key = `3_${postId(number)}`;
  const url = `https://pictures.example.com/${number}.jpg`;
  const media = {
    media_key: key,
    type: 'photo',
    url,
    width: 1200,
    height: 800,
    alt_text: 'a harbour in the rain',
  };
  return { members: { attachments: { media_keys: [key] } }, includes: { media } };
}

function placed(number: number): Attachment {
  const id = `place${number % PLACES}`;
  const geo = { type: 'Feature', bbox: [number % PLACES, 10, (number % PLACES) + 1, 11], properties: {} };
  const name = { full_name: `Harbour ${number % PLACES}, Island`, name: `Harbour ${number % PLACES}` };
  const place = { id, ...name, country: 'Island', country_code: 'IS', place_type: 'city', geo };
  return { members: { geo: { place_id: id } }, includes: { place } };
}

function poll(number: number): Attachment {
  const id = postId(number);
  const options = ['Yes', 'No', 'Later'].map((label, index) => ({
    position: index + 1,
    label,
    votes: (number + index) % 90,
  }));
  const endMs = FIRST_POST_MS + (number + 1440) * MINUTE_MS;
  const ended = {
    duration_minutes: 1440,
    end_datetime: new Date(endMs).toISOString(),
    voting_status: 'closed',
  };
  return { members: { attachments: { poll_ids: [id] } }, includes: { poll: { id, options, ...ended } } };
}

function common(number: number, author: SocialUser) {
  return {
    id: postId(number),
    author_id: author.id,
    created_at: new Date(FIRST_POST_MS + number * MINUTE_MS).toISOString(),
    lang: 'en',
    source: 'Social bench',
    possibly_sensitive: false,
    reply_settings: 'everyone',
  };
}

/** Returns counts of a post, from 0 for a draw near 1 to hundreds for one near 0. */
function counts(draw: number) {
  const likes = Math.floor(3 / (draw + 0.01)) - 2;
  return {
    like_count: likes,
    retweet_count: Math.floor(likes / 6),
    reply_count: Math.floor(likes / 8),
    quote_count: Math.floor(likes / 20),
    bookmark_count: Math.floor(likes / 10),
  };
}
