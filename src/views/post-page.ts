import type { Clock } from '../core/clock.js';
import type { PostId, UserId } from '../core/ids.js';
import type { Post } from '../core/post.js';
import type { WireJson } from '../core/wire-json.js';
import { PostSet } from './hydrate/posts.js';
import type { ViewReads } from './hydrate/reads.js';
import { Includes, onlyOne, type Envelope } from './includes.js';
import { isIncluded, type Excludable, type PostOrigin } from './page-rules.js';
import { PostParts } from './post-parts.js';
import {
  fieldNotAuthorizedError,
  notAuthorizedError,
  notFoundError,
  type Asking,
  wantedOf,
} from './present/partial-errors.js';
import { dataPostFields, type Selection } from './selection.js';
import { refusedMetrics, wantsPrivateMetrics, type Reading } from './wire/post-metrics.js';

export interface ViewDeps {
  readonly reads: ViewReads;
  readonly clock: Clock;
  /** The public URL of the server. */
  readonly publicUrl: string;
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
  for (const post of written) includes.add('tweets', post.id, post);
  return new Set(written.map(({ id }) => id));
}

/**
 * Returns the visible posts that neither the caller nor the timeline excludes, and adds what expansions lead to and the
 * errors to `includes`.
 */
function writePosts(deps: ViewDeps, request: PostRequest, posts: PostSet, includes: Includes): WireJson[] {
  const { ids, selection, viewerId, parameter, exclude, isHome } = request;
  const reading = { nowMs: deps.clock(), viewerId };
  const parts = new PostParts(selection, posts, reading);
  const isWanted = (post: Post, origin: PostOrigin): boolean =>
    (!exclude || isIncluded(post, exclude)) && (!isHome || posts.belongsHome(origin));
  const data: WireJson[] = [];
  // Ids of a list differ, but some may be of older versions of the same post.
  let shown = parameter === undefined ? undefined : new Set<string>();
  const known = parts.find(ids);
  for (const [at, id] of ids.entries()) {
    let part = known[at];
    if (part?.isNewest === false && parameter === undefined) part = undefined;
    if (part === undefined) {
      const post = parameter === undefined ? posts.findNewest(id) : posts.find(id);
      if (post === undefined || posts.visibility(post) !== 'visible') {
        if (parameter !== undefined)
          includes.addError((post ? notAuthorizedError : notFoundError)(wantedOf('tweet', request, id)));
        continue;
      }
      if (!isWanted(post, posts.originOf(post))) continue;
      if (!isLegible(post, request, reading, includes)) continue;
      if (post.id !== id) shown ??= new Set(data.map((before) => before.id));
      part = parts.find([post.id])[0] ?? parts.make(post);
    } else if (!isWanted(part.post, part)) {
      continue;
    }
    if (shown?.has(part.wire.id)) continue;
    shown?.add(part.wire.id);
    data.push(part.wire);
    parts.join(part, includes);
  }
  return data;
}

/** Returns false, and adds an entry per field, if private metrics are requested that the viewer may not see. */
function isLegible(post: Post, request: PostRequest, reading: Reading, includes: Includes): boolean {
  const fields = dataPostFields(request.selection);
  if (!wantsPrivateMetrics(fields)) return true;
  const refused = refusedMetrics(post, fields, reading);
  const wanted = wantedOf('tweet', request, post.id);
  for (const leaf of refused) includes.addError(fieldNotAuthorizedError(wanted, leaf));
  return refused.length === 0;
}
