import { MAX_ID, type PostId } from '../core/ids.js';
import { mediaIdOfKey, shownMediaKeys, type Media } from '../core/post.js';
import type { WireObject } from '../core/wire-json.js';
import { PostSet } from './hydrate/posts.js';
import { Includes, type Envelope } from './includes.js';
import type { Lookup } from './list-owner.js';
import type { ViewDeps } from './post-page.js';
import { notFoundError, wantedOf } from './present/partial-errors.js';
import { mediaFields } from './wire/media.js';
import { presenter } from './wire/presenter.js';

export interface MediaRequest extends Pick<Lookup, 'viewerId' | 'selection'> {
  readonly keys: readonly string[];
  /** The request parameter with the keys, for error entries. */
  readonly parameter: string;
}

/**
 * Returns the media with these keys in the requested order, each once. Media are visible to their owner, and
 * with each post that shows them. Other users do not find media of messages and unattached media.
 */
export function viewMediaObjects(
  { reads }: ViewDeps,
  { keys, viewerId, selection, parameter }: MediaRequest,
): Promise<Envelope<WireObject[]>> {
  const posts = new PostSet(reads, viewerId);
  const present = presenter(mediaFields, selection.mediaFields);
  return posts.complete(() => {
    const includes = new Includes();
    const data: WireObject[] = [];
    for (const key of new Set(keys)) {
      const media = visibleMedia(posts, key);
      if (media) data.push(present(media));
      else includes.addError(notFoundError(wantedOf('media', { parameter }, key)));
    }
    return includes.envelope(data.length > 0 ? data : undefined);
  });
}

function visibleMedia(posts: PostSet, key: string): Media | undefined {
  const id = mediaIdOfKey(key);
  const media = id <= MAX_ID ? posts.findMedia(id) : undefined;
  if (media?.mediaKey !== key) return undefined;
  if (media.ownerId !== undefined && media.ownerId === posts.viewerId) return media;
  const post = media.attachedTo === undefined ? undefined : posts.find(media.attachedTo as PostId);
  // An imported post may have the id of a message.
  if (post && shownMediaKeys(post).includes(key))
    return posts.visibility(post) === 'visible' ? media : undefined;
  // Imported media have no owner here, but always belong to some post.
  return media.ownerId === undefined ? media : undefined;
}
