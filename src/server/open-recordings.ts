import { endpoints } from '../api/route-table.js';
import type { Clock } from '../core/clock.js';
import { AppRecordings } from '../journal/app-recordings.js';
import { LiveEvents } from '../web/inspector/live-events.js';
import type { Config } from './config.js';

/**
 * Creates the recordings of apps, and what browsers follow them by. A server of several processes has no recordings: each
 * process would see a part of the requests.
 */
export function openRecordings({ workers }: Pick<Config, 'workers'>, clock: Clock) {
  const recordings = workers > 1 ? undefined : new AppRecordings({ clock, endpoints });
  return { recordings, recordingEvents: new LiveEvents() };
}
