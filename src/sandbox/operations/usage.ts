import { jsonBody } from '../../api/body/body.js';
import { textParam } from '../../api/params/params.js';
import { count, date, fullObject, id, listOf, text } from '../../core/json-schema.js';
import { DAY_MS } from '../../core/usage-period.js';
import { integer, object, required } from '../../core/validators.js';
import type { App } from '../../stores/apps.js';
import { appField, requireApp } from '../known-apps.js';
import { operation } from '../operation.js';
import type { Sandbox } from '../sandbox.js';
import { timeText } from '../times.js';

const tag = 'Limits';
const REPORTED_DAYS = 90;

const usageFields = fullObject({
  app: fullObject({ id, name: text }),
  cap: count,
  used: count,
  days_left: count,
  days: listOf(fullObject({ date, posts: count, requests: count })),
});
const usageAnswer = fullObject({ data: usageFields });

const getUsage = operation({
  operationId: 'getSandboxUsage',
  tag,
  summary: 'The posts and requests of an app, and its monthly cap',
  path: '/usage',
  command: 'usage show',
  params: { app: textParam('The id or the name of the app; by default the first one.', { max: 100 }) },
  response: usageAnswer,
  handler: async (sandbox, { params }) => ({
    data: await report(sandbox, await requireApp(sandbox.server.pipit.backend, params.app)),
  }),
});

const setUsage = operation({
  operationId: 'setSandboxUsage',
  tag,
  summary: 'Set the posts that an app has read in the current month of its cap',
  method: 'PUT',
  path: '/usage',
  command: 'usage set',
  body: jsonBody(
    object({
      app: appField,
      posts: required(
        integer({ min: 0, max: 1_000_000_000, description: 'All of them count as read today.' }),
      ),
    }),
  ),
  response: usageAnswer,
  handler: async (sandbox, { body: { app: asked, posts } }) => {
    const app = await requireApp(sandbox.server.pipit.backend, asked, '$.app');
    await sandbox.server.pipit.app.shell.context.usage.set(app, posts);
    return { data: await report(sandbox, app) };
  },
});

export const usageOperations = [getUsage, setUsage];

async function report({ server }: Sandbox, app: App) {
  const { cap, used, daysLeft, days } = await server.pipit.app.shell.context.usage.report(app, REPORTED_DAYS);
  return {
    app: { id: String(app.id), name: app.name },
    cap,
    used,
    days_left: daysLeft,
    days: days.map(({ day, posts, requests }) => ({ date: timeText(day * DAY_MS), posts, requests })),
  };
}
