import type { MediaId, PostId } from '../../core/ids.js';
import { mediaIdOfKey, shownMediaKeys, type Post } from '../../core/post.js';
import type { Engine } from '../../database/engine.js';
import { findImportedObjects } from '../../stores/imports.js';
import { pageFreeMedia } from '../../stores/media.js';
import { deleteMedia } from '../../stores/media-uploads.js';
import { pagePosts } from '../../stores/posts.js';

/** Media whose posts are looked for together: their ids are in memory. */
const WINDOW = 100_000;

const PAGE = 1_000;

/** Returns those of the posts that do not count, because they are about to be deleted. */
type GoingAmong = (posts: readonly Post[]) => Promise<ReadonlySet<PostId>>;

/** Media that one transaction deletes. */
const CHUNK = 500;

/**
 * Yields imported media that no post shows, some at a time. They were shown by posts that are deleted: archives have media
 * with posts only.
 */
export async function* unshownMedia(
  { engine, signal }: { readonly engine: Engine; readonly signal: AbortSignal },
  goingAmong: GoingAmong,
): AsyncGenerator<MediaId[]> {
  let after: MediaId | undefined = -1n as MediaId;
  while (after !== undefined) {
    const unshown = new Set<MediaId>();
    after = await collect(engine, after, unshown);
    if (unshown.size > 0) await leaveShown({ engine, signal }, unshown, goingAmong);
    if (unshown.size > 0) yield [...unshown];
  }
}

/** Adds imported media that nobody owns. Returns where to continue; undefined at the end. */
async function collect(engine: Engine, from: MediaId, found: Set<MediaId>): Promise<MediaId | undefined> {
  let after: MediaId | undefined = from;
  while (after !== undefined && found.size < WINDOW) {
    const page: MediaId[] = await pageFreeMedia(engine, after, PAGE);
    for (const id of (await findImportedObjects(engine, 'media', page)).keys()) found.add(id as MediaId);
    after = page.length < PAGE ? undefined : page.at(-1);
  }
  return after;
}

/** Takes the media out that a post shows. */
async function leaveShown(
  { engine, signal }: { readonly engine: Engine; readonly signal: AbortSignal },
  media: Set<MediaId>,
  goingAmong: GoingAmong,
): Promise<void> {
  let after: PostId | undefined = -1n as PostId;
  while (after !== undefined) {
    signal.throwIfAborted();
    const posts: Post[] = await pagePosts(engine, after, PAGE);
    const showing = posts.filter((post) => shownMediaKeys(post).some((key) => media.has(mediaIdOfKey(key))));
    const going = showing.length === 0 ? new Set<PostId>() : await goingAmong(showing);
    for (const post of showing)
      if (!going.has(post.id)) for (const key of shownMediaKeys(post)) media.delete(mediaIdOfKey(key));
    after = posts.length < PAGE ? undefined : posts.at(-1)?.id;
  }
}

/** Deletes media that nothing uses, with all of their rows. */
export async function deleteUnshown(engine: Engine, ids: readonly MediaId[]): Promise<void> {
  for (let at = 0; at < ids.length; at += CHUNK)
    await engine.tx('prune media', (tx) => deleteMedia(tx, ids.slice(at, at + CHUNK)));
}
