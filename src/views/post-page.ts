import type { Clock } from '../core/clock.js';
import type { PostId, UserId } from '../core/ids.js';
import { NO_POST_COUNTS, type Post } from '../core/post.js';
import type { User } from '../core/user.js';
import type { WireJson } from '../core/wire-json.js';
import { expandPosts } from './expand-posts.js';
import { PostSet } from './hydrate/posts.js';
import type { ViewReads } from './hydrate/reads.js';
import { Includes, onlyOne, type Envelope } from './includes.js';
import {
  fieldNotAuthorizedError,
  notAuthorizedError,
  notFoundError,
  type Asking,
  wantedOf,
} from './present/partial-errors.js';
import { isIncluded, type Excludable } from './page-rules.js';
import { withPostMetrics } from './present/counted-json.js';
import type { FixedJson } from './present/fixed-json.js';
import { includedPostFields, withFollowed, type Selection } from './selection.js';
import { changingPostFields } from './wire/post.js';
import {
  refusedMetrics,
  showsPrivateMetrics,
  wantsPrivateMetrics,
  type Reading,
} from './wire/post-metrics.js';
import { presenter } from './wire/presenter.js';

export interface ViewDeps {
  readonly reads: ViewReads;
  readonly clock: Clock;
  /** The public URL of the server. */
  readonly publicUrl: string;
  /** The cache of serialized posts and users. */
  readonly written: Written;
}

interface Written {
  readonly posts: FixedJson<Post>;
  readonly users: FixedJson<User>;
}

export interface PostRequest extends Asking {
  readonly ids: readonly PostId[];
  readonly viewerId: UserId | undefined;
  readonly selection: Selection;
  /** Kinds of posts to exclude. */
  readonly exclude?: ReadonlySet<Excludable>;
  /** If true, shows only posts of the viewer's home timeline. */
  readonly isHome?: boolean;
}

/**
 * Returns the posts with these ids as visible to the viewer, in the requested order, each once: hydrates, applies
 * rules, presents. Missing and invisible posts become entries of `errors`; pages omit them
 * (docs/api/objects.md#visibility).
 */
export function viewPosts(deps: ViewDeps, request: PostRequest): Promise<Envelope<WireJson[]>> {
  const posts = new PostSet(deps.reads, request.viewerId);
  return posts.complete(() => presentPosts(deps, request, posts));
}

/**
 * Returns an answer of its own for each post, in the requested order; without `data` if the post is not visible. An
 * edited post is shown as the version that the id names.
 */
export function viewEachPost(
  deps: ViewDeps,
  request: Pick<PostRequest, 'ids' | 'viewerId' | 'selection'>,
): Promise<Envelope<WireJson>[]> {
  const posts = new PostSet(deps.reads, request.viewerId);
  return posts.complete(() =>
    request.ids.map((id) => onlyOne(presentPosts(deps, { ...request, ids: [id], parameter: 'id' }, posts))),
  );
}

/** Does the same as `viewPosts` from posts that are looked up by the caller's pass (see `PostSet.complete`). */
export function presentPosts(deps: ViewDeps, request: PostRequest, posts: PostSet): Envelope<WireJson[]> {
  const includes = new Includes();
  const data = writePosts(deps, request, posts, includes);
  return includes.envelope(data.length > 0 ? data : undefined);
}

/** Adds the visible posts to `includes`, beside what expansions lead to. Returns the ids of these posts. */
export function includePosts(
  deps: ViewDeps,
  request: PostRequest,
  posts: PostSet,
  includes: Includes,
): Set<string> {
  const written = writePosts(deps, request, posts, includes);
  for (const post of written) includes.add('tweets', post.id, () => post);
  return new Set(written.map(({ id }) => id));
}

/** Returns the visible posts, and adds what expansions lead to and the errors to `includes`. */
function writePosts(deps: ViewDeps, request: PostRequest, posts: PostSet, includes: Includes): WireJson[] {
  const { selection, viewerId } = request;
  const fields = withFollowed(selection.postFields, selection);
  const nowMs = deps.clock();
  const reading = { nowMs, viewerId };
  const shown = shownPosts(posts, request, includes);
  const legible = wantsPrivateMetrics(fields)
    ? shown.filter((post) => isLegible(post, request, fields, reading, includes))
    : shown;
  const writer = (shownFields: ReadonlySet<string>) => postWriter(deps.written, shownFields, posts, reading);
  const data = legible.map(writer(fields));
  if (selection.expansions.size > 0) {
    const presentIncluded = writer(includedPostFields(selection));
    expandPosts(deps.written.users, { shown: legible, posts, selection, includes, nowMs, presentIncluded });
  }
  return data;
}

/** Returns a writer of posts with these fields. */
function postWriter(
  written: Written,
  fields: ReadonlySet<string>,
  posts: PostSet,
  reading: Reading,
): (post: Post) => WireJson {
  const fixed = written.posts.writer(fields);
  const isChanging = Object.keys(changingPostFields).some((field) => fields.has(field));
  const isCounted = fields.has('public_metrics');
  const needsCounts = isCounted || wantsPrivateMetrics(fields);
  if (!isCounted && !isChanging) return fixed;
  const presentChanging = presenter(changingPostFields, fields);
  return (post) => {
    const original = posts.originalOf(post);
    const counts = needsCounts ? posts.countsOf(post) : undefined;
    const counted = isCounted
      ? withPostMetrics(fixed(post), counts, original && posts.countsOf(original))
      : fixed(post);
    if (!isChanging) return counted;
    const privateCounts = showsPrivateMetrics(post, reading) ? (counts ?? NO_POST_COUNTS) : undefined;
    return counted.with(presentChanging(post, { nowMs: reading.nowMs, privateCounts }));
  };
}

/** Returns the visible posts that neither the caller nor the timeline excludes. */
function shownPosts(posts: PostSet, request: PostRequest, includes: Includes): Post[] {
  const shown = new Set<Post>();
  for (const id of request.ids) {
    const post = request.parameter === undefined ? posts.findNewest(id) : posts.find(id);
    const isVisible = post && posts.visibility(post) === 'visible';
    if (isVisible) {
      if (isWanted(posts, request, post)) shown.add(post);
    } else if (request.parameter !== undefined) {
      const wanted = wantedOf('tweet', request, id);
      includes.addError(post ? notAuthorizedError(wanted) : notFoundError(wanted));
    }
  }
  return [...shown];
}

/** Returns false for posts that the caller or the timeline excludes. */
function isWanted(posts: PostSet, { exclude, isHome }: PostRequest, post: Post): boolean {
  return (!exclude || isIncluded(post, exclude)) && (!isHome || posts.belongsHome(post));
}

/** Returns false, and adds an entry per field, if private metrics are requested that the viewer may not see. */
function isLegible(
  post: Post,
  request: PostRequest,
  fields: ReadonlySet<string>,
  reading: Reading,
  includes: Includes,
): boolean {
  const refused = refusedMetrics(post, fields, reading);
  const wanted = wantedOf('tweet', request, post.id);
  for (const leaf of refused) includes.addError(fieldNotAuthorizedError(wanted, leaf));
  return refused.length === 0;
}
