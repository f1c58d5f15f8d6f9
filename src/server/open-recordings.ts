import { endpoints } from '../api/route-table.js';
import type { Clock } from '../core/clock.js';
import { AppRecordings } from '../journal/app-recordings.js';
import type { RecordingPeers } from '../journal/recording-peers.js';
import { LiveEvents } from '../web/inspector/live-events.js';

/** Creates the recordings of apps, and what browsers follow them by. `peers` are absent for a single process. */
export function openRecordings(clock: Clock, peers: RecordingPeers | undefined) {
  return { recordings: new AppRecordings({ clock, endpoints }, peers), recordingEvents: new LiveEvents() };
}
