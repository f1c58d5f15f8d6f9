import { html, type Html } from '../../api/reference/html.js';
import type { Poll } from '../../core/post.js';
import { momentText } from '../times.js';

/** Returns the results of a poll; pages do not offer voting. */
export function pollResults(poll: Poll, nowMs: number): Html {
  const total = poll.options.reduce((sum, { votes }) => sum + votes, 0);
  return html`<div class="poll">
    ${poll.options.map(
      ({ label, votes }) =>
        html`<div class="option">
          <span dir="auto">${label}</span> <span class="share">${share(votes, total)}</span>
          <progress value="${votes}" max="${Math.max(total, 1)}" aria-label="${label}"></progress>
        </div>`,
    )}
    <p class="hint">
      ${total === 1 ? '1 vote' : `${total.toLocaleString('en')} votes`} · ${ending(poll, nowMs)}
    </p>
  </div>`;
}

function share(votes: number, total: number): string {
  return `${total === 0 ? 0 : Math.round((100 * votes) / total)}%`;
}

function ending({ endsAtMs, votingStatus }: Poll, nowMs: number): Html | string {
  if (endsAtMs === undefined) return votingStatus === 'open' ? 'open' : 'final results';
  return endsAtMs <= nowMs ? 'final results' : html`open until ${momentText(endsAtMs)}`;
}
