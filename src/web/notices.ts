import { html, type Html } from '../api/reference/html.js';
import { NOTICES_PATH } from './navigation.js';
import type { SignedInVisit } from './visit.js';

/** A notice as the API shows it (docs/api/pipit.md#notices). */
export interface WireNotice {
  readonly id: string;
  readonly excerpt: string;
  readonly reason: string;
  readonly created_at: string;
  readonly is_read: boolean;
}

/** Returns a message above a page if the operators did something that the user has not read about. */
export async function noticeNote(visit: SignedInVisit): Promise<Html | undefined> {
  const { data: [newest] = [] } = await visit.api.call<WireNotice[]>('getNotices', { max_results: 1 });
  if (!newest || newest.is_read) return undefined;
  return html`<div class="note bad" role="status">
    <p>The operators removed a post of yours. <a href="${NOTICES_PATH}">Read why</a></p>
  </div>`;
}
