import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Result, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Browser as Visitor } from './browser.js';
import { layOutAll, settle } from './settled.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Everything that axe knows: the guidelines up to WCAG 2.2 AA and what it calls best practice. */
const EVERYTHING: RunOptions = {
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** What may differ on a phone, where other things are visible. */
const PHONE_RULES: RunOptions = {
  resultTypes: ['violations'],
  runOnly: {
    type: 'rule',
    values: [
      'color-contrast',
      'target-size',
      'link-name',
      'button-name',
      'summary-name',
      'region',
      'heading-order',
      'scrollable-region-focusable',
      'aria-hidden-focus',
      'landmark-unique',
      'label',
    ],
  },
};

const COLOURS: RunOptions = {
  resultTypes: ['violations'],
  runOnly: { type: 'rule', values: ['color-contrast'] },
};

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };

/** The ways in which a page is shown: each width and each colour. What does not depend on colours is checked by width. */
const MODES = [
  ['desk, light', DESK, { colorScheme: 'light', contrast: 'no-preference' }, EVERYTHING],
  ['desk, dark, high contrast', DESK, { colorScheme: 'dark', contrast: 'more' }, COLOURS],
  ['phone, dark', PHONE, { colorScheme: 'dark', contrast: 'no-preference' }, PHONE_RULES],
  ['phone, light, high contrast', PHONE, { colorScheme: 'light', contrast: 'more' }, COLOURS],
] as const;

/** Leaves ten of each list, table and column of posts: the time that axe takes grows with them, what it finds does not. */
const SHORTEN = `for (const each of document.querySelectorAll('li, tr, article, section, option'))
  if ([...each.parentElement.children].filter(({ localName }) => localName === each.localName).indexOf(each) >= 10) each.remove()`;

/** Opens a window of Chromium in which the visitor is signed in. */
export async function windowOf(chromium: Browser, visitor: Visitor, url: string): Promise<BrowserContext> {
  const context = await chromium.newContext({ viewport: DESK, reducedMotion: 'reduce' });
  await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
  return context;
}

/** Returns what axe finds on the page of a tab in every mode, one line for each element. */
export async function faultsOf(tab: Page): Promise<string[]> {
  const faults: string[] = [];
  await tab.evaluate(SHORTEN);
  await layOutAll(tab);
  await tab.evaluate(AXE);
  for (const [mode, viewport, media, options] of MODES) {
    await tab.emulateMedia(media);
    await tab.setViewportSize(viewport);
    await settle(tab);
    const run = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
    faults.push(...((await tab.evaluate(run)) as Result[]).flatMap((each) => linesOf(mode, each)));
  }
  return faults;
}

function linesOf(mode: string, { id, nodes }: Result): string[] {
  return nodes.map(({ html, failureSummary = '' }) => {
    const [, reason = ''] = failureSummary.split('\n');
    return `${mode}: ${id}: ${html.slice(0, 160)}: ${reason.trim()}`;
  });
}
