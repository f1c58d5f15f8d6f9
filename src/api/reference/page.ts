import { RATE_WINDOW_SECONDS, type RateLimit } from '../../limits/rate-limit.js';
import type { Context } from '../../core/access.js';
import type { Answer } from '../../http/answer.js';
import type { AnyEndpoint } from '../endpoint.js';
import type { PlainRoute } from '../../http/plain-route.js';
import { NOT_IMPLEMENTED_PATH } from '../../http/problems.js';
import { documentAnswer } from './document.js';
import { curlExample } from './examples.js';
import { type Html, html, withCode } from './html.js';
import { bodyTable, paramTable } from './tables.js';

/** Creates `GET /docs`: the reference page of a catalogue, without scripts and external resources. */
export function referencePage(endpoints: readonly AnyEndpoint[]): PlainRoute {
  let answer: Answer | undefined;
  // Built on the first request to keep the start fast.
  return {
    method: 'GET',
    path: '/docs',
    handler: () => (answer ??= documentAnswer('Pipit reference', renderPage(endpoints))),
  };
}

interface Group {
  readonly tag: string;
  readonly anchor: string;
  readonly endpoints: AnyEndpoint[];
}

function groupByTag(endpoints: readonly AnyEndpoint[]): Group[] {
  const groups = new Map<string, Group>();
  for (const each of endpoints) {
    const { tag } = each;
    const group = groups.get(tag) ?? { tag, anchor: `tag-${tag.replaceAll(/\W+/g, '-')}`, endpoints: [] };
    group.endpoints.push(each);
    groups.set(tag, group);
  }
  return [...groups.values()];
}

function renderPage(endpoints: readonly AnyEndpoint[]): Html {
  const groups = groupByTag(endpoints);
  return html`<a class="skip" href="#content">Skip to the endpoints</a>
    <div class="layout">
      <nav aria-label="Endpoints">${groups.map(renderMenu)}</nav>
      <main id="content" tabindex="-1">
        <h1>Pipit reference</h1>
        <p class="lead">
          ${endpoints.length} endpoints. The same as data:
          <a href="/2/openapi.json">the OpenAPI document</a>. Parameters may be spelled with a dot or an
          underscore: <code>tweet.fields</code> or <code>tweet_fields</code>. What the interface has beyond
          these is <a href="${NOT_IMPLEMENTED_PATH}">listed apart</a>.
        </p>
        ${groups.map(renderGroup)}
      </main>
    </div>`;
}

function renderMenu({ tag, anchor, endpoints }: Group): Html {
  return html`<h2><a href="#${anchor}">${tag}</a></h2>
    <ul>
      ${endpoints.map((each) => html`<li><a href="#${each.operationId}">${withCode(each.summary)}</a></li>`)}
    </ul>`;
}

function renderGroup({ tag, anchor, endpoints }: Group): Html {
  return html`<section aria-labelledby="${anchor}">
    <h2 id="${anchor}">${tag}</h2>
    ${endpoints.map(renderEndpoint)}
  </section>`;
}

function renderEndpoint(each: AnyEndpoint): Html {
  return html`<article id="${each.operationId}">
    <h3>
      <a href="#${each.operationId}"><span class="${each.method}">${each.method}</span> ${each.path}</a>
    </h3>
    <p class="summary">${withCode(each.summary)}</p>
    <dl>
      ${facts(each).map(
        ([name, text]) =>
          html`<dt>${name}</dt>
            <dd>${text}</dd>`,
      )}
    </dl>
    ${paramTable(each.params ?? {})}${each.body === undefined ? undefined : bodyTable(each.body)}
    <h4>Example</h4>
    <pre tabindex="0">${curlExample(each)}</pre>
  </article>`;
}

const CONTEXT_TEXT: Readonly<Record<Context, string>> = {
  app: 'app-only bearer token',
  oauth1: 'OAuth 1.0a user',
  oauth2: 'OAuth 2.0 user',
};

function facts(each: AnyEndpoint): [string, string][] {
  const limits = (each.rateLimits ?? []).map(limitText);
  const answers: [string, string][] = [['Answers', String(each.success ?? 200)]];
  if (limits.length > 0) answers.push(['Rate limit', limits.join(', ')]);
  if (each.capped === true) answers.push(['Post cap', 'posts returned count toward the monthly cap']);
  const { access } = each;
  if (access === 'public') return [['Credentials', 'none needed'], ...answers];
  const needs: [string, string][] = [
    ['Credentials', access.contexts.map((context) => CONTEXT_TEXT[context]).join(', ')],
  ];
  if (access.scopes !== undefined && access.scopes.length > 0)
    needs.push(['Scopes', access.scopes.join(' ')]);
  if (access.permission !== undefined)
    needs.push(['App permission', access.permission.replaceAll('_', ', ')]);
  if (access.track !== undefined) needs.push(['Track', access.track.replaceAll('_', ' ')]);
  if (access.levels !== undefined) needs.push(['Access level', access.levels.join(', ')]);
  if (access.ownId !== undefined)
    needs.push(['Own account', `${access.ownId} must be the authenticated user`]);
  return [...needs, ...answers];
}

function limitText(rateLimit: RateLimit): string {
  const { per, limit, researchLimit, windowSeconds = RATE_WINDOW_SECONDS, pool } = rateLimit;
  const research = researchLimit === undefined ? '' : ` (academic research: ${researchLimit})`;
  const shared = pool === undefined ? '' : ` (shared: ${pool})`;
  return `${limit}${research} per ${duration(windowSeconds)} and ${CALLERS_TEXT[per]}${shared}`;
}

const CALLERS_TEXT: Readonly<Record<RateLimit['per'], string>> = {
  app: 'app',
  user: 'user',
  'user-of-app': 'user of an app',
  'app-users': 'all users of an app',
};

function duration(seconds: number): string {
  if (seconds % 3600 === 0) return seconds === 3600 ? 'hour' : `${seconds / 3600} hours`;
  if (seconds % 60 === 0) return seconds === 60 ? 'minute' : `${seconds / 60} minutes`;
  return seconds === 1 ? 'second' : `${seconds} seconds`;
}
