import type { UserId } from '../../core/ids.js';
import { versionIds, wholeTextOf, type Media, type Post } from '../../core/post.js';
import { statusUrl } from '../../core/reserved-usernames.js';
import type { Lookups } from '../../stores/lookups.js';
import { linkedPostAtEnd, withoutScheme } from './status-links.js';
import type { PostDraft } from './post-draft.js';

/** A link appended to the typed text. It yields one entity for each media key. */
export interface AppendedLink {
  readonly url: string;
  readonly displayUrl: string;
  readonly mediaKeys: readonly string[];
}

export interface ComposedText {
  readonly text: string;
  /** In text order. Each link follows a single space at the end of the text. */
  readonly links: readonly AppendedLink[];
}

type Users = Lookups['users'];

interface Parts {
  readonly draft: PostDraft;
  readonly parent: Post | undefined;
  readonly quoted: Post | undefined;
  readonly media: readonly Media[];
}

/**
 * Composes the stored text: the handles of the conversation's participants, the typed text, and the links of the
 * quoted post and of media (docs/api/posts.md#length, docs/api/posts.md#replies-quotes-and-reposts).
 */
export async function composeText(
  { users }: Lookups,
  publicUrl: string,
  parts: Parts,
): Promise<ComposedText> {
  const prefix =
    parts.parent && !parts.draft.typedHandlesOnly ? await replyPrefix(users, parts, parts.parent) : '';
  const links = [
    ...(await quoteLink(users, publicUrl, parts)),
    ...(await mediaLink(users, publicUrl, parts)),
  ];
  const words = [prefix + parts.draft.typed.text, ...links.map((link) => link.url)];
  return { text: words.filter((word) => word !== '').join(' '), links };
}

/** Bounds the handles that a reply inherits, so that texts do not grow along a conversation. */
const MAX_HANDLES_TAKEN_OVER = 50;

/**
 * Returns the handles of the parent's author and of the users it mentions, except the replier and the excluded users.
 * The parent's author cannot be excluded. Returns '' when the typed text starts with the parent's handle.
 */
async function replyPrefix(lookup: Users, { draft }: Parts, parent: Post): Promise<string> {
  const excluded = new Set([...(draft.excludedReplyUserIds ?? []), draft.authorId]);
  const mentioned = (wholeTextOf(parent).entities?.mentions ?? []).flatMap(({ id }) =>
    id === undefined ? [] : [BigInt(id) as UserId],
  );
  const participants = new Set(mentioned.filter((id) => !excluded.has(id)));
  participants.delete(parent.authorId);
  const author = parent.authorId === draft.authorId ? [] : [parent.authorId];
  const order = [...author, ...participants].slice(0, MAX_HANDLES_TAKEN_OVER);
  const users = await lookup.load(order);
  const handles = order.flatMap((id) => users.get(id)?.username ?? []);
  const parentHandle = users.get(parent.authorId)?.username;
  if (parentHandle !== undefined && beginsWithHandle(draft.typed.text, parentHandle)) return '';
  return handles.map((handle) => `@${handle} `).join('');
}

function beginsWithHandle(text: string, handle: string): boolean {
  const start = `@${handle}`.toLowerCase();
  return text.toLowerCase().startsWith(start) && !/[A-Za-z0-9_]/.test(text.charAt(start.length));
}

/** Returns the link of the quoted post, unless the typed text ends with one. */
async function quoteLink(users: Users, publicUrl: string, { draft, quoted }: Parts): Promise<AppendedLink[]> {
  if (!quoted) return [];
  const linked = linkedPostAtEnd(draft.typed.text, publicUrl);
  if (linked === quoted.id || versionIds(quoted).some((id) => id === linked)) return [];
  const author = (await users.load([quoted.authorId])).get(quoted.authorId);
  return [appendedLink(statusUrl(publicUrl, author?.username, quoted.id), [])];
}

async function mediaLink(users: Users, publicUrl: string, { draft, media }: Parts): Promise<AppendedLink[]> {
  const first = media[0];
  if (!first) return [];
  const author = (await users.load([draft.authorId])).get(draft.authorId);
  const keys = media.map((item) => item.mediaKey);
  const tail = first.type === 'photo' ? '/photo/1' : '/video/1';
  return [appendedLink(statusUrl(publicUrl, author?.username, draft.id) + tail, keys)];
}

function appendedLink(url: string, mediaKeys: readonly string[]): AppendedLink {
  return { url, displayUrl: withoutScheme(url), mediaKeys };
}
