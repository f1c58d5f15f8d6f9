import { idsOfData } from '../../api/run-endpoint.js';
import { pathOf } from '../../auth/auth-request.js';
import type { Principal } from '../../core/access.js';
import type { Clock } from '../../core/clock.js';
import { extractEntities } from '../../core/post-text/extract.js';
import { Answer } from '../../http/answer.js';
import type { Around } from '../../http/shell.js';
import type { Costs } from './costs.js';
import { pricingOf, type PriceName, type Pricing } from './prices.js';

/** The header that shows the cost of a request, in dollars. */
const COST_HEADER = 'x-pipit-cost';

/**
 * Creates the layer that charges apps for the calls that succeed, and refuses them with a 402 when their budget is spent.
 * Calls of tools are free.
 */
export function createCostLayer(costs: Pick<Costs, 'charge' | 'requireCredits'>, clock: Clock): Around {
  return async ({ operation, progress }, handler) => {
    const { principal, response, sentJson } = progress;
    const pricing = pricingOf(operation);
    if (principal === undefined || response === undefined || pricing === undefined) return handler();
    const appId = principal.app.id;
    costs.requireCredits(appId);
    const result = await handler();
    const path = pathOf(response.req.url ?? '');
    const price = priceOf(pricing, isOwned(principal, path), sentJson);
    const resources = pricing.per === 'resource' ? resourcesOf(pricing.price, result) : undefined;
    const dollars = costs.charge({ appId, price, resources, nowMs: clock() });
    response.setHeader(COST_HEADER, String(dollars));
    return result;
  };
}

/** Returns the resources of a result. Their names distinguish kinds: a post and a user may have the same id. */
function resourcesOf(kind: PriceName, result: unknown): readonly string[] {
  return idsOfData(result instanceof Answer ? result.body : result).map((id) => `${kind} ${id}`);
}

function priceOf({ price, per }: Pricing, isOwn: boolean, sentJson: unknown): PriceName {
  if (per === 'resource') return isOwn ? 'owned_read' : price;
  return price === 'post_create' && hasUrl(sentJson) ? 'post_create_with_url' : price;
}

function hasUrl(sentJson: unknown): boolean {
  const { text } = (sentJson ?? {}) as { readonly text?: unknown };
  return typeof text === 'string' && (extractEntities(text).urls?.length ?? 0) > 0;
}

/** Paths below which a user reads what is its own. */
const OWN_PATHS: ReadonlySet<string> = new Set(['/2/users/me', '/2/users/reposts_of_me']);

/** Reports whether a path names the user that sends the request. */
function isOwned(principal: Principal, path: string): boolean {
  if (principal.context === 'app') return false;
  return OWN_PATHS.has(path) || `${path}/`.startsWith(`/2/users/${principal.userId}/`);
}
