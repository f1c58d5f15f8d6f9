import { ACCOUNT_ACTIVITY_RULE } from '../../core/activity.js';
import type { UserId, WebhookId } from '../../core/ids.js';
import { flag, fullObject, id, listOf, text, url } from '../../core/json-schema.js';
import * as v from '../../core/validators.js';
import { jsonBody } from '../body/body.js';
import { type AnyEndpoint, endpoint, perQuarterHour } from '../endpoint.js';
import { changeEndpoint } from '../change-endpoint.js';
import { idParam, inPath } from '../params/params.js';
import { dataSchema } from '../schemas/envelopes.js';

/** Account activity by webhook (docs/api/activity.md#account-activity). */

const PATH = '/2/account_activity';
const OF_WEBHOOK = `${PATH}/webhooks/{webhook_id}/subscriptions`;

const tag = 'Activity';
const byApp = { tag, access: { contexts: ['app'] }, rateLimits: perQuarterHour({ app: 450 }) } as const;
const byUser = {
  tag,
  access: { contexts: ['oauth1', 'oauth2'], ...ACCOUNT_ACTIVITY_RULE },
  rateLimits: perQuarterHour({ user: 450 }),
} as const;
const webhookParam = { webhook_id: inPath(idParam<WebhookId>('The webhook.')) };

export const accountActivityEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...byApp,
    operationId: 'getAccountActivitySubscriptionCount',
    summary: 'How many accounts the app is subscribed to, and may be',
    path: `${PATH}/subscriptions/count`,
    response: dataSchema({
      account_name: text,
      provisioned_count: text,
      subscriptions_count_all: text,
      subscriptions_count_direct_messages: text,
    }),
    handler: async ({ accountSubscriptions }, { principal: { app } }) => ({
      data: {
        account_name: app.name,
        provisioned_count: String(accountSubscriptions.maxSubscriptions),
        subscriptions_count_all: String(await accountSubscriptions.count(app.id)),
        // Nobody subscribes to messages alone.
        subscriptions_count_direct_messages: '0',
      },
    }),
  }),
  endpoint({
    ...byUser,
    operationId: 'validateAccountActivitySubscription',
    summary: 'Whether the account of the user is subscribed to',
    path: `${OF_WEBHOOK}/all`,
    params: webhookParam,
    response: dataSchema({ subscribed: flag }),
    handler: async ({ accountSubscriptions }, { principal, params }) => ({
      data: { subscribed: await accountSubscriptions.isSubscribed(principal, params.webhook_id) },
    }),
  }),
  changeEndpoint({
    ...byUser,
    operationId: 'createAccountActivitySubscription',
    summary: 'Delivers what happens on the account of the user to a webhook',
    method: 'POST',
    path: `${OF_WEBHOOK}/all`,
    params: webhookParam,
    body: jsonBody(v.object({})),
    answers: { subscribed: true },
    run: ({ accountSubscriptions }, { principal, params }) =>
      accountSubscriptions.subscribe(principal, params.webhook_id),
  }),
  endpoint({
    ...byApp,
    operationId: 'getAccountActivitySubscriptions',
    summary: 'The accounts whose activity is delivered to a webhook',
    path: `${OF_WEBHOOK}/all/list`,
    params: webhookParam,
    response: dataSchema({
      application_id: id,
      webhook_id: id,
      webhook_url: url,
      subscriptions: listOf(fullObject({ user_id: id })),
    }),
    handler: async ({ accountSubscriptions }, { principal: { app }, params }) => {
      const { webhook, userIds } = await accountSubscriptions.listOf(app.id, params.webhook_id);
      return {
        data: {
          application_id: String(app.id),
          webhook_id: String(webhook.id),
          webhook_url: webhook.url,
          subscriptions: userIds.map((userId) => ({ user_id: String(userId) })),
        },
      };
    },
  }),
  changeEndpoint({
    ...byApp,
    operationId: 'deleteAccountActivitySubscription',
    summary: 'Ends the delivery of what happens on an account',
    method: 'DELETE',
    path: `${OF_WEBHOOK}/{user_id}/all`,
    params: { ...webhookParam, user_id: inPath(idParam<UserId>('The user.')) },
    answers: { subscribed: false },
    run: ({ accountSubscriptions }, { principal: { app }, params }) =>
      accountSubscriptions.unsubscribe(app.id, params.webhook_id, params.user_id),
  }),
];
