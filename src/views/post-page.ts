import type { Clock } from '../core/clock.js';
import type { PostId, UserId } from '../core/ids.js';
import type { Post } from '../core/post.js';
import { expandPosts } from './expand-posts.js';
import { PostSet } from './hydrate/posts.js';
import type { ViewReads } from './hydrate/reads.js';
import { Includes, type Envelope } from './includes.js';
import {
  fieldNotAuthorizedError,
  notAuthorizedError,
  notFoundError,
  type Wanted,
} from './present/partial-errors.js';
import { refusedMetrics } from './present/post-metrics.js';
import { presentPost } from './present/post.js';
import { referencedIds, versionIds } from './referenced-ids.js';
import { includedPostFields, primaryPostFields, wantsReferencedPosts, type Selection } from './selection.js';

export interface ViewDeps {
  readonly reads: ViewReads;
  readonly clock: Clock;
}

type WireObject = Record<string, unknown>;

export interface PostRequest {
  readonly ids: readonly PostId[];
  readonly viewerId: UserId | undefined;
  readonly selection: Selection;
  /** The request parameter that the ids come from, for error entries; absent: what cannot be shown is left out. */
  readonly parameter?: string;
}

/** Fields whose values are counts. */
const COUNTED_FIELDS = ['public_metrics', 'organic_metrics', 'non_public_metrics'];

/**
 * The posts with these ids as the viewer may see them, in the order asked for, each once: hydrate, rules, present.
 * What is missing or not visible becomes an entry of `errors`, or, for pages, is left out (reference/objects.md 15).
 */
export async function viewPosts(deps: ViewDeps, request: PostRequest): Promise<Envelope<WireObject[]>> {
  const { selection, viewerId } = request;
  const includes = new Includes();
  const posts = new PostSet(deps.reads, viewerId);
  await posts.load(request.ids);
  const fields = primaryPostFields(selection);
  const nowMs = deps.clock();
  const shown = visiblePosts(posts, request, includes).filter((post) => {
    const refused = refusedMetrics(post, viewerId, fields, nowMs);
    for (const leaf of refused) {
      includes.addError(fieldNotAuthorizedError(String(post.id), leaf, request.parameter ?? 'id'));
    }
    return refused.length === 0;
  });

  await loadRelatedPosts(posts, shown, selection);
  const present = (post: Post, shownFields: ReadonlySet<string>): WireObject =>
    presentPost(post, shownFields, {
      nowMs,
      viewerId,
      counts: posts.countsOf(post.id),
      originalCounts: post.repostedPostId === undefined ? undefined : posts.countsOf(post.repostedPostId),
    });
  const data = shown.map((post) => present(post, fields));
  if (selection.expansions.size > 0) {
    const includedFields = includedPostFields(selection);
    await expandPosts(deps.reads.db, {
      shown,
      posts,
      selection,
      includes,
      nowMs,
      presentIncluded: (post) => present(post, includedFields),
    });
  }
  return includes.envelope(data.length > 0 ? data : undefined);
}

/** One post: as `viewPosts`, with the object itself as `data`. */
export async function viewPost(
  deps: ViewDeps,
  request: Omit<PostRequest, 'ids'> & { readonly id: PostId },
): Promise<Envelope<WireObject>> {
  const { data, ...rest } = await viewPosts(deps, { ...request, ids: [request.id] });
  return data?.[0] === undefined ? rest : { data: data[0], ...rest };
}

function visiblePosts(posts: PostSet, request: PostRequest, includes: Includes): Post[] {
  const shown: Post[] = [];
  for (const id of new Set(request.ids)) {
    const post = posts.find(id);
    const isVisible = post && posts.visibility(post) === 'visible';
    if (isVisible) {
      shown.push(post);
    } else if (request.parameter !== undefined) {
      const wanted: Wanted = {
        type: 'tweet',
        parameter: request.parameter,
        value: String(id),
        section: 'data',
      };
      includes.addError(post ? notAuthorizedError(wanted) : notFoundError(wanted));
    }
  }
  return shown;
}

/** Loads what the expansions and fields need of other posts: referenced ones, other versions, counts. */
async function loadRelatedPosts(posts: PostSet, shown: readonly Post[], selection: Selection): Promise<void> {
  const related: PostId[] = [];
  for (const post of shown) {
    if (wantsReferencedPosts(selection)) related.push(...referencedIds(post));
    if (selection.expansions.has('edit_history_tweet_ids')) related.push(...versionIds(post));
  }
  await posts.load(related);
  if (COUNTED_FIELDS.some((field) => selection.postFields.has(field))) {
    await posts.loadCounts([...shown.map((post) => post.id), ...related]);
  }
}
