import type { LimitLeft } from '../../../api/limits-left.js';
import { html, type Html } from '../../../api/reference/html.js';
import { DAY_MS, usageDay } from '../../../core/usage-period.js';
import type { UsageReport } from '../../../services/usage/usage.js';
import { dayPlot, meter, numberText, type PlotDay } from '../../plot.js';

/** The plot goes back so many days, today included. */
export const PLOTTED_DAYS = 30;

/** The posts that an app was given: of its cap, and by day. */
export function usageCard({ used, cap, daysLeft, days }: UsageReport, nowMs: number): Html {
  const plotted = everyDay(days, nowMs);
  const total = numberText(plotted.reduce((sum, { value }) => sum + value, 0));
  const share = `${numberText(used)} of ${numberText(cap)} posts`;
  return html`<div class="card">
    <h2>Usage</h2>
    <p>
      <strong>${share}</strong> in this period; it begins anew in
      ${daysLeft === 1 ? 'a day' : `${daysLeft} days`}.
    </p>
    ${meter(used, cap, share)}
    <p class="hint">Each post counts once a day, on the endpoints that count towards the cap.</p>
    <h3>Posts by day</h3>
    ${dayPlot(plotted, `Posts by day, ${PLOTTED_DAYS} days: ${total} in all`)}
    <details>
      <summary>The same in numbers</summary>
      ${dayTable(plotted.filter(({ value }) => value > 0))}
    </details>
  </div>`;
}

/** What is left of the limits that were used. */
export function limitsCard(limits: readonly LimitLeft[], nowMs: number): Html {
  return html`<div class="card full">
    <h2>Limits left</h2>
    ${
      limits.length === 0
        ? html`<p>Nothing was used within the last minutes, or this server has no rate limits.</p>`
        : html`<div class="scroll" tabindex="0" role="region" aria-label="Limits left">
            <table>
              <thead>
                <tr>
                  <th scope="col">Endpoint</th>
                  <th scope="col">Counted for</th>
                  <th scope="col" class="number">Left</th>
                  <th scope="col" class="number">Of</th>
                  <th scope="col" class="number">Anew in</th>
                </tr>
              </thead>
              <tbody>
                ${limits.map((limit) => limitRow(limit, nowMs))}
              </tbody>
            </table>
          </div>`
    }
  </div>`;
}

function limitRow({ method, path, per, limit, remaining, resetSeconds }: LimitLeft, nowMs: number): Html {
  const minutes = Math.max(1, Math.ceil((resetSeconds - nowMs / 1000) / 60));
  return html`<tr>
    <td><code>${method} ${path}</code></td>
    <td>${per === 'app' ? 'the app’s own token' : 'you'}</td>
    <td class="number">${numberText(remaining)}</td>
    <td class="number">${numberText(limit)}</td>
    <td class="number">${minutes} min</td>
  </tr>`;
}

function dayTable(days: readonly PlotDay[]): Html {
  if (days.length === 0) return html`<p>There were none.</p>`;
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Day (UTC)</th>
        <th scope="col" class="number">Posts</th>
      </tr>
    </thead>
    <tbody>
      ${days.map(
        ({ date, value }) =>
          html`<tr>
            <td>${date}</td>
            <td class="number">${numberText(value)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Days without posts too, so that the plot's width is time. */
function everyDay(days: UsageReport['days'], nowMs: number): PlotDay[] {
  const today = usageDay(nowMs);
  const posts = new Map(days.map((day) => [day.day, day.posts]));
  return Array.from({ length: PLOTTED_DAYS }, (_, index) => {
    const day = today - PLOTTED_DAYS + 1 + index;
    return { date: new Date(day * DAY_MS).toISOString().slice(0, 10), value: posts.get(day) ?? 0 };
  });
}
