import type { Readable } from 'node:stream';
import { systemTimers } from '../../core/timers.js';
import { Answer } from '../../http/answer.js';
import { EVENT_STREAM_HEADERS } from '../../http/event-stream.js';
import { isSignedIn, type SignedInVisit } from '../visit.js';
import type { CreateRoutes, WebContext } from '../web-context.js';

/** The path of the events that the script of signed-in pages follows. */
const LIVE_PATH = '/i/live';

/** How often a session is looked up while its events are followed. */
const SESSION_CHECK_MS = 15_000;

/** The parameters, which are those of the API. */
const PARAMETERS = ['home_since_id', 'replies_to_id', 'replies_since_id'] as const;

/** `/i/live`: `GET /_pipit/live` for the user of the session, as long as the session lasts. */
export const liveRoutes: CreateRoutes = (pages, context) => [
  pages.show(LIVE_PATH, async (visit) => {
    // Browsers connect again after every answer but this one.
    if (!isSignedIn(visit)) return new Answer(204, undefined, { 'cache-control': 'no-store' });
    const { api, query } = visit;
    const sent = PARAMETERS.map((name) => [name, query.get(name) ?? undefined] as const);
    const stream = await api.open('followLive', Object.fromEntries(sent));
    endWithSession(stream, visit, context);
    return new Answer(200, stream, EVENT_STREAM_HEADERS);
  }),
];

function endWithSession(stream: Readable, { viewer }: SignedInVisit, { sessions }: WebContext): void {
  const check = async (): Promise<void> => {
    if (!(await sessions.lasts(viewer.session))) stream.destroy();
  };
  const stop = systemTimers.every(SESSION_CHECK_MS, () => {
    check().catch(() => stream.destroy());
  });
  stream.once('close', stop);
}
