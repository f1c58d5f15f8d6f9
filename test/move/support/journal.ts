import { endpoints } from '../../../src/api/route-table.js';
import type { AnyEndpoint } from '../../../src/api/endpoint.js';
import { readConfig } from '../../../src/server/config.js';
import { buildPipit } from '../../../src/server/start.js';
import { inject } from '../../support/inject.js';
import { TEST_URL } from '../../support/app.js';

/** The time of all answers: a moment after the demo world was loaded. */
const NOW = Date.now() + 60_000;

const DAY_MS = 86_400_000;

/** Tokens of the demo world: of a user, and of the app for research. */
const TOKENS = ['demo-maya-token', 'demo-research-bearer-token'];

/** Values of parameters in the demo world; `1` for all others. */
const VALUES: Readonly<Record<string, string>> = {
  query: 'lighthouse',
  q: 'lighthouse',
  text: '@may',
  username: 'maya',
  usernames: 'maya,priya',
  screen_name: 'maya',
  ids: '1014,1041,1012,11,12',
  start_time: new Date(NOW - 5 * DAY_MS).toISOString(),
  end_time: new Date(NOW - DAY_MS).toISOString(),
};

/** The values of `id` by the part of the path before it. */
const IDS: Readonly<Record<string, string>> = { tweets: '1014', users: '11', posts: '1014' };

/** Returns a request for each endpoint that reads, with all fields. */
function requestsOf(): string[] {
  return endpoints.filter(({ method, streams }) => method === 'GET' && !streams).map(urlOf);
}

function urlOf({ path, params = {}, exactlyOneOf = [] }: AnyEndpoint): string {
  const query = new URLSearchParams();
  const needed = (name: string, required: boolean | undefined) => required || exactlyOneOf[0] === name;
  for (const [name, { required, schema }] of Object.entries(params)) {
    if (path.includes(`{${name}}`)) continue;
    const choices = (schema['items'] as { readonly enum?: readonly string[] } | undefined)?.enum;
    if (/^expansions$|\.fields$/.test(name) && choices)
      query.set(name, choices.filter((value) => !/^(non_public|organic|promoted)_/.test(value)).join());
    else if (needed(name, required)) query.set(name, VALUES[name] ?? '1');
  }
  const filled = path.replaceAll(/([^/]+)\/\{([^}]+)\}/g, (_, before: string, name: string) => {
    const value = name === 'username' ? 'maya' : (IDS[before] ?? '1');
    return `${before}/${value}`;
  });
  return query.size === 0 ? filled : `${filled}?${query}`;
}

/** Serves a database and returns the answers to all requests. */
export async function answersOf(database: string, dataFolder?: string): Promise<readonly string[]> {
  const config = readConfig({ database, baseUrl: TEST_URL, rateLimits: 'off', durability: 'relaxed' }, {});
  await using pipit = await buildPipit(config, {
    log: { error: console.error, warn: () => undefined },
    clock: () => NOW,
    dataFolder,
  });
  const answers: string[] = [];
  for (const url of requestsOf())
    for (const token of TOKENS) {
      const { statusCode, body } = await inject(pipit.app, {
        method: 'GET',
        url,
        headers: { authorization: `Bearer ${token}` },
      });
      answers.push(`${token} ${url} ${statusCode} ${body}`);
    }
  return answers;
}
