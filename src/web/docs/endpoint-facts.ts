import type { AnyEndpoint } from '../../api/endpoint.js';
import type { Context } from '../../core/access.js';
import { RATE_WINDOW_SECONDS, type RateLimit } from '../../limits/rate-limit.js';

const CONTEXT_TEXT: Readonly<Record<Context, string>> = {
  app: 'app-only bearer token',
  oauth1: 'OAuth 1.0a user',
  oauth2: 'OAuth 2.0 user',
};

/** Returns what an endpoint needs and answers, by name. */
export function endpointFacts(each: AnyEndpoint): [string, string][] {
  const limits = (each.rateLimits ?? []).map(limitText);
  const answers: [string, string][] = [['Answers', String(each.success ?? 200)]];
  if (limits.length > 0) answers.push(['Rate limit', limits.join(', ')]);
  if (each.capped === true) answers.push(['Post cap', 'posts returned count toward the monthly cap']);
  const { access } = each;
  if (access === 'public') return [['Credentials', 'none needed'], ...answers];
  const needs: [string, string][] = [
    ['Credentials', access.contexts.map((context) => CONTEXT_TEXT[context]).join(', ')],
  ];
  if (access.scopes !== undefined && access.scopes.length > 0)
    needs.push(['Scopes', access.scopes.join(' ')]);
  if (access.permission !== undefined)
    needs.push(['App permission', access.permission.replaceAll('_', ', ')]);
  if (access.track !== undefined) needs.push(['Track', access.track.replaceAll('_', ' ')]);
  if (access.levels !== undefined) needs.push(['Access level', access.levels.join(', ')]);
  if (access.ownId !== undefined)
    needs.push(['Own account', `${access.ownId} must be the authenticated user`]);
  return [...needs, ...answers];
}

/** Describes a rate limit. */
export function limitText(rateLimit: RateLimit): string {
  const { per, limit, researchLimit, windowSeconds = RATE_WINDOW_SECONDS, pool } = rateLimit;
  const research = researchLimit === undefined ? '' : ` (academic research: ${researchLimit})`;
  const shared = pool === undefined ? '' : ` (shared: ${pool})`;
  return `${limit}${research} per ${duration(windowSeconds)} and ${CALLERS_TEXT[per]}${shared}`;
}

const CALLERS_TEXT: Readonly<Record<RateLimit['per'], string>> = {
  app: 'app',
  user: 'user',
  'user-of-app': 'user of an app',
  'app-users': 'all users of an app',
};

function duration(seconds: number): string {
  if (seconds % 3600 === 0) return seconds === 3600 ? 'hour' : `${seconds / 3600} hours`;
  if (seconds % 60 === 0) return seconds === 60 ? 'minute' : `${seconds / 60} minutes`;
  return seconds === 1 ? 'second' : `${seconds} seconds`;
}
