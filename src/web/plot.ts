import { html, Html } from '../api/reference/html.js';
import { DAY_MS } from '../core/day-figures.js';

/** The value of one day. */
export interface PlotDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly value: number;
}

const WIDTH = 640;
const HEIGHT = 100;
const GAP = 3;
/** Few bars do not fill the width. */
const MIN_PLACES = 12;

/** Returns a bar chart of days. `label` is its text alternative; the page also shows the numbers as a table. */
export function dayPlot(days: readonly PlotDay[], label: string): Html {
  const most = Math.max(1, ...days.map(({ value }) => value));
  const first = days[0]?.date ?? '';
  const last = days.at(-1)?.date ?? '';
  // Labels are outside the drawing, because the drawing is stretched to the page width.
  return html`<p class="plot-edge"><span>${numberText(most)}</span></p>
    <svg
      class="plot"
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${label}"
    >
      ${line(0)} ${line(HEIGHT / 2)} ${line(HEIGHT)}
      ${days.map((day, index) => bar(day, index, days.length, most))}
    </svg>
    <p class="plot-edge"><span>${first}</span><span>${last}</span></p>`;
}

/** The value of a period, and the page about it. */
export interface PlotPeriod {
  readonly name: string;
  readonly value: number;
  readonly href: string;
}

/**
 * Returns a bar chart of periods whose bars are links. Screen readers and keyboards skip it: the page also shows the
 * numbers, with the same links, as a table.
 */
export function periodPlot(periods: readonly PlotPeriod[]): Html {
  const most = Math.max(1, ...periods.map(({ value }) => value));
  const places = Math.max(periods.length, MIN_PLACES);
  return html`<p class="plot-edge"><span>${numberText(most)}</span></p>
    <svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      ${line(0)} ${line(HEIGHT / 2)} ${line(HEIGHT)}
      ${periods.map(
        ({ name, value, href }, index) =>
          html`<a href="${href}" tabindex="-1">${bar({ date: name, value }, index, places, most)}</a>`,
      )}
    </svg>
    <p class="plot-edge"><span>${periods[0]?.name}</span><span>${periods.at(-1)?.name}</span></p>`;
}

/** Returns a bar that shows how much of a total is used. */
export function meter(used: number, total: number, label: string): Html {
  const share = total === 0 ? 1 : Math.min(1, used / total);
  const part = share >= 1 ? 'part full' : 'part';
  return html`<svg
    class="meter"
    viewBox="0 0 100 4"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    <rect class="total" width="100" height="4" />
    <rect class="${part}" width="${(share * 100).toFixed(2)}" height="4" />
  </svg>`;
}

/** Returns a table of numbers with a heading above each column; the first cell of a row names it. */
export function numberTable(
  headings: readonly string[],
  rows: readonly (readonly [name: Html | string, ...numbers: (number | string)[]])[],
  caption?: string,
): Html {
  const [first = '', ...others] = headings;
  return html`<table>
    ${
      caption !== undefined &&
      html`<caption>
        ${caption}
      </caption>`
    }
    <thead>
      <tr>
        <th scope="col">${first}</th>
        ${others.map((heading) => html`<th scope="col" class="number">${heading}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name, ...numbers]) =>
          html`<tr>
            <th scope="row">${name}</th>
            ${numbers.map(
              (each) => html`<td class="number">${typeof each === 'number' ? numberText(each) : each}</td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Returns the date of a day, which is a number of days since 1970. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Formats a number with thin spaces between thousands. */
export function numberText(value: number): string {
  return value.toLocaleString('en').replaceAll(',', '\u202f');
}

function bar({ date, value }: PlotDay, index: number, count: number, most: number): Html {
  if (value === 0) return NOTHING;
  const step = WIDTH / count;
  const height = Math.max(2, (value / most) * HEIGHT);
  const gap = Math.min(GAP, step / 4);
  const [x, y] = [index * step + gap / 2, HEIGHT - height];
  return html`<rect
    class="day"
    x="${x.toFixed(1)}"
    y="${y.toFixed(1)}"
    width="${(step - gap).toFixed(1)}"
    height="${height.toFixed(1)}"
  >
    <title>${date}: ${numberText(value)}</title>
  </rect>`;
}

function line(y: number): Html {
  return html`<line
    class="grid"
    x1="0"
    x2="${WIDTH}"
    y1="${y}"
    y2="${y}"
    vector-effect="non-scaling-stroke"
  />`;
}

const NOTHING = new Html('');
