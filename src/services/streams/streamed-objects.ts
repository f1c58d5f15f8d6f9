import type { EdgeId, PostId } from '../../core/ids.js';
import type { FeedEntry } from '../../database/feed.js';
import type { Engine } from '../../database/engine.js';
import { editHistories, postsInLanguage } from './streamed-posts.js';
import { likesOf } from './streamed-likes.js';

/** What streams look up beside the views. */
export type StreamedObjects = ReturnType<typeof createStreamedObjects>;

export function createStreamedObjects(engine: Engine) {
  return {
    postsInLanguage: (ids: readonly PostId[], language: string) => postsInLanguage(engine, ids, language),
    editHistories: (ids: readonly PostId[]) => editHistories(engine, ids),
    likesOf: (entries: readonly FeedEntry[], isChosen: (id: EdgeId) => boolean) =>
      likesOf(engine, entries, isChosen),
  };
}
