import type { AnyEndpoint } from '../../api/endpoint.js';
import { html, type Html } from '../../api/reference/html.js';
import { exampleOf } from '../../api/reference/examples.js';
import type { ParamSpec } from '../../api/params/params.js';
import { selectField, textArea, textField, type Faults } from '../fields.js';
import { clipText, visibleText } from '../inspector/visible-text.js';
import { factList } from '../lists.js';
import type { SignedIn } from '../../services/accounts/web-sessions.js';
import { isSignedIn, type Visit } from '../visit.js';
import { endpointPath } from './endpoint-paths.js';
import { BODY_FIELD, obstacleOf, PARAM_PREFIX, type Tried } from './try-it.js';

/** What the form to try an endpoint shows: the fields as sent, and what became of them. */
export interface TryItState {
  readonly fields: URLSearchParams;
  readonly faults: Faults;
  readonly tried?: Tried;
}

/** Returns the form with which the signed-in user calls an endpoint, and the answer below it. */
export function tryItView(visit: Visit, endpoint: AnyEndpoint, state?: TryItState): Html {
  const obstacle = obstacleOf(endpoint);
  return html`<h2 id="try">Try it</h2>
    ${
      obstacle === undefined
        ? isSignedIn(visit)
          ? tryForm(visit, visit.viewer, endpoint, state)
          : signInFirst(endpoint)
        : html`<p class="absent">${obstacle} Send the request above instead.</p>`
    }
    ${state?.tried && answerCard(state.tried)}`;
}

function signInFirst(endpoint: AnyEndpoint): Html {
  const next = `${endpointPath(endpoint)}#try`;
  return html`<p class="absent">
    <a href="/sign-in?${new URLSearchParams({ next }).toString()}">Sign in</a> to send the request from here.
  </p>`;
}

function tryForm(
  visit: Visit,
  { user }: SignedIn,
  endpoint: AnyEndpoint,
  state: TryItState | undefined,
): Html {
  const isRead = endpoint.method === 'GET';
  const faults: Faults = state?.faults ?? new Map();
  const params = Object.entries(endpoint.params ?? {});
  const isMain = ([name, spec]: (typeof params)[number]): boolean =>
    spec.required || endpoint.exactlyOneOf?.includes(name) === true;
  const field = (param: (typeof params)[number]): Html =>
    paramField(param, valueOf(endpoint, user.id, param, state));
  const others = params.filter((param) => !isMain(param));
  return html`<form class="card full try" method="post" action="${endpointPath(endpoint)}#answer">
    ${visit.csrfField()}
    ${!isRead && html`<p class="note bad">This is a real request: it acts on the account @${user.username}.</p>`}
    ${params.filter(isMain).map(field)}
    ${
      others.length > 0 &&
      html`<details ${others.some(([name]) => state?.fields.get(PARAM_PREFIX + name)) && html`open`}>
        <summary>${others.length === 1 ? 'One more parameter' : `${others.length} more parameters`}</summary>
        <div class="params">${others.map(field)}</div>
      </details>`
    }
    ${endpoint.body?.kind === 'json' && bodyField(endpoint, state?.fields.get(BODY_FIELD), faults)}
    <div class="actions">
      <button class="${isRead ? '' : 'danger'}">${isRead ? 'Send' : 'Send for real'}</button>
    </div>
    <p class="hint">It counts towards your limits in the web client.</p>
  </form>`;
}

type Param = [name: string, spec: ParamSpec<unknown>];

/** Returns what was sent, or an example of a parameter that is needed. */
function valueOf(
  { access }: AnyEndpoint,
  userId: bigint,
  [name, { required, schema }]: Param,
  state: TryItState | undefined,
): string {
  if (state) return state.fields.get(PARAM_PREFIX + name) ?? '';
  if (access !== 'public' && access.ownId === name) return String(userId);
  if (!required) return '';
  const value = exampleOf(schema);
  return Array.isArray(value) ? value.join(',') : String(value);
}

function paramField([name, { schema, required, description }]: Param, value: string): Html {
  const choices = (schema['enum'] ?? (schema['type'] === 'boolean' ? ['true', 'false'] : undefined)) as
    | readonly string[]
    | undefined;
  const field = PARAM_PREFIX + name;
  if (choices) return selectField(field, name, required ? choices : ['', ...choices], value);
  return textField({ name: field, label: name, value, hint: description.replaceAll('`', '') });
}

function bodyField({ body }: AnyEndpoint, sent: string | null | undefined, faults: Faults): Html {
  const example = body?.kind === 'json' ? exampleOf(body.object.schema) : {};
  return textArea({
    name: BODY_FIELD,
    label: 'Body',
    value: sent ?? JSON.stringify(example, undefined, 2),
    fault: faults.get(BODY_FIELD),
  });
}

/** How much of an answer is shown. */
const SHOWN_CHARACTERS = 100_000;

function answerCard({ status, text, headers, elapsedMs }: Tried): Html {
  const kind = status < 400 ? 'good' : 'bad';
  return html`<section class="card full" id="answer" aria-labelledby="answer-heading">
    <h3 id="answer-heading">
      <span class="status ${kind}">${status}</span> in ${Math.max(1, Math.round(elapsedMs))} ms
    </h3>
    <details>
      <summary>Headers</summary>
      ${factList(headers, 'headers')}
    </details>
    ${text === '' ? html`<p>No body.</p>` : html`<pre tabindex="0" data-copy>${visibleText(clipText(readable(text), SHOWN_CHARACTERS))}</pre>`}
  </section>`;
}

/** Breaks JSON into lines. Text with long numbers stays as it is: parsing would change their digits. */
function readable(text: string): string {
  if (/[:[,]\s*-?\d{16}/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
