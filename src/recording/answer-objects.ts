import { readTwarcLine, type LineObjects } from '../archive/twarc-line.js';
import { asObject, asObjects, RefusedObject, type WireObject } from '../archive/wire-json.js';
import { parseId } from '../core/ids.js';
import type { AnswerObjects } from './object-kinds.js';
import { isV1, itemsOf, type SeenAnswer } from './seen-answer.js';
import { objectsOfV1 } from './v1-objects.js';

/** Returns the objects that an answer shows, in the form of v2. */
export function objectsOf(answer: SeenAnswer): AnswerObjects {
  if (isV1(answer)) return objectsOfV1(answer);
  const found = lineObjects(answer.json);
  return {
    ...found,
    posts: found && withAuthor(found.posts, answer),
    lists: listsOf(answer),
    ...spacesOf(answer),
    messages: messagesOf(answer),
  };
}

/** Returns the objects of a line of twarc; undefined if it has none or breaks a rule. */
export function lineObjects(line: unknown): LineObjects | undefined {
  try {
    const content = readTwarcLine(line);
    return 'skipped' in content ? undefined : content;
  } catch (error) {
    if (error instanceof RefusedObject) return undefined;
    throw error;
  }
}

/** Adds the author to the posts of a timeline of one user, without those that they refer to. */
function withAuthor(posts: readonly WireObject[], answer: SeenAnswer): readonly WireObject[] {
  const authorId = /^\/2\/users\/(\d+)\/tweets$/.exec(answer.path)?.[1];
  if (authorId === undefined) return posts;
  const own = new Set(itemsOf(answer).map(({ id }) => id));
  return posts.map((post) => (own.has(post.id) ? { author_id: authorId, ...post } : post));
}

const LISTS = /\/(?:lists|owned_lists|followed_lists|list_memberships|pinned_lists)(?:\/\d+)?$/;

function listsOf(answer: SeenAnswer): WireObject[] {
  return LISTS.test(answer.path) ? itemsOf(answer).filter(({ name }) => typeof name === 'string') : [];
}

/** Returns Spaces, with the creator that the request names, and the topics beside them. */
function spacesOf(answer: SeenAnswer): Pick<AnswerObjects, 'spaces' | 'topics'> {
  if (!/^\/2\/spaces(?:\/(?:\w+|by\/creator_ids))?$/.test(answer.path)) return {};
  const creatorIds = answer.path.endsWith('/by/creator_ids') ? (answer.query.get('user_ids') ?? '') : '';
  const creator = parseId(creatorIds) === undefined ? {} : { creator_id: creatorIds };
  const spaces = itemsOf(answer).filter(({ state }) => typeof state === 'string');
  return {
    spaces: spaces.map((space) => ({ ...creator, ...space })),
    topics: [
      ...asObjects(asObject(asObject(answer.json)?.includes)?.topics),
      ...spaces.flatMap((space) => asObjects(space.topics)),
    ],
  };
}

/** Returns the events of conversations, with the conversation that the request names. */
function messagesOf(answer: SeenAnswer): WireObject[] {
  if (!/^\/2\/(?:dm_events|dm_conversations)(?:\/|$)/.test(answer.path)) return [];
  const events = itemsOf(answer).filter(({ event_type }) => typeof event_type === 'string');
  const conversation = conversationOf(answer, events);
  return events.map((event) => ({ ...conversation, ...event }));
}

function conversationOf({ path, callerId }: SeenAnswer, events: readonly WireObject[]): WireObject {
  const [, partner, id] = /^\/2\/dm_conversations\/(?:with\/(\d+)|([\d-]+))\/dm_events$/.exec(path) ?? [];
  if (id !== undefined) return { dm_conversation_id: id };
  const own =
    callerId ?? events.find(({ sender_id }) => sender_id !== undefined && sender_id !== partner)?.sender_id;
  return partner !== undefined && typeof own === 'string' ? { dm_conversation_id: `${partner}-${own}` } : {};
}
