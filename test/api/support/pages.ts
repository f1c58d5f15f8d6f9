import { expect } from 'vitest';
import type { TestAnswer } from '../../support/app.js';
import type { Caller } from './network.js';

interface Meta {
  readonly result_count: number;
  readonly next_token?: string;
  readonly previous_token?: string;
}

/** A page reduced to what tests compare. */
export interface WirePage {
  readonly ids: readonly string[];
  readonly meta: Meta;
}

/** Reads one page of a list; `query` starts with `?`. Fails unless the status is 200 and `meta` counts the data. */
export async function pageAt(caller: Caller, path: string, query = ''): Promise<WirePage> {
  const answer = await caller.get(path + query);
  expect(answer.status, `${path}${query} ${JSON.stringify(answer.body)}`).toBe(200);
  const ids = idsIn(answer);
  const meta = answer.body.meta as Meta;
  expect(meta.result_count).toBe(ids.length);
  return { ids, meta };
}

/** Returns the ids in a response’s data. */
export function idsIn({ body }: TestAnswer): string[] {
  return ((body.data ?? []) as { id: string }[]).map(({ id }) => id);
}

/** Reads all pages from first to last, calling `between` before each but the first. */
export async function walkPages(
  caller: Caller,
  path: string,
  maxResults: number,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<WirePage[]> {
  const separator = path.includes('?') ? '&' : '?';
  const pages = [await pageAt(caller, path, `${separator}max_results=${maxResults}`)];
  for (;;) {
    const token = pages.at(-1)?.meta.next_token;
    if (token === undefined) return pages;
    await between();
    pages.push(await pageAt(caller, path, `${separator}max_results=${maxResults}&pagination_token=${token}`));
  }
}
