import type { UserId } from '../core/ids.js';
import type { Post, PostCounts, PostDetail } from '../core/post.js';
import { indexable, type IndexablePost } from '../services/search/post-terms.js';
import type { PackedPost } from '../stores/import-rows.js';
import type { Batch } from './batch.js';
import type { PostSighting, Sighting } from './sighting.js';
import { withoutUndefined } from './wire-json.js';

/**
 * A batch in the form in which it is written, cheap to transfer between threads. Rows and index terms of posts are
 * precomputed, because most posts are new.
 */
export interface PackedBatch extends Omit<Batch, 'posts'> {
  readonly posts: readonly PackedSighting[];
}

/** A sighting of a post with its row and index terms. */
export interface PackedSighting extends Sighting {
  readonly post: PackedPost & IndexablePost;
  readonly counts: PostCounts | undefined;
  readonly mentionedIds: readonly UserId[];
}

export function packBatch(batch: Batch): PackedBatch {
  return { ...batch, posts: [...batch.posts.values()].map(packSighting) };
}

export function packSighting(sighting: PostSighting): PackedSighting {
  return { ...sighting, post: packPost(sighting.post) };
}

/** Restores the sighting, to compare it with a stored post. */
export function unpackSighting(sighting: PackedSighting): PostSighting {
  const { post } = sighting;
  const detail = JSON.parse(post.detailJson) as PostDetail;
  const added = { mediaKeys: undefined, editHistory: undefined, terms: undefined, detailJson: undefined };
  return { ...sighting, post: withoutUndefined({ ...post, ...added, detail }) };
}

function packPost(post: Post): PackedPost & IndexablePost {
  return { ...indexable(post), detailJson: JSON.stringify(post.detail) };
}
