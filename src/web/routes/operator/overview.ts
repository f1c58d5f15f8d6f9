import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { dayOf, type DayFigure, type DayFigureName } from '../../../core/day-figures.js';
import { MOST_COUNTED, readOverview, type Overview } from '../../../services/overview/overview.js';
import { SHOWN_DAYS } from '../../../services/overview/count-days.js';
import { factList } from '../../lists.js';
import { dateOf, dayPlot, meter, numberTable, numberText, type PlotDay } from '../../plot.js';
import { timeText } from '../../times.js';
import type { Visit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { operatorPage, PATHS } from './operator-pages.js';

/** The first page of the desk: people, posts, storage, background work and health. */
export const overviewRoutes: CreateRoutes = (pages, context) => [
  pages.showToUser(PATHS.overview, (visit) => showOverview(visit, context)),
];

async function showOverview(visit: Visit, context: WebContext): Promise<Answer> {
  const overview = await readOverview(context.accounts);
  const nowMs = context.clock();
  return operatorPage(
    visit,
    { title: 'Overview', current: PATHS.overview },
    html`${await healthCard(context)} ${networkCard(overview, nowMs)} ${storageCard(overview)}
    ${workCard(overview)} ${cachesCard(overview)}`,
  );
}

async function healthCard({ health, version }: WebContext): Promise<Html> {
  const { ready, checks } = await health();
  const states = Object.entries(checks).map(([name, { ok, detail }]) => [
    CHECK_WORDS[name] ?? name,
    html`${ok ? 'good' : html`<strong class="fault">bad</strong>`}${detail !== undefined && `, ${detail}`}`,
  ]);
  return html`<div class="card full">
    <h2>${ready ? 'The server is healthy' : 'The server needs attention'}</h2>
    ${factList({ ...(Object.fromEntries(states) as Record<string, Html>), Version: version })}
  </div>`;
}

const CHECK_WORDS: Readonly<Record<string, string>> = {
  database: 'Database',
  disk: 'Disk',
  migrations: 'Schema',
  jobs: 'Background jobs',
};

function networkCard({ days, openCases }: Overview, nowMs: number): Html {
  const people = newestOf(days, 'people');
  const plots: readonly [DayFigureName, string][] = [
    ['posts', 'Posts a day'],
    ['authors', 'People who posted, a day'],
    ['sign_ups', 'New accounts a day'],
  ];
  return html`<div class="card full">
    <h2>The network</h2>
    ${factList({
      People: people && numberText(people.value),
      'Open reports': html`<a href="${PATHS.reports}">${boundedText(openCases, MOST_COUNTED)}</a>`,
      Counted: people && timeText(people.countedAtMs, nowMs),
    })}
    ${!people && html`<p class="absent">Nothing was counted yet. The server counts every hour.</p>`}
    ${people && plots.map(([name, label]) => plotOf(days, name, label, nowMs))} ${people && daysTable(days)}
  </div>`;
}

function plotOf(figures: readonly DayFigure[], name: DayFigureName, label: string, nowMs: number): Html {
  const today = dayOf(nowMs);
  const values = new Map(figures.filter((each) => each.name === name).map(({ day, value }) => [day, value]));
  const days: PlotDay[] = Array.from({ length: SHOWN_DAYS }, (_, n) => {
    const day = today - SHOWN_DAYS + 1 + n;
    return { date: dateOf(day), value: values.get(day) ?? 0 };
  });
  const last = numberText(days.at(-1)?.value ?? 0);
  return html`<h3>${label}</h3>
    ${dayPlot(days, `${label} in the last ${SHOWN_DAYS} days; today ${last}. The table has the numbers.`)}`;
}

function daysTable(figures: readonly DayFigure[]): Html {
  const byDay = new Map<number, Partial<Record<DayFigureName, number>>>();
  for (const { day, name, value } of figures) byDay.set(day, { ...byDay.get(day), [name]: value });
  const rows = [...byDay].reverse();
  return html`<details>
    <summary>The numbers</summary>
    ${numberTable(
      ['Day (UTC)', 'Posts', 'Authors', 'New accounts'],
      rows.map(([day, { posts = 0, authors = 0, sign_ups: signUps = 0 }]) => [
        dateOf(day),
        posts,
        authors,
        signUps,
      ]),
    )}
  </details>`;
}

function storageCard({ databaseBytes, days }: Overview): Html {
  const media = newestOf(days, 'media_bytes')?.value;
  return html`<div class="card full">
    <h2>Storage</h2>
    ${factList({ Database: bytesText(databaseBytes), Media: media === undefined ? false : bytesText(media) })}
    ${
      media !== undefined &&
      media > 0 &&
      html`${meter(databaseBytes, databaseBytes + media, `The database takes ${bytesText(databaseBytes)}, media take ${bytesText(media)}`)}
        <p class="hint">The coloured part is the database, the rest are media.</p>`
    }
  </div>`;
}

function workCard({ backlog, openStreams, webhooks, failingWebhooks }: Overview): Html {
  const { jobs, fanOutPosts, searchPosts } = backlog;
  return html`<div class="card full">
    <h2>Work</h2>
    ${factList({
      'Jobs waiting': backlogText(jobs.waiting),
      'Jobs running': backlogText(jobs.running),
      'Jobs that failed for good': html`${backlogText(jobs.dead)}${jobs.dead > 0 && html`; <code>pipit jobs</code> lists them`}`,
      'Posts on their way to timelines': backlogText(fanOutPosts),
      'Posts on their way to the index': backlogText(searchPosts),
      'Open streams': boundedText(openStreams, MOST_COUNTED),
      Webhooks: html`${boundedText(webhooks, MOST_COUNTED)}${failingWebhooks > 0 && `, ${failingWebhooks} of them fail`}`,
    })}
  </div>`;
}

function cachesCard({ caches }: Overview): Html | undefined {
  const used = caches.filter(({ hits, misses }) => hits + misses > 0);
  if (used.length === 0) return undefined;
  const shareOf = (hits: number, misses: number): string => `${Math.floor((hits / (hits + misses)) * 100)}%`;
  return html`<div class="card full">
    <h2>Caches of this process</h2>
    ${numberTable(
      ['Cache', 'Found', 'Read', 'Hit rate'],
      used.map(({ name, hits, misses }) => [name, hits, misses, shareOf(hits, misses)]),
    )}
  </div>`;
}

function newestOf(days: readonly DayFigure[], name: DayFigureName): DayFigure | undefined {
  return days.findLast((each) => each.name === name);
}

/** The jobs and posts that are counted at most. */
const MOST_BACKLOG = 10_000;

function backlogText(count: number): string {
  return boundedText(count, MOST_BACKLOG);
}

/** Says that a count stopped at its bound. */
function boundedText(count: number, most: number): string {
  return count >= most ? `${numberText(most)} or more` : numberText(count);
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

function bytesText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  for (; size >= 1_000 && unit < UNITS.length - 1; unit += 1) size /= 1_000;
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit] ?? ''}`;
}
