import type { Answer } from '../../http/answer.js';
import { html, type Html } from '../../api/reference/html.js';
import { PipitError } from '../../core/errors.js';
import { entryMatcher } from '../../journal/filter.js';
import type { PageOptions } from '../page.js';
import type { LiveEvents } from './live-events.js';
import { journalFilter, readFilter } from './request-filter.js';
import { requestList, type ShownJournal } from './request-list.js';
import { requestView } from './request-view.js';
import { clipText, visibleText } from './visible-text.js';

/** One page group that shows the requests in a journal. */
export interface Inspector {
  readonly journal: ShownJournal;
  readonly live: LiveEvents;
  /** The path of its list; all others are below it. */
  readonly path: string;
  /** The address of the server, for copies. */
  readonly publicUrl: string;
  /** Renders a page. */
  readonly show: (options: Pick<PageOptions, 'title' | 'wide' | 'script'>, body: Html) => Answer;
}

/** Returns the page with the list; `above` is its heading and what stands above the list. */
export function listPage({ journal, path, show }: Inspector, query: URLSearchParams, above: Html): Answer {
  return show(
    { title: 'Requests', wide: true, script: scriptOf(path) },
    html`${above} ${requestList(journal, path, query)}`,
  );
}

/** Returns the page of one request. Throws `route-not-found` if it is not kept. */
export function requestPage({ journal, path, publicUrl, show }: Inspector, id: string): Answer {
  const entry = /^[1-9][0-9]{0,14}$/.test(id) ? journal.get(Number(id)) : undefined;
  if (entry === undefined) throw new PipitError({ code: 'route-not-found' });
  const { method, path: sentPath } = entry.request;
  return show(
    { title: visibleText(clipText(`${method} ${sentPath}`, 60)), wide: true, script: scriptOf(path) },
    html`<p><a href="${path}">All requests</a></p>
      ${requestView(entry, publicUrl)}`,
  );
}

/** Returns the stream that announces matching requests. */
export function eventStream({ journal, live }: Inspector, query: URLSearchParams): Answer {
  return live.follow(journal, entryMatcher(journalFilter(readFilter(query))));
}

function scriptOf(path: string): string {
  return `${path}/live.js`;
}
