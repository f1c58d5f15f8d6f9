import type { Media } from '../core/post.js';
import { count, date, fullObject, listOf, text } from '../core/json-schema.js';
import { field, required, unshown, type Fields } from '../views/wire/field.js';

/** The counts of media (docs/api/media.md#analytics). Playing is not tracked: only imported media have views. */
export const mediaAnalyticsFields = {
  media_key: required(text, ({ mediaKey }) => mediaKey),
  cta_url_clicks: unshown(count),
  cta_watch_clicks: unshown(count),
  play_from_tap: unshown(count),
  playback25: unshown(count),
  playback50: unshown(count),
  playback75: unshown(count),
  playback_complete: unshown(count),
  playback_start: unshown(count),
  timestamp: unshown(date),
  timestamped_metrics: unshown(listOf(fullObject({ timestamp: date }))),
  video_views: field(count, ({ viewCount }) => viewCount),
  watch_time_ms: unshown(count),
} satisfies Fields<Media>;
