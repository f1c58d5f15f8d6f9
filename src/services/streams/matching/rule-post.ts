import type { ListId, PostId, UserId } from '../../../core/ids.js';
import { NO_POST_COUNTS, wholeTextOf, type Post } from '../../../core/post.js';
import { foldCase } from '../../../core/search-text/fold.js';
import { tokensOf } from '../../../core/search-text/tokenize.js';
import type { User, UserCounts } from '../../../core/user.js';
import type { Queryable } from '../../../database/engine.js';
import { runsOf } from '../../../database/search.js';
import { findMembershipsAmong } from '../../../stores/list-users.js';
import { findNewestVersions, findPosts } from '../../../stores/posts.js';
import { findUserCounts, findUsers } from '../../../stores/users.js';
import { findVisibleLists } from '../../lists/list-rules.js';
import { type Candidate, candidateOf } from '../../search/candidate.js';
import { documentOf, loadSearchable, type SearchablePost } from '../../search/document.js';
import { boundedToken, FACET } from '../../search/facets.js';
import { addressesOf, indexable, prefixed } from '../../search/post-terms.js';
import { TEXT_PREFIX, usernameKey } from './rule-leaves.js';

/** A new post with everything that rules look at. */
export interface RulePost extends Candidate {
  readonly id: PostId;
  /** All tokens and facets; only facets, and tokens that are not from the text, contain a `:`. */
  readonly terms: ReadonlySet<string>;
  /** The addresses of links in lower case. */
  readonly addresses: readonly string[];
  readonly authorCounts: UserCounts;
}

/**
 * Loads the posts among `ids` that streams may show: those that search may find. `listIds` are the Lists that rules
 * name (docs/api/streams.md#matching).
 */
export async function loadRulePosts(
  db: Queryable,
  ids: readonly PostId[],
  listIds: readonly ListId[],
): Promise<RulePost[]> {
  const posts = await findPosts(db, ids);
  const originals = await findNewestVersions(
    db,
    defined([...posts.values()].map((post) => post.repostedPostId)),
  );
  const contents = new Map([...posts, ...byOwnId(originals)]);
  const quoted = await findNewestVersions(
    db,
    defined([...contents.values()].map((post) => post.quotedPostId)),
  );
  const all = new Map([...byOwnId(quoted), ...contents]);
  const indexables = [...all.values()].map((post) => indexable(post, foldCase));
  const searchables = await loadSearchable(db, indexables, foldCase);
  const around = await loadAround(db, [...all.values()], listIds);
  const found = new Map(searchables.map((searchable) => [searchable.post.id, searchable]));
  return ids.flatMap((id) => {
    const searchable = found.get(id);
    const post = posts.get(id);
    if (searchable === undefined || post === undefined) return [];
    const content = (searchable.original && contents.get(searchable.original.id)) ?? post;
    const quotedPost = content.quotedPostId === undefined ? undefined : quoted.get(content.quotedPostId);
    const quote = quotedPost && found.get(quotedPost.id);
    return [rulePostOf(searchable, { post, content, quote }, around)];
  });
}

/** Versions have ids of their own. */
function byOwnId(posts: ReadonlyMap<PostId, Post>): [PostId, Post][] {
  return [...posts.values()].map((post) => [post.id, post]);
}

function defined<T>(values: readonly (T | undefined)[]): T[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}

interface Around {
  readonly users: ReadonlyMap<UserId, User>;
  readonly counts: ReadonlyMap<UserId, UserCounts>;
  /** The public Lists among those of the rules, by their members. */
  readonly lists: ReadonlyMap<UserId, readonly ListId[]>;
}

async function loadAround(
  db: Queryable,
  posts: readonly Post[],
  listIds: readonly ListId[],
): Promise<Around> {
  const authorIds = defined(posts.map((post) => post.authorId));
  const userIds = defined([...authorIds, ...posts.map((post) => post.inReplyToUserId)]);
  const lists =
    listIds.length === 0 ? new Map<UserId, readonly ListId[]>() : await listsOf(db, authorIds, listIds);
  return { users: await findUsers(db, userIds), counts: await findUserCounts(db, authorIds), lists };
}

/** Returns the public Lists among `listIds` by their members. Rules may name many Lists, but few have these members. */
async function listsOf(
  db: Queryable,
  userIds: readonly UserId[],
  listIds: readonly ListId[],
): Promise<Map<UserId, readonly ListId[]>> {
  const memberships = new Map<UserId, readonly ListId[]>();
  for (const id of userIds) memberships.set(id, await findMembershipsAmong(db, id, listIds));
  const visible = await findVisibleLists(db, undefined, [...new Set([...memberships.values()].flat())]);
  const visibleIds = new Set(visible.map(({ id }) => id));
  for (const [userId, ids] of memberships)
    memberships.set(
      userId,
      ids.filter((id) => visibleIds.has(id)),
    );
  return memberships;
}

interface Parts {
  readonly post: Post;
  /** The original of a repost, otherwise the post. */
  readonly content: Post;
  /** What the content quotes, if search may find it. */
  readonly quote: SearchablePost | undefined;
}

const NO_COUNTS: UserCounts = { followers: 0, following: 0, posts: 0, listed: 0 };

function rulePostOf(searchable: SearchablePost, parts: Parts, around: Around): RulePost {
  const { post, content, quote } = parts;
  const candidate = candidateOf(searchable, documentOf(searchable, foldCase), NO_POST_COUNTS);
  const author = around.users.get(post.authorId);
  const runs = [
    ...candidate.runs,
    ...(quote === undefined ? [] : wordsOf(quote)),
    ...(author === undefined ? [] : profileRuns(author)),
    ...linkRuns(content),
  ];
  const facets = new Set([...candidate.facets, ...namedFacets(parts, around)]);
  return {
    ...candidate,
    id: post.id,
    runs,
    facets,
    terms: new Set([...facets, ...runs.flat()]),
    addresses: addressesOf(content).map((address) => address.toLowerCase()),
    authorCounts: around.counts.get(post.authorId) ?? NO_COUNTS,
  };
}

/** Returns the words of a quoted post, without its links and places. */
function wordsOf({ post }: SearchablePost): readonly (readonly string[])[] {
  const runs = runsOf({ id: post.id, runs: post.terms.runs, facets: '' });
  return runs.filter(([first]) => first !== undefined && !first.includes(':'));
}

function profileRuns({ description, name, location = '' }: User): string[][] {
  return [
    runOf(TEXT_PREFIX.bio, description),
    runOf(TEXT_PREFIX.name, name),
    runOf(TEXT_PREFIX.location, location),
  ];
}

function linkRuns(post: Post): string[][] {
  return (wholeTextOf(post).entities?.urls ?? []).flatMap(({ title, description }) => [
    ...(title === undefined ? [] : [runOf(TEXT_PREFIX.title, title)]),
    ...(description === undefined ? [] : [runOf(TEXT_PREFIX.description, description)]),
  ]);
}

function runOf(prefix: string, text: string): string[] {
  return prefixed(prefix, tokensOf(text, foldCase)).map(boundedToken);
}

/** Returns facets with the names that rules use: usernames, Lists and the source. */
function namedFacets({ post, content }: Parts, { users, lists }: Around): string[] {
  const keyOf = (id: UserId | undefined): string[] => {
    const user = id === undefined ? undefined : users.get(id);
    return user === undefined ? [] : [usernameKey(user.username)];
  };
  return [
    ...keyOf(post.authorId).map(FACET.from),
    ...keyOf(post.inReplyToUserId).map(FACET.to),
    ...(content === post ? [] : keyOf(content.authorId).map(FACET.repostsOfUser)),
    ...(lists.get(post.authorId) ?? []).map(FACET.list),
    ...(post.source === undefined ? [] : [FACET.source(foldCase(post.source))]),
  ];
}
