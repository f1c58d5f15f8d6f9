import { html, type Html } from '../../api/reference/html.js';
import { numberTable, numberText, periodPlot, type PlotPeriod } from '../plot.js';
import type { Visit } from '../visit.js';

/** The units of periods; a link of a period leads to its periods of the next unit, and of an hour to its posts. */
const UNITS = ['year', 'month', 'day', 'hour'] as const;
type Unit = (typeof UNITS)[number];

/** How much of an ISO 8601 time names a period: `2024`, `2024-03`, `2024-03-09`, `2024-03-09T17`. */
const NAME_LENGTH: Readonly<Record<Unit, number>> = { year: 4, month: 7, day: 10, hour: 13 };

interface WirePeriod {
  readonly start: string;
  readonly end: string;
  readonly tweet_count: number;
}

/** The time that a search is narrowed to, as its page's query names it. */
export interface SearchTime {
  readonly from?: string;
  readonly to?: string;
}

/** Returns the time that the query of a page narrows a search to. */
export function timeOf({ query }: Visit): SearchTime {
  return { from: query.get('from') ?? undefined, to: query.get('to') ?? undefined };
}

/** Returns the number of posts that match a query over time, as a plot and as a table, with links into each period. */
export async function overTime(visit: Visit, query: string): Promise<Html> {
  const { unit, time, periods } = await countsOf(visit, query, unitOf(visit), timeOf(visit));
  const total = periods.reduce((sum, { tweet_count: count }) => sum + count, 0);
  const shown = periods.map((period) => ({
    name: nameOf(period.start, unit),
    value: period.tweet_count,
    href: pathInto(query, unit, period),
  }));
  return html`<h2>${total === 1 ? '1 post' : `${numberText(total)} posts`}${timeText(time)}</h2>
    ${unitLinks(query, unit, time)}
    ${shown.length === 0 ? html`<p class="absent">No public post matches.</p>` : html`${periodPlot(shown)} ${table(shown, unit)}`}`;
}

interface TimeCounts {
  readonly unit: Unit;
  readonly time: SearchTime;
  readonly periods: readonly WirePeriod[];
}

/** Counts by a unit. If none was asked for and everything is in one period, counts that period by shorter ones. */
async function countsOf(visit: Visit, query: string, unit: Unit, time: SearchTime): Promise<TimeCounts> {
  const { data: periods = [] } = await visit.api.call<WirePeriod[]>('searchHistogram', {
    query,
    unit,
    start_time: time.from,
    end_time: time.to,
  });
  const [only, ...others] = periods;
  const shorter = shorterThan(unit);
  if (visit.query.has('unit') || only === undefined || others.length > 0 || shorter === undefined)
    return { unit, time, periods };
  return countsOf(visit, query, shorter, { from: only.start, to: only.end });
}

function shorterThan(unit: Unit): Unit | undefined {
  return UNITS[UNITS.indexOf(unit) + 1];
}

function unitOf({ query }: Visit): Unit {
  const sent = query.get('unit');
  return UNITS.find((unit) => unit === sent) ?? 'month';
}

function nameOf(start: string, unit: Unit): string {
  const name = start.slice(0, NAME_LENGTH[unit]);
  return unit === 'hour' ? `${name.replace('T', ' ')}:00` : name;
}

function timeText({ from, to }: SearchTime): string {
  const [first, last] = [from, to].map((time) => time?.slice(0, 16).replace('T', ' '));
  if (first === undefined && last === undefined) return '';
  return `, ${first ?? 'the beginning'} to ${last ?? 'now'} (UTC)`;
}

/** Returns the path of the posts of an hour, or of the shorter periods within a longer one. */
function pathInto(query: string, unit: Unit, { start, end }: WirePeriod): string {
  const shorter = shorterThan(unit);
  const kind = shorter === undefined ? { f: 'latest' } : { f: 'time', unit: shorter };
  return searchPath(query, { ...kind, from: start, to: end });
}

/** Returns links to the same time in other units; too short ones are left to the links of periods. */
function unitLinks(query: string, current: Unit, time: SearchTime): Html {
  const isWhole = time.from === undefined && time.to === undefined;
  const units = isWhole ? (['year', 'month'] as const) : UNITS.slice(UNITS.indexOf(current));
  return html`<nav class="kinds" aria-label="Periods">
    ${!isWhole && html`<a href="${searchPath(query, { f: 'time' })}">All years</a>`}
    ${units.map((unit) => {
      const path = searchPath(query, { f: 'time', unit, ...time });
      return html`<a href="${path}" ${unit === current && html`aria-current="page"`}>By ${unit}</a>`;
    })}
  </nav>`;
}

/** Returns the path of a search with more members in its query; undefined ones are left out. */
export function searchPath(query: string, more: Readonly<Record<string, string | undefined>>): string {
  const members = new URLSearchParams({ q: query });
  for (const [name, value] of Object.entries(more)) if (value !== undefined) members.set(name, value);
  return `/search?${members.toString()}`;
}

function table(periods: readonly PlotPeriod[], unit: Unit): Html {
  return html`<details class="numbers" ${periods.length <= 31 && html`open`}>
    <summary>The numbers</summary>
    ${numberTable(
      [unit === 'hour' ? 'Hour' : unit[0]?.toUpperCase() + unit.slice(1), 'Posts'],
      periods
        .filter(({ value }) => value > 0)
        .map(({ name, value, href }) => [html`<a href="${href}">${name}</a>`, value]),
      `Posts by ${unit}, in UTC`,
    )}
  </details>`;
}
