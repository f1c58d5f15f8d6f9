import { enhanceKeys } from './keys.js';
import { followLive } from './live.js';
import { showSentMessages } from './messages.js';
import { PageWindow } from './page-window.js';
import { timelineOf } from './page-parts.js';
import { enhancePaging } from './paging.js';
import { forgetPlacesAtSignOut, keepPlaceForReturn } from './place.js';
import { enhanceTimes } from './times.js';

/** Makes lists of posts endless, keeps the place in them, announces what is new, and lets keys act. */
export function enhanceReading(): void {
  forgetPlacesAtSignOut();
  const timeline = timelineOf(document);
  const list = timeline && new PageWindow(timeline);
  if (timeline && list) {
    keepPlaceForReturn(timeline, list);
    enhancePaging(timeline, list);
  }
  showSentMessages();
  followLive(list);
  enhanceKeys();
  enhanceTimes();
}
