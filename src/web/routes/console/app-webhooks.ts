import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { parseId, type DeliveryId, type WebhookId } from '../../../core/ids.js';
import { requireOwnApp, type OwnApp } from '../../../services/apps/own-apps.js';
import type { ShownDelivery } from '../../../services/webhooks/delivery-history.js';
import type { OwnWebhook } from '../../../services/webhooks/webhooks.js';
import { attempt, doneAt, doneNote } from '../../forms.js';
import { entryList, factList, type Entry } from '../../lists.js';
import { ENDPOINTS_PATH } from '../../docs/docs-page.js';
import { CONSOLE_PATH } from '../../navigation.js';
import { momentText } from '../../times.js';
import type { SignedInVisit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { appIdOf, appPage, appPath } from './app-section.js';

/** How much of a body is shown. */
const SHOWN_CHARACTERS = 2_000;

const DONE = {
  passed: 'The webhook passed the check and receives events.',
  failed: 'The webhook did not pass the check.',
  sent: 'The delivery is sent once more. Reload this page to see what became of it.',
} as const;

/** The webhooks of one of the user's own apps, with what was sent to them. */
export const appWebhookRoutes: CreateRoutes = (pages, context) => {
  const { accounts, webhooks, deliveries } = context;
  const path = `${CONSOLE_PATH}/{id}/webhooks`;
  const ownApp = (visit: SignedInVisit) => requireOwnApp(accounts, visit.viewer.user.id, appIdOf(visit));
  return [
    pages.showToUser(path, async (visit) => webhooksPage(context, visit, await ownApp(visit))),
    pages.acceptFromUser(`${path}/{webhook}/check`, async (visit) => {
      const app = await ownApp(visit);
      const back = (what: keyof typeof DONE) => visit.goTo(doneAt(appPath(app, 'webhooks'), what));
      return attempt(
        () => webhooks.check(app.id, idIn<WebhookId>(visit, 'webhook')),
        () => back('failed'),
        () => back('passed'),
      );
    }),
    pages.acceptFromUser(`${path}/deliveries/{delivery}/repeat`, async (visit) => {
      const app = await ownApp(visit);
      await deliveries.repeat(app.id, idIn<DeliveryId>(visit, 'delivery'));
      return visit.goTo(doneAt(appPath(app, 'webhooks'), 'sent'));
    }),
  ];
};

/** Returns an id of the path; 0, which nothing has, when it is malformed. */
function idIn<Id extends bigint>({ request }: SignedInVisit, name: string): Id {
  return parseId<Id>(request.path[name] ?? '') ?? (0n as Id);
}

async function webhooksPage(
  { webhooks, deliveries }: WebContext,
  visit: SignedInVisit,
  app: OwnApp,
): Promise<Answer> {
  const found = await webhooks.listOf(app.id);
  const cards = await Promise.all(
    found.map(async (webhook) => webhookCard(visit, app, webhook, await deliveries.recentOf(webhook.id))),
  );
  return appPage(
    visit,
    app,
    { tab: 'webhooks' },
    html`${doneNote(visit, DONE)} ${found.length > 0 ? cards : NO_WEBHOOKS}`,
  );
}

const NO_WEBHOOKS = html`<p class="absent">
  The app has no webhooks: addresses to which this server sends events.
  <a href="${ENDPOINTS_PATH}/createWebhooks">POST /2/webhooks</a> registers one.
</p>`;

function webhookCard(
  visit: SignedInVisit,
  app: OwnApp,
  webhook: OwnWebhook,
  recent: readonly ShownDelivery[],
): Html {
  const { isValid, invalidReason, checkedAtMs, checkError } = webhook;
  return html`<div class="card full">
    <h2 class="written">${webhook.url}</h2>
    ${factList({
      State: isValid ? 'Valid' : html`Invalid: it receives nothing. ${invalidReason}`,
      'Last check': html`${checkError ?? 'Passed'} · ${momentText(checkedAtMs)}`,
      ID: html`<code>${String(webhook.id)}</code>`,
      Created: momentText(webhook.createdAtMs),
    })}
    <form method="post" action="${appPath(app, 'webhooks')}/${String(webhook.id)}/check">
      ${visit.csrfField()}
      <p><button class="plain">Check now</button></p>
    </form>
    <h3>Last deliveries</h3>
    ${entryList(
      recent,
      (delivery) => deliveryEntry(visit, app, delivery),
      html`<p>Nothing was sent in the last 24 hours.</p>`,
    )}
  </div>`;
}

function deliveryEntry(visit: SignedInVisit, app: OwnApp, delivery: ShownDelivery): Entry {
  const { id, subscription, createdAtMs, triedAtMs, body, endedAtMs } = delivery;
  const what = html`<p><strong>${stateOf(delivery)}</strong></p>
    <p class="hint">
      ${subscription} ·
      ${momentText(createdAtMs)}${triedAtMs !== undefined && html` · last sent ${momentText(triedAtMs)}`}
    </p>
    <details>
      <summary>Body</summary>
      <pre class="written">${body.slice(0, SHOWN_CHARACTERS)}${body.length > SHOWN_CHARACTERS && '…'}</pre>
    </details>`;
  const path = `${appPath(app, 'webhooks')}/deliveries/${String(id)}`;
  const repeat = html`<form method="post" action="${path}/repeat">
    ${visit.csrfField()}
    <button class="plain" aria-label="Send again: delivery ${String(id)}">Send again</button>
  </form>`;
  return { what, aside: endedAtMs !== undefined && repeat };
}

/** Returns what became of a delivery, such as `Delivered · status 200 · 1 attempt`. */
function stateOf({ endedAtMs, isDelivered, attempts, status, error }: ShownDelivery): string {
  const ended = isDelivered ? 'Delivered' : 'Given up';
  if (attempts === 0) return endedAtMs === undefined ? 'Waiting' : ended;
  const state = endedAtMs === undefined ? 'Failed, will be sent again' : ended;
  const outcome = status === undefined ? (error ?? '') : `status ${status}`;
  return [state, outcome, attempts === 1 ? '1 attempt' : `${attempts} attempts`].join(' · ');
}
