import { expect } from 'vitest';
import { insertOperator } from '../../../src/stores/operators.js';
import type { UserId } from '../../../src/core/ids.js';
import type { TestApp } from '../../support/app.js';
import { USERS, type Username } from '../../support/world.js';
import type { Browser, BrowserAnswer } from './browser.js';

/** Makes a user of the world an operator. */
export async function makeOperator({ pipit }: TestApp, username: Username): Promise<void> {
  const id = BigInt(USERS[username]) as UserId;
  await pipit.backend.engine.tx('make operator', (tx) => insertOperator(tx, id, 0));
}

/** Sends a form of a page, by its action, with these fields and the page’s CSRF token. */
export async function send(
  browser: Browser,
  at: string,
  fields: Record<string, string>,
  action = at,
): Promise<BrowserAnswer> {
  const csrf = csrfOf((await browser.get(at)).text);
  return browser.post(action, { csrf, ...fields });
}

/** Returns the CSRF token of a page’s forms. */
export function csrfOf(page: string): string {
  return /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

/** Returns the text of the main part of a page, without markup. */
export function textOf({ text }: BrowserAnswer): string {
  const main = /<main[^]*<\/main>/.exec(text)?.[0] ?? '';
  return main
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');
}

/** Returns a secret shown on a page, by its label. */
export function secretOf({ text }: BrowserAnswer, label: string): string {
  const pattern = new RegExp(`<dt>${label}</dt>\\s*<dd><code class="secret"[^>]*>([^<]*)</code>`);
  return pattern.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
}

/** Checks the headers and markup that every page must have (SECURITY.md). */
export function expectValidPage(
  { headers, text }: BrowserAnswer,
  path: string,
  cacheControl = 'no-store',
): void {
  expect(headers['content-type'], path).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy'], path).toContain(`default-src 'none'`);
  expect(headers['content-security-policy'], path).toContain(`frame-ancestors 'none'`);
  expect(headers['content-security-policy'], path).not.toContain('unsafe');
  expect(headers['x-frame-options'], path).toBe('DENY');
  expect(headers['x-content-type-options'], path).toBe('nosniff');
  expect(headers['referrer-policy'], path).toBe('no-referrer');
  expect(headers['cache-control'], path).toBe(cacheControl);
  expect(text, path).toMatch(/^<!doctype html>\s*<html lang="en"[^>]*>/);
  expect(text.match(/<h1[ >]/g), path).toHaveLength(1);
  expect(text, path).toMatch(/<title>[^<]+ · Pipit<\/title>/);
  const markup = text.replaceAll(
    /<script src="\/assets\/client-[0-9a-f]{12}\.js" type="module"><\/script>/g,
    '',
  );
  expect(markup, path).not.toMatch(/<script|<iframe|javascript:|\son[a-z]+="|\sstyle="|undefined|\[object/i);
  expectLabels(text, path);
}

function expectLabels(text: string, path: string): void {
  const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size, `ids of ${path} are unique`).toBe(ids.length);
  for (const [, , attributes = ''] of text.matchAll(/<(input|select|textarea)\b([^>]*)>/g)) {
    if (/type="hidden"/.test(attributes)) continue;
    const id = /\bid="([^"]+)"/.exec(attributes)?.[1] ?? 'none';
    expect(text, `${path} labels ${attributes}`).toContain(`<label for="${id}">`);
  }
  for (const [, names = ''] of text.matchAll(/aria-describedby="([^"]+)"/g)) {
    for (const name of names.split(' ')) expect(ids, path).toContain(name);
  }
  for (const [, words = ''] of text.matchAll(/<button[^>]*>([^]*?)<\/button>/g)) {
    expect(words.trim(), `a button of ${path}`).not.toBe('');
  }
  const headings = [...text.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));
  headings.forEach((level, index) => {
    expect(level, `heading ${index} of ${path}`).toBeLessThanOrEqual((headings[index - 1] ?? 0) + 1);
  });
}

/** Returns the pages of this server that a page links to. */
export function linksOf({ text }: BrowserAnswer): string[] {
  const links = [...text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href);
  return links
    .map((link) => link.replaceAll('&amp;', '&'))
    .filter((link) => /^\/(?!\/)/.test(link) && !/\/feed\.atom(?:\?|$)/.test(link));
}

/** Returns the actions of all POST forms of a page. */
export function actionsOf({ text }: BrowserAnswer): string[] {
  return [...text.matchAll(/<form [^>]*method="post" action="([^"]+)"/g)].map(([, action = '']) =>
    action.replaceAll('&amp;', '&'),
  );
}
