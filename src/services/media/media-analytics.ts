import type { UserPrincipal } from '../../core/access.js';
import { MAX_ID } from '../../core/ids.js';
import { mediaIdOfKey, type Media } from '../../core/post.js';
import type { Engine } from '../../database/engine.js';
import { findMedia } from '../../stores/media.js';
import { requirePeriods, type PeriodRequest } from '../posts/analytics.js';

export interface MediaAnalyticsRequest extends PeriodRequest {
  readonly keys: readonly string[];
}

export type MediaAnalyticsService = ReturnType<typeof createMediaAnalytics>;

/**
 * Creates the service that returns the media among the keys that belong to the user, by key
 * (docs/api/media.md#analytics). Throws 'invalid-request' for the times that analytics of posts refuse.
 */
export function createMediaAnalytics({ engine }: { readonly engine: Engine }) {
  return async ({ userId }: UserPrincipal, request: MediaAnalyticsRequest): Promise<Map<string, Media>> => {
    requirePeriods(request);
    const ids = request.keys.map(mediaIdOfKey).filter((id) => id <= MAX_ID);
    const found = [...(await findMedia(engine, ids)).values()];
    return new Map(found.filter(({ ownerId }) => ownerId === userId).map((media) => [media.mediaKey, media]));
  };
}
