import type { PollId, PostId, UserId } from '../core/ids.js';
import { firstVersionId, type Post } from '../core/post.js';
import type { WireObject } from '../core/wire-json.js';
import { ObjectSet } from './hydrate/objects.js';
import { Includes, type Envelope } from './includes.js';
import type { ViewDeps } from './post-page.js';
import { hiddenError, type Asking, wantedOf } from './present/partial-errors.js';
import { type PostState, postStateFields } from './wire/post-state.js';
import { presenter } from './wire/presenter.js';

const present = presenter(postStateFields, new Set());

export interface PostStateRequest extends Asking {
  readonly ids: readonly PostId[];
  readonly viewerId: UserId;
}

/**
 * Returns what the viewer did with these posts, each once; missing and invisible posts become entries of `errors`. A
 * repost stands for its original.
 */
export function viewPostStates(
  { reads }: ViewDeps,
  request: PostStateRequest,
): Promise<Envelope<WireObject[]>> {
  const objects = new ObjectSet(reads, request.viewerId);
  return objects.complete(() => {
    const includes = new Includes();
    const data: WireObject[] = [];
    for (const id of new Set(request.ids)) {
      const post = objects.find(id);
      const error = hiddenError(wantedOf('tweet', request, id), post && objects.visibility(post));
      if (error) includes.addError(error);
      else if (post) data.push(present(stateOf(objects, id, objects.originalOf(post) ?? post)));
    }
    return includes.envelope(data.length > 0 ? data : undefined);
  });
}

function stateOf(objects: ObjectSet, id: PostId, post: Post): PostState {
  const firstId = firstVersionId(post);
  const isBookmarked = objects.isBookmarked(firstId);
  const pollId = post.detail.pollIds?.[0];
  return {
    id,
    isLiked: objects.isLiked(firstId),
    isReposted: objects.isReposted(firstId),
    isBookmarked,
    bookmarkFolderId: isBookmarked ? objects.bookmarkFolderOf(firstId) : undefined,
    chosenOption: pollId === undefined ? undefined : objects.voteIn(BigInt(pollId) as PollId),
  };
}
