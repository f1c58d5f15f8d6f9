import { html, type Html } from '../../api/reference/html.js';
import type { JournalEntry } from '../../journal/entry.js';
import type { Journal } from '../../journal/journal.js';
import type { Refusal } from '../../journal/refusal.js';
import { checkbox, selectField, textField } from '../fields.js';
import { type FilterValues, filterQuery, journalFilter, readFilter } from './request-filter.js';
import { clipText, codeText, visibleText } from './visible-text.js';

/** The journal that an inspector shows. */
export type ShownJournal = Pick<Journal, 'find' | 'get' | 'count' | 'subscribe'>;

/** How many requests the list shows. */
const MAX_SHOWN = 100;
const MAX_PATH = 160;
const MAX_CAUSE = 200;

/** Returns the list of requests with its filter. `path` is that of the inspector. */
export function requestList(journal: ShownJournal, path: string, query: URLSearchParams): Html {
  const values = readFilter(query);
  const filter = journalFilter(values);
  const entries = journal.find(filter, MAX_SHOWN);
  return html`${filterForm(path, values, journal.find())}
    <div class="live">
      <span data-state role="status">Reload the page to see new requests.</span>
      ${filterQuery(values) !== '' && html`<a href="${path}">Show all</a>`}
    </div>
    <div data-events="${path}/events${filterQuery(values)}">
      ${
        entries.length === 0
          ? nothing(journal)
          : html`<ul class="requests">
              ${entries.map((entry) => row(entry, path))}
            </ul>`
      }
      ${more(journal.count(filter))}
    </div>`;
}

function nothing(journal: ShownJournal): Html {
  return journal.count() === 0
    ? html`<p class="lead">No requests yet. Send one, and it appears here.</p>`
    : html`<p class="lead">No request matches the filter.</p>`;
}

function more(count: number): Html | undefined {
  return count > MAX_SHOWN
    ? html`<p class="hint">The newest ${MAX_SHOWN} of ${count} requests.</p>`
    : undefined;
}

function filterForm(path: string, values: FilterValues, entries: readonly JournalEntry[]): Html {
  const { operation, status, user, refused } = values;
  const operations = entries.map((entry) => entry.operation);
  const statuses = entries.map(({ answer }) => String(answer.status));
  return html`<form class="filters" method="get" action="${path}">
    ${choiceField('operation', 'Operation', operation, operations)}
    ${choiceField('status', 'Status', status, [...CLASSES, ...statuses])}
    ${textField({ name: 'user', label: 'User ID', value: user, maxLength: 19 })}
    ${textField({ name: 'path', label: 'Path contains', value: values.path, maxLength: 200 })}
    ${checkbox({ name: 'refused', label: 'Refused only', checked: refused })}
    <button>Filter</button>
  </form>`;
}

/** Classes of statuses. */
const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

/** Returns a choice among the values that occur, and the chosen one. */
function choiceField(name: string, label: string, chosen: string, values: readonly string[]): Html {
  const options = [...new Set(chosen === '' ? values : [chosen, ...values])].sort();
  const choices = options.map((value) => [value, visibleText(clipText(value, 60))] as const);
  return selectField(name, label, [['', 'Any'], ...choices], chosen);
}

function row(entry: JournalEntry, path: string): Html {
  const { id, request, operation, elapsedMs, isOpen, refusal } = entry;
  const shownPath = clipText(request.path, MAX_PATH);
  const cause = refusal && causeOf(refusal);
  return html`<li>
    <span>${statusMark(entry)}</span>
    <p><a href="${path}/${id}">${codeText(`${request.method} ${shownPath}`)}</a></p>
    <span class="when">${timeText(entry)} · ${isOpen ? 'open' : durationText(elapsedMs)}</span>
    <p class="cause">
      <span class="hint">${visibleText(operation)}</span>
      ${cause !== undefined && html`<br /><bdi>${visibleText(clipText(cause, MAX_CAUSE))}</bdi>`}
    </p>
  </li>`;
}

/** Returns the reason of a refusal in a line. */
function causeOf({ reason, detail, explanation, nearest = [] }: Refusal): string {
  if (explanation) return explanation.summary;
  const accepted = nearest.flatMap((each) => each.accepted).join(', ');
  const said = detail === undefined ? reason : `${reason}: ${detail}`;
  return accepted === '' ? said : `${said} · nearest: ${accepted}`;
}

/** Returns the status of an answer, marked by its class. */
export function statusMark({ answer: { status } }: JournalEntry): Html {
  if (status === 0) return html`<span class="status other">none</span>`;
  const kind = status >= 400 ? ' bad' : status >= 300 ? ' other' : '';
  return html`<span class="status${kind}">${status}</span>`;
}

/** Returns the time of day at which a request arrived. */
function timeText({ timeMs }: JournalEntry): Html {
  const iso = new Date(timeMs).toISOString();
  return html`<time datetime="${iso}">${iso.slice(11, 23)}</time>`;
}

/** Formats a duration such as `12.3 ms`. */
export function durationText(ms: number): string {
  return ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}
