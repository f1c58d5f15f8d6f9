import { invalidRequest } from '../../core/errors.js';
import { parseId } from '../../core/ids.js';
import { fullObject, ref } from '../../core/json-schema.js';
import { MAX_RULE_TAG_CHARACTERS } from '../../core/limits.js';
import type { StreamRule } from '../../core/stream-rule.js';
import * as v from '../../core/validators.js';
import type {
  AddedRules,
  DeletedRules,
  NewStreamRule,
  RefusedRule,
  RuleChoice,
} from '../../services/streams/stream-rules.js';
import { presentDate } from '../../views/present/dates.js';
import { PROBLEMS } from '../../views/present/partial-errors.js';
import { presenter } from '../../views/wire/presenter.js';
import { Answer } from '../../http/answer.js';
import { digitsOf, jsonBody } from '../body/body.js';
import type { ApiContext } from '../context.js';
import { type AnyEndpoint, type Call, endpoint, perQuarterHour } from '../endpoint.js';
import { pageParams } from '../paged-endpoint.js';
import { RULE_COUNT_FIELDS } from '../params/fields.js';
import { booleanParam, choicesParam, idListParam } from '../params/params.js';
import { ruleChangesSchema, rulesPageSchema } from '../schemas/stream-rules.js';
import { ruleCountFields } from '../stream-rule-fields.js';

/** Rules of the filtered stream (docs/api/streams.md#rules). */

const PATH = '/2/tweets/search/stream/rules';
const MAX_LISTED = 1_000;
/** Our own limit, since none is documented: the most rules of an app by default. */
const MAX_AT_ONCE = 1_000;
/** A thousand rules of 1,024 characters of any script. */
const MAX_BODY_BYTES = 5 * 1024 * 1024;

const common = { tag: 'Streams', access: { contexts: ['app'] } } as const;

const newRule = v.object({
  value: v.required(v.text({ min: 1, description: 'The rule.', example: 'heron has:images' })),
  tag: v.text({ max: MAX_RULE_TAG_CHARACTERS, description: 'A label that the posts of the stream carry.' }),
});

/** An id; the fault is worded as X does. */
const ruleId: v.Validator<bigint> = {
  schema: { type: 'string', example: '1346889436626259968' },
  check: (value, path, faults) => {
    const digits = digitsOf(value);
    const id = parseId(digits);
    if (id === undefined) faults.add(path, `'${digits}' is not a valid Long`);
    return id;
  },
};

const range = { min: 1, max: MAX_AT_ONCE };
const changes = v.object({
  add: v.list(newRule, { ...range, description: 'The rules to add.' }),
  delete: v.object(
    {
      ids: v.list(ruleId, { ...range, description: 'The rules to delete, by their ids.' }),
      values: v.list(v.text({ min: 1 }), { ...range, description: 'The rules to delete, by their values.' }),
    },
    'Exactly one of `ids` or `values`.',
  ),
});

const changeParams = {
  dry_run: booleanParam('Checks the request without changing rules.'),
  delete_all: booleanParam('Deletes all rules of the app; the body must be empty.'),
};

type Changes = v.ValueOf<typeof changes>;
type ChangeCall = Call<typeof common.access, typeof changeParams, ReturnType<typeof jsonBody<Changes>>>;

export const streamRuleEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...common,
    operationId: 'getRules',
    summary: 'The rules of the filtered stream, oldest first',
    path: PATH,
    rateLimits: perQuarterHour({ app: 450 }),
    params: {
      ids: idListParam('Returns only these rules.', MAX_LISTED),
      ...pageParams({ min: 1, max: MAX_LISTED, default: MAX_LISTED }),
    },
    response: rulesPageSchema,
    handler: async ({ streamRules, paging }, { principal, params }) => {
      const paged = { operationId: 'getRules', principal, params };
      const request = paging.open(paged);
      const { ids } = params;
      const page =
        ids === undefined
          ? await streamRules.page(principal.app.id, request)
          : { items: await streamRules.findAmong(principal.app.id, ids) };
      const data = page.items.map(({ id, value, tag }) => ({ id: String(id), value, tag }));
      const meta = { sent: sentAt(streamRules), result_count: data.length, ...paging.tokens(paged, page) };
      return data.length === 0 ? { meta } : { data, meta };
    },
  }),
  endpoint({
    ...common,
    operationId: 'addOrDeleteRules',
    summary: 'Adds or deletes rules of the filtered stream',
    method: 'POST',
    path: PATH,
    rateLimits: perQuarterHour({ app: 100 }),
    params: changeParams,
    body: jsonBody(changes, { maxBytes: MAX_BODY_BYTES }),
    success: 201,
    otherSuccesses: [200],
    limitsRules: true,
    removes: true,
    response: ruleChangesSchema,
    handler: (context, call) => {
      const change = changeOf(call);
      return 'add' in change
        ? addRules(context, call, change.add)
        : deleteRules(context, call, change.delete);
    },
  }),
  endpoint({
    ...common,
    operationId: 'getRuleCounts',
    summary: 'How many rules of the filtered stream there are, and may be',
    path: `${PATH}/counts`,
    rateLimits: perQuarterHour({ app: 450 }),
    params: {
      'rules_count.fields': choicesParam(
        RULE_COUNT_FIELDS,
        'Fields of the counts to return in addition to the default ones.',
      ),
    },
    response: fullObject({ data: ref('RuleCounts') }),
    handler: async ({ streamRules }, { principal, params }) => {
      const counts = {
        rules: await streamRules.count(principal.app.id),
        maxRules: streamRules.limits.maxRules,
      };
      return { data: presenter(ruleCountFields, params['rules_count.fields'])(counts, principal.app) };
    },
  }),
];

/** Returns what a request changes. Throws 'invalid-request' unless it is exactly one thing. */
function changeOf({
  body,
  params,
}: ChangeCall): { readonly add: readonly NewStreamRule[] } | { readonly delete: RuleChoice } {
  const { add, delete: deletion } = body;
  const all = params.delete_all;
  if ([add !== undefined, deletion !== undefined, all].filter(Boolean).length !== 1) {
    throw invalidRequest('$', [], 'Exactly one of `add`, `delete` or `?delete_all=true` is required');
  }
  if (add !== undefined) return { add };
  if (deletion === undefined) return { delete: 'all' };
  const { ids, values } = deletion;
  if (ids !== undefined && values === undefined) return { delete: { ids } };
  if (values !== undefined && ids === undefined) return { delete: { values } };
  throw invalidRequest('$.delete', [], 'Exactly one of `ids` or `values` is required');
}

async function addRules(
  { streamRules }: ApiContext,
  { principal, params }: ChangeCall,
  rules: readonly NewStreamRule[],
): Promise<unknown> {
  const mode = { dryRun: params.dry_run };
  const added = await streamRules.add(principal.app.id, rules, mode);
  const { created, refused } = added;
  return {
    ...(created.length > 0 && { data: created.map(presentCreated) }),
    meta: { sent: sentAt(streamRules), summary: summaryOf(added) },
    ...(refused.length > 0 && { errors: refused.map(presentRefused) }),
  };
}

async function deleteRules(
  { streamRules }: ApiContext,
  { principal, params }: ChangeCall,
  choice: RuleChoice,
): Promise<unknown> {
  const mode = { dryRun: params.dry_run };
  const { deleted, notDeleted }: DeletedRules = await streamRules.delete(principal.app.id, choice, mode);
  const summary = { deleted, not_deleted: notDeleted };
  return new Answer(200, { meta: { sent: sentAt(streamRules), summary } });
}

function sentAt({ clock }: ApiContext['streamRules']): string {
  return presentDate(clock());
}

function summaryOf({ created, refused }: AddedRules) {
  const counts = { created: created.length, not_created: refused.length };
  return { ...counts, valid: created.length, invalid: refused.length };
}

function presentCreated({ id, value, tag }: StreamRule) {
  return { value, tag, id: String(id) };
}

function presentRefused(rule: RefusedRule) {
  const { value } = rule;
  if ('existingId' in rule) {
    const id = String(rule.existingId);
    return { value, id, title: 'DuplicateRule', type: `${PROBLEMS}duplicate-rules` };
  }
  const title = 'UnprocessableEntity';
  return { value, title, details: rule.faults, type: `${PROBLEMS}invalid-rules` };
}
