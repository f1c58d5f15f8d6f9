import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSite, type Site } from './support/site.js';

/** The budgets of a page without its media, compressed, in bytes. */
const FIRST_VIEW = 60_000;
const SCRIPT = 40_000;

/** The page, its stylesheet, its scripts, the sprite of icons, and the icons of the site. */
const REQUESTS = 8;

/** Pages of an interface's reference, which are read at a desk. */
const DOCUMENTS = /^\/docs/;

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.[Symbol.asyncDispose]());

/** Returns the number of bytes of an answer's body over the wire. */
async function weightOf(role: keyof Site['browsers'], path: string, encoding: string): Promise<number> {
  const headers = { 'accept-encoding': encoding, accept: 'text/html' };
  const answer = await site.browsers[role].get(path, headers);
  return Number(answer.headers['content-length']);
}

const filesOf = (markup: string, pattern: RegExp): string[] => [
  ...new Set([...markup.matchAll(pattern)].map(([, path = '']) => path)),
];

test('every page loads little: its bytes, its script and its requests', async () => {
  expect(site.pages.length).toBeGreaterThan(60);
  const weights = new Map<string, number>();
  const weigh = async (file: string, encoding: string): Promise<number> => {
    const known = weights.get(file + encoding) ?? (await weightOf('visitor', file, encoding));
    weights.set(file + encoding, known);
    return known;
  };
  for (const { role, path, answer } of site.pages) {
    if (DOCUMENTS.test(path)) continue;
    const scripts = filesOf(answer.text, /<script[^>]* src="([^"]+)"/g);
    const styles = filesOf(answer.text, /<link rel="stylesheet" href="([^"]+)"/g);
    const others = filesOf(answer.text, /(?:<use href|<link rel="(?:icon|manifest)" href)="([^"#]+)/g);
    let bytes = await weightOf(role, path, 'br');
    for (const file of [...scripts, ...styles]) bytes += await weigh(file, 'br');
    let scriptBytes = 0;
    for (const file of scripts) scriptBytes += await weigh(file, 'gzip');
    expect(bytes, `first view of ${path}`).toBeLessThan(FIRST_VIEW);
    expect(scriptBytes, `script of ${path}`).toBeLessThan(SCRIPT);
    const requests = 1 + scripts.length + styles.length + others.length;
    expect(requests, `requests of ${path}`).toBeLessThanOrEqual(REQUESTS);
  }
});
