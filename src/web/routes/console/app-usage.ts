import type { LimitLeft } from '../../../api/limits-left.js';
import { html, type Html } from '../../../api/reference/html.js';
import { usageDay } from '../../../core/usage-period.js';
import { requireOwnApp } from '../../../services/apps/own-apps.js';
import type { UsageReport } from '../../../services/usage/usage.js';
import { entryList, type Entry } from '../../lists.js';
import { dateOf, dayPlot, meter, numberTable, numberText, type PlotDay } from '../../plot.js';
import { CONSOLE_PATH } from '../../navigation.js';
import type { CreateRoutes } from '../../web-context.js';
import { appIdOf, appPage } from './app-section.js';

/** The number of days in the plot, including today. */
export const PLOTTED_DAYS = 30;

type DayUsage = UsageReport['days'][number];

/** How much an app is used, and what is left of its limits. */
export const appUsageRoutes: CreateRoutes = (pages, { accounts, usage, limitsLeft, clock }) => [
  pages.showToUser(`${CONSOLE_PATH}/{id}/usage`, async (visit) => {
    const { user } = visit.viewer;
    const app = await requireOwnApp(accounts, user.id, appIdOf(visit));
    const report = await usage.report(app, PLOTTED_DAYS);
    return appPage(
      visit,
      app,
      { tab: 'usage' },
      html`${usageCard(report, clock())} ${limitsCard(limitsLeft(app, user.id), clock())}`,
    );
  }),
];

/** Returns the usage of an app: its posts against the cap, and posts and requests by day. */
function usageCard({ used, cap, daysLeft, days }: UsageReport, nowMs: number): Html {
  const every = everyDay(days, nowMs);
  const share = `${numberText(used)} of ${numberText(cap)} posts`;
  return html`<div class="card full">
    <h2>Usage</h2>
    <p>
      <strong>${share}</strong> in this period, which resets in
      ${daysLeft === 1 ? 'a day' : `${daysLeft} days`}.
    </p>
    ${meter(used, cap, share)}
    <p class="hint">Each post counts once a day, on the endpoints that count towards the cap.</p>
    ${plotOf('Posts', every, ({ posts }) => posts)} ${plotOf('Requests', every, ({ requests }) => requests)}
    ${numbersOf(every.filter(({ posts, requests }) => posts + requests > 0))}
  </div>`;
}

/** Returns the remaining limits of endpoints that were used. */
function limitsCard(limits: readonly LimitLeft[], nowMs: number): Html {
  return html`<div class="card full">
    <h2>Remaining rate limits</h2>
    ${entryList(
      limits,
      (limit) => limitEntry(limit, nowMs),
      html`<p>No limited endpoint was used in the last minutes, or this server has no rate limits.</p>`,
    )}
  </div>`;
}

function limitEntry({ method, path, per, limit, remaining, resetSeconds }: LimitLeft, nowMs: number): Entry {
  const minutes = Math.max(1, Math.ceil((resetSeconds - nowMs / 1000) / 60));
  return {
    what: html`<p><code>${method} ${path}</code></p>
      <p class="hint">${per === 'app' ? 'with the app’s own token' : 'for you'}</p>`,
    aside: html`<span>${numberText(remaining)} of ${numberText(limit)} left, resets in ${minutes} min</span>`,
  };
}

function plotOf(what: string, days: readonly DayUsage[], valueOf: (day: DayUsage) => number): Html {
  const plotted: PlotDay[] = days.map((day) => ({ date: dateOf(day.day), value: valueOf(day) }));
  const total = plotted.reduce((sum, { value }) => sum + value, 0);
  const label = `${what} by day, ${PLOTTED_DAYS} days: ${numberText(total)} in total`;
  return html`<h3>${what} by day</h3>
    ${total === 0 ? html`<p>None in ${PLOTTED_DAYS} days.</p>` : dayPlot(plotted, label)}`;
}

function numbersOf(days: readonly DayUsage[]): Html | undefined {
  if (days.length === 0) return undefined;
  return html`<details>
    <summary>Show as a table</summary>
    ${numberTable(
      ['Day (UTC)', 'Posts', 'Requests'],
      days.map(({ day, posts, requests }) => [dateOf(day), posts, requests]),
    )}
  </details>`;
}

/** Includes days without usage, so that the plot's axis is linear in time. */
function everyDay(days: readonly DayUsage[], nowMs: number): DayUsage[] {
  const today = usageDay(nowMs);
  const used = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length: PLOTTED_DAYS }, (_, index) => {
    const day = today - PLOTTED_DAYS + 1 + index;
    return used.get(day) ?? { day, posts: 0, requests: 0 };
  });
}
