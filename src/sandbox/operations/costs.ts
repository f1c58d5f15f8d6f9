import { jsonBody } from '../../api/body/body.js';
import { fullObject, id, listOf, nullable, oneOf, schemaOf, text, count } from '../../core/json-schema.js';
import { number, object } from '../../core/validators.js';
import type { Costs } from '../costs/costs.js';
import { PRICES, type PriceName } from '../costs/prices.js';
import { appField, requireApp } from '../known-apps.js';
import { operation } from '../operation.js';
import type { Sandbox } from '../sandbox.js';

const tag = 'Costs';
const MAX_DOLLARS = 1_000_000;
const PRICE_NAMES = Object.keys(PRICES) as PriceName[];

const dollars = schemaOf('number', { minimum: 0 });
const pricesAnswer = fullObject({
  data: fullObject(Object.fromEntries(PRICE_NAMES.map((name) => [name, dollars]))),
});
const costFields = fullObject({
  app: fullObject({ id, name: text }),
  total: dollars,
  budget: nullable(dollars),
  items: listOf(fullObject({ price: oneOf(...PRICE_NAMES), count, cost: dollars })),
});
const costsAnswer = fullObject({ data: listOf(costFields) });

const listCosts = operation({
  operationId: 'listCosts',
  tag,
  summary: 'What the apps have spent, in dollars of the original',
  path: '/costs',
  command: 'costs list',
  response: costsAnswer,
  handler: async (sandbox) => ({ data: await describe(sandbox) }),
});

const getPrices = operation({
  operationId: 'getPrices',
  tag,
  summary: 'The price sheet, in dollars',
  path: '/prices',
  command: 'prices show',
  response: pricesAnswer,
  handler: async ({ costs }) => ({ data: costs.prices }),
});

const setPrices = operation({
  operationId: 'setPrices',
  tag,
  summary: 'Change prices, for later requests',
  method: 'PUT',
  path: '/prices',
  command: 'prices set',
  body: jsonBody(object(Object.fromEntries(PRICE_NAMES.map((name) => [name, number(0, MAX_DOLLARS)])))),
  response: pricesAnswer,
  handler: async ({ costs }, { body }) => {
    costs.setPrices(body as Parameters<Costs['setPrices']>[0]);
    return { data: costs.prices };
  },
});

const setBudget = operation({
  operationId: 'setBudget',
  tag,
  summary: 'Set how much an app may spend; without a limit, as much as it wants',
  method: 'PUT',
  path: '/budget',
  command: 'budget set',
  body: jsonBody(
    object({
      app: appField,
      limit: number(0, MAX_DOLLARS, 'In dollars, including what is spent already.'),
    }),
  ),
  response: costsAnswer,
  handler: async (sandbox, { body: { app: asked, limit } }) => {
    const app = await requireApp(sandbox.server.pipit.backend, asked, '$.app');
    sandbox.costs.setBudget(app.id, limit);
    return { data: await describe(sandbox) };
  },
});

export const costOperations = [listCosts, getPrices, setPrices, setBudget];

async function describe({ costs, server }: Sandbox) {
  const names = new Map((await server.pipit.backend.apps.list()).map(({ id: appId, name }) => [appId, name]));
  return costs.list().map(({ appId, total, budget, items }) => ({
    app: { id: String(appId), name: names.get(appId) ?? '' },
    total,
    budget: budget ?? null,
    items,
  }));
}
