import { jsonBody } from '../../api/body/body.js';
import type { AnyEndpoint } from '../../api/endpoint.js';
import { createLimitsOf } from '../../api/limits-left.js';
import { endpoints } from '../../api/route-table.js';
import type { Principal } from '../../core/access.js';
import { conflict, invalidRequest } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import { flag, fullObject, listOf } from '../../core/json-schema.js';
import { integer, object, required, text } from '../../core/validators.js';
import type { RateLimiter } from '../../limits/rate-limit.js';
import { appField, requireApp } from '../known-apps.js';
import { requireUserId } from '../known-users.js';
import { limitFields, presentLimit } from '../limit-fields.js';
import { operation } from '../operation.js';
import type { Sandbox } from '../sandbox.js';

const tag = 'Limits';
const MAX_REMAINING = 1_000_000_000;

const callerMembers = {
  app: appField,
  user: text({
    min: 1,
    max: 50,
    description:
      'The id or the username of a user: the limits of its tokens. By default those of the app itself.',
  }),
};

const listLimits = operation({
  operationId: 'listRateLimits',
  tag,
  summary: 'The windows of rate limits that run, of every app and user',
  path: '/rate_limits',
  command: 'limits list',
  response: fullObject({ data: listOf(limitFields) }),
  handler: async (sandbox) => {
    const limiter = limiterOf(sandbox);
    const { apps } = sandbox.server.pipit.backend;
    const limitsOf = createLimitsOf(endpoints, limiter);
    const [first] = await apps.list();
    const rows = await Promise.all(
      limiter.callers().map(async ({ appId, userId }) => {
        const app = (appId && (await apps.find(appId))) ?? first;
        if (!app) return [];
        const principal = principalOf(app, userId);
        return limitsOf(principal).map((row) => presentLimit(row, principal));
      }),
    );
    return { data: rows.flat() };
  },
});

const setLimit = operation({
  operationId: 'setRateLimit',
  tag,
  summary: 'Set how many calls of an operation remain',
  method: 'PUT',
  path: '/rate_limits',
  command: 'limits set',
  conflicts: true,
  body: jsonBody(
    object({
      operation: required(text({ min: 1, max: 200 })),
      ...callerMembers,
      remaining: required(integer({ min: 0, max: MAX_REMAINING })),
    }),
  ),
  response: fullObject({ data: listOf(limitFields) }),
  handler: async (sandbox, { body: { operation: name, remaining, ...caller } }) => {
    const principal = await requirePrincipal(sandbox, caller);
    const endpoint = requireEndpoint(name);
    const limit = limitsOfEndpoint(sandbox, endpoint)?.set(principal, remaining);
    if (limit === undefined || !takes(endpoint, principal)) {
      throw invalidRequest(
        '$.operation',
        [name],
        `The operation has no rate limit for this ${principal.context === 'app' ? 'app' : 'user'}`,
      );
    }
    if (remaining > limit) {
      throw invalidRequest(
        '$.remaining',
        [String(remaining)],
        `$.remaining: must have a maximum value of ${limit}`,
      );
    }
    return { data: rowsOf(sandbox, principal).filter((row) => row.operation === name) };
  },
});

const exhaustLimits = operation({
  operationId: 'exhaustRateLimits',
  tag,
  summary: 'Use up the rate limit of an operation, or of all',
  method: 'POST',
  path: '/rate_limits/exhaust',
  command: 'limits exhaust',
  conflicts: true,
  body: jsonBody(object({ operation: text({ min: 1, max: 200 }), ...callerMembers })),
  response: fullObject({ data: listOf(limitFields) }),
  handler: async (sandbox, { body: { operation: name, ...caller } }) => {
    const principal = await requirePrincipal(sandbox, caller);
    const chosen = name === undefined ? endpoints : [requireEndpoint(name)];
    for (const endpoint of chosen) {
      if (takes(endpoint, principal)) limitsOfEndpoint(sandbox, endpoint)?.set(principal, 0);
    }
    const names = new Set(chosen.map(({ operationId }) => operationId));
    return { data: rowsOf(sandbox, principal).filter((row) => names.has(row.operation)) };
  },
});

const clearLimits = operation({
  operationId: 'clearRateLimits',
  tag,
  summary: 'Give every app and user its full rate limits back',
  method: 'DELETE',
  path: '/rate_limits',
  command: 'limits clear',
  response: fullObject({ data: fullObject({ cleared: flag }) }),
  handler: async (sandbox) => {
    sandbox.server.pipit.app.shell.limiter.clear();
    return { data: { cleared: true } };
  },
});

export const rateLimitOperations = [listLimits, setLimit, exhaustLimits, clearLimits];

function limiterOf({ server }: Sandbox): RateLimiter {
  const { limiter } = server.pipit.app.shell;
  if (limiter.isOff) throw conflict('Rate limits are off: start the server without --rate-limits off.');
  return limiter;
}

function limitsOfEndpoint(sandbox: Sandbox, { operationId, rateLimits = [] }: AnyEndpoint) {
  return limiterOf(sandbox).of(operationId, rateLimits);
}

function requireEndpoint(name: string): AnyEndpoint {
  const found = endpoints.find(({ operationId }) => operationId === name);
  if (found) return found;
  throw invalidRequest('$.operation', [name], 'There is no such operation');
}

async function requirePrincipal(
  sandbox: Sandbox,
  { app: asked, user }: { readonly app?: string; readonly user?: string },
): Promise<Principal> {
  const app = await requireApp(sandbox.server.pipit.backend, asked, '$.app');
  return principalOf(app, user === undefined ? undefined : await requireUserId(sandbox, '$.user', user));
}

function principalOf(app: Principal['app'], userId: UserId | undefined): Principal {
  if (userId === undefined) return { context: 'app', app };
  return { context: 'oauth1', app, userId, permission: app.permissions };
}

function takes({ access }: AnyEndpoint, { context }: Principal): boolean {
  return access !== 'public' && access.contexts.includes(context);
}

function rowsOf(sandbox: Sandbox, principal: Principal) {
  return createLimitsOf(endpoints, limiterOf(sandbox))(principal).map((row) => presentLimit(row, principal));
}
