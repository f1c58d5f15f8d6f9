import type { AnyEndpoint } from '../../../api/endpoint.js';
import { html, type Html } from '../../../api/reference/html.js';
import { points } from '../../lists.js';
import { limitText } from '../endpoint-facts.js';
import { endpointPath, groupByTag } from '../endpoint-paths.js';
import type { GuideReader } from './guide.js';

/** Returns the guide to limits, with those that the endpoints declare. */
export function limitsGuide({ context: { endpoints } }: GuideReader): Html {
  const limited = endpoints.filter(({ rateLimits = [] }) => rateLimits.length > 0);
  return html`<p class="lead">
      A limit counts requests in a fixed window that begins with the first one. The caller is the user for a
      user’s token, and the app for a bearer token.
    </p>
    ${points(HEADERS)}
    <p>
      Beyond a limit the answer is 429 with <code>retry-after</code>. Posts that reads return count toward the
      monthly cap of the app, each once a day. The web client has limits of its own.
    </p>
    ${groupByTag(limited).map(
      ({ tag, endpoints: members }) =>
        html`<h2>${tag}</h2>
          <dl class="limits">${members.map(limitRow)}</dl>`,
    )}`;
}

const HEADERS = [
  html`<code>x-rate-limit-limit</code>: requests per window`,
  html`<code>x-rate-limit-remaining</code>: those that are left`,
  html`<code>x-rate-limit-reset</code>: the end of the window, in seconds since 1970`,
];

function limitRow(each: AnyEndpoint): Html {
  return html`<dt>
      <a class="call" href="${endpointPath(each)}"
        ><b class="${each.method}">${each.method}</b> ${each.path}</a
      >
    </dt>
    <dd>${(each.rateLimits ?? []).map(limitText).join('; ')}</dd>`;
}
