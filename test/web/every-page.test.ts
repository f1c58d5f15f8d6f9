import type { Browser as Chromium, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, windowOf, type CheckedTexts } from './support/accessibility.js';
import { CHROMIUM, closeWindows, openChromium } from './support/chromium.js';
import { smallScreenFaults } from './support/small-screen.js';
import { openSite, type Role, type Site } from './support/site.js';

/** The budgets of a page without its media, compressed, in bytes. */
const FIRST_VIEW = 60_000;
const SCRIPT = 40_000;

/** The page, its stylesheet, its scripts, the sprite of icons, the icon and the manifest of the site. */
const REQUESTS = 8;

/** How long a tab may take for a page: seldom, Chromium draws no more frames in a tab, which then never comes to rest. */
const PAGE_LIMIT_MS = 60_000;

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.[Symbol.asyncDispose]());

/** Returns the number of bytes of an answer's body over the wire. */
async function weightOf(role: Role, path: string, encoding: string): Promise<number> {
  const headers = { 'accept-encoding': encoding, accept: 'text/html' };
  const answer = await site.browsers[role].get(path, headers);
  return Number(answer.headers['content-length']);
}

const filesOf = (markup: string, pattern: RegExp): string[] => [
  ...new Set([...markup.matchAll(pattern)].map(([, path = '']) => path)),
];

test('every page loads little: its bytes, its script and its requests', async () => {
  expect(site.pages.length).toBeGreaterThan(50);
  const weights = new Map<string, number>();
  const weigh = async (file: string, encoding: string): Promise<number> => {
    const known = weights.get(file + encoding) ?? (await weightOf('visitor', file, encoding));
    weights.set(file + encoding, known);
    return known;
  };
  for (const { role, path, answer } of site.pages) {
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

test('every element id is on its page once', () => {
  const repeated = site.pages.flatMap(({ role, path, answer }) => {
    const ids = [...answer.text.matchAll(/<[a-z][^>]*\sid="([^"]*)"/g)].map(([, id = '']) => id);
    return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${role} at ${path}: ${id}`);
  });
  expect(repeated).toEqual([]);
});

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where Debian’s is not installed)', () => {
  let chromium: Chromium;

  beforeAll(async () => {
    chromium = await openChromium();
  });
  afterAll(() => closeWindows(chromium));

  test('axe finds nothing on any page, in any colours; phones with large text show all of it', async () => {
    const url = await site.app.listen();
    const windows = new Map<Role, BrowserContext>();
    for (const [role, browser] of Object.entries(site.browsers) as [Role, Site['browsers'][Role]][])
      windows.set(role, await windowOf(chromium, browser, url));
    const left = [...site.pages];
    const faults: string[] = [];
    const checked: CheckedTexts = new Map();
    /** Looks at pages in a tab for each role until none are left. */
    const look = async (): Promise<void> => {
      const tabs = new Map<Role, Page>();
      const lookAt = async (role: Role, path: string, known: CheckedTexts): Promise<string[] | undefined> => {
        const tab = tabs.get(role) ?? (await windows.get(role)?.newPage());
        if (!tab) throw new Error(`no window of ${role}`);
        tabs.set(role, tab);
        const closing = setTimeout(() => void tab.close(), PAGE_LIMIT_MS);
        try {
          await tab.goto(url + path);
          return [...(await faultsOf(tab, known)), ...(await smallScreenFaults(tab))];
        } catch (error) {
          if (!tab.isClosed()) throw error;
          tabs.delete(role);
          return undefined;
        } finally {
          clearTimeout(closing);
        }
      };
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const { role, path } = next;
        // What a closed tab has checked is not known, so its page is checked as a whole.
        const found = (await lookAt(role, path, checked)) ?? (await lookAt(role, path, new Map()));
        if (!found) throw new Error(`${role} at ${path}: two tabs did not come to rest`);
        faults.push(...found.map((fault) => `${role} at ${path}: ${fault}`));
      }
    };
    await Promise.all([look(), look(), look()]);
    expect(faults).toEqual([]);
  }, 600_000);
});
