import { inPath, integerParam, required } from '../../api/params/params.js';
import { conflict, resourceNotFound } from '../../core/errors.js';
import { count, fullObject, listOf } from '../../core/json-schema.js';
import { MAX_RULES } from '../faults/fault-rules.js';
import { presentRule } from '../faults/present-rule.js';
import { ruleBody, ruleFields } from '../faults/rule-fields.js';
import { requireUserId } from '../known-users.js';
import { operation } from '../operation.js';

const tag = 'Faults';
const ruleAnswer = fullObject({ data: ruleFields });
const deletedAnswer = fullObject({ data: fullObject({ deleted: count }) });
const idParam = {
  id: inPath(required(integerParam(1, Number.MAX_SAFE_INTEGER, undefined, 'The id of the rule.'))),
};

const listFaults = operation({
  operationId: 'listFaults',
  tag,
  summary: 'The fault rules, in the order in which they apply',
  path: '/faults',
  command: 'fault list',
  response: fullObject({ data: listOf(ruleFields) }),
  handler: async ({ faults }) => ({ data: faults.list().map(presentRule) }),
});

const addFault = operation({
  operationId: 'addFault',
  tag,
  summary: 'Add a fault rule, which disturbs matching requests',
  method: 'POST',
  path: '/faults',
  command: 'fault add',
  success: 201,
  conflicts: true,
  body: ruleBody,
  response: ruleAnswer,
  handler: async (sandbox, { body: { match = {}, probability = 1, after = 0, count: most, effect } }) => {
    const { user, ...others } = match;
    const userId =
      user === undefined ? undefined : String(await requireUserId(sandbox, '$.match.user', user));
    if (sandbox.faults.list().length >= MAX_RULES)
      throw conflict(`There are ${MAX_RULES} fault rules already.`);
    const rule = sandbox.faults.add({
      match: { ...others, userId },
      probability,
      after,
      count: most,
      effect,
    });
    return { data: presentRule(rule) };
  },
});

const getFault = operation({
  operationId: 'getFault',
  tag,
  summary: 'A fault rule, with the number of requests that it matched and affected',
  path: '/faults/{id}',
  command: 'fault show',
  params: idParam,
  response: ruleAnswer,
  handler: async ({ faults }, { params: { id } }) => ({ data: presentRule(faults.get(id) ?? refuse(id)) }),
});

const removeFault = operation({
  operationId: 'removeFault',
  tag,
  summary: 'Remove a fault rule',
  method: 'DELETE',
  path: '/faults/{id}',
  command: 'fault remove',
  params: idParam,
  response: deletedAnswer,
  handler: async ({ faults }, { params: { id } }) => {
    if (!faults.remove(id)) refuse(id);
    return { data: { deleted: 1 } };
  },
});

const clearFaults = operation({
  operationId: 'clearFaults',
  tag,
  summary: 'Remove all fault rules',
  method: 'DELETE',
  path: '/faults',
  command: 'fault clear',
  response: deletedAnswer,
  handler: async ({ faults }) => ({ data: { deleted: faults.clear() } }),
});

export const faultOperations = [listFaults, addFault, getFault, removeFault, clearFaults];

function refuse(id: number): never {
  throw resourceNotFound({ resourceType: 'fault_rule', parameter: 'id', value: String(id) });
}
