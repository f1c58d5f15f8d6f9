import { readFileSync } from 'node:fs';

const PAGE = new URL('../../../docs/api/endpoints.md', import.meta.url);

/** An endpoint as documented in docs/api/endpoints.md. */
export interface DocumentedEndpoint {
  /** `app`, `OAuth 1.0a`, `OAuth 2.0`. */
  readonly credentials: readonly string[];
  readonly scopes: readonly string[];
  /** The bounds of `max_results`. */
  readonly range: { readonly min: number; readonly max: number; readonly default: number } | undefined;
  readonly notes: readonly string[];
}

/** Reads the tables of the page and returns the endpoints by method and path. */
export function readEndpointPage(): Map<string, DocumentedEndpoint> {
  const found = new Map<string, DocumentedEndpoint>();
  for (const line of readFileSync(PAGE, 'utf8').split('\n')) {
    const [, name, ...cells] = line.split('|').map((cell) => cell.trim());
    if (name === undefined || !/^(GET|POST|PUT|DELETE) \//.test(name)) continue;
    const [credentials = '', scopes = '', results = '', notes = ''] = cells;
    const [, min, max, normal] = /^(\d+) to (\d+), default (\d+)$/.exec(results) ?? [];
    found.set(name, {
      credentials: credentials.split(', '),
      scopes: [...scopes.matchAll(/`([^`]+)`/g)].map(([, scope = '']) => scope),
      range: min === undefined ? undefined : { min: Number(min), max: Number(max), default: Number(normal) },
      notes: notes === '' ? [] : notes.split(', '),
    });
  }
  return found;
}
