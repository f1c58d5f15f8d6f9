import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Result, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Browser as Visitor } from './browser.js';
import { layOutAll, settle } from './settled.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The parts of the answer and of the preparation that are not used take a part of the time. */
const ONLY_VIOLATIONS = {
  resultTypes: ['violations'],
  selectors: false,
  preload: false,
} satisfies RunOptions;

const CONTRAST = 'color-contrast';

/** Everything that axe knows but contrast: the guidelines up to WCAG 2.2 AA and what it calls best practice. */
const EVERYTHING: RunOptions = {
  ...ONLY_VIOLATIONS,
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { [CONTRAST]: { enabled: false } },
};
/** What may differ on a phone, where other things are visible. */
const PHONE_RULES: RunOptions = {
  ...ONLY_VIOLATIONS,
  runOnly: {
    type: 'rule',
    values: [
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

const COLOURS: RunOptions = { ...ONLY_VIOLATIONS, runOnly: { type: 'rule', values: [CONTRAST] } };

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };

/** The ways in which a page is shown, and what is checked beside contrast: what does not depend on colours, by width. */
const MODES = [
  ['desk, light', DESK, { colorScheme: 'light', contrast: 'no-preference' }, EVERYTHING],
  ['desk, dark, high contrast', DESK, { colorScheme: 'dark', contrast: 'more' }, undefined],
  ['phone, dark', PHONE, { colorScheme: 'dark', contrast: 'no-preference' }, PHONE_RULES],
  ['phone, light, high contrast', PHONE, { colorScheme: 'light', contrast: 'more' }, undefined],
] as const;

/**
 * Leaves two of each kind of entry in a list, table or column of posts: the time that axe takes grows with them, what it
 * finds does not. Entries are of one kind if they have the same elements with the same classes.
 */
const SHORTEN = `{
  const kept = new Map();
  for (const each of document.querySelectorAll('li, tr, article, section, option')) {
    const shape = [each, ...each.querySelectorAll('*')].map((part) => part.localName + '.' + part.getAttribute('class'));
    const kinds = kept.get(each.parentElement) ?? new Map();
    kept.set(each.parentElement, kinds);
    const kind = shape.join(' ');
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (kinds.get(kind) > 2) each.remove();
  }
}`;

/**
 * Defines `textsOf`, which returns the elements with text by their kind: a hash of the names, classes and states of the
 * element and of what it is in, on which its colours depend.
 */
const FIND_TEXTS = `globalThis.textsOf = () => {
  const states = ['class', 'style', 'type', 'disabled', 'open', 'aria-current', 'aria-selected', 'aria-pressed', 'aria-checked'];
  const hashOf = (text) => [...text].reduce((hash, each) => (Math.imul(hash, 31) + each.codePointAt(0)) | 0, 7);
  const kinds = new Map([[null, 0]]);
  const kindOf = (each) => {
    if (!kinds.has(each))
      kinds.set(each, hashOf([kindOf(each.parentElement), each.localName, ...states.map((state) => each.getAttribute(state))].join('|')));
    return kinds.get(each);
  };
  const hasText = (each) =>
    each.matches('input, textarea, select') || [...each.childNodes].some((part) => part.nodeType === 3 && part.data.trim());
  return Map.groupBy([...document.querySelectorAll('body, body *')].filter(hasText), kindOf);
}`;

/** The kinds of texts whose contrast was checked, by mode: it is the same on every page. */
export type CheckedTexts = Map<string, Set<number>>;

/** Opens a window of Chromium in which the visitor is signed in. */
export async function windowOf(chromium: Browser, visitor: Visitor, url: string): Promise<BrowserContext> {
  const context = await chromium.newContext({ viewport: DESK, reducedMotion: 'reduce' });
  await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
  return context;
}

/**
 * Returns what axe finds on the page of a tab in every mode, one line for each element. The contrast of texts that are
 * in `checked` is not checked again.
 */
export async function faultsOf(tab: Page, checked: CheckedTexts = new Map()): Promise<string[]> {
  const faults: string[] = [];
  await tab.evaluate(SHORTEN);
  await layOutAll(tab);
  await tab.evaluate(AXE);
  await tab.evaluate(FIND_TEXTS);
  const kinds = (await tab.evaluate('[...textsOf().keys()]')) as number[];
  for (const [mode, viewport, media, rules] of MODES) {
    const known = checked.get(mode) ?? new Set();
    const added = kinds.filter((kind) => !known.has(kind));
    if (!rules && added.length === 0) continue;
    checked.set(mode, new Set([...known, ...added]));
    await tab.emulateMedia(media);
    await tab.setViewportSize(viewport);
    await settle(tab);
    const run = async (context: string, options: RunOptions): Promise<void> => {
      const running = `axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
      faults.push(...((await tab.evaluate(running)) as Result[]).flatMap((each) => linesOf(mode, each)));
    };
    if (rules) await run('document', rules);
    const texts = `(() => { const texts = textsOf(); return ${JSON.stringify(added)}.flatMap((kind) => texts.get(kind) ?? []); })()`;
    if (added.length > 0) await run(`{ include: ${texts} }`, COLOURS);
  }
  return faults;
}

function linesOf(mode: string, { id, nodes }: Result): string[] {
  return nodes.map(({ html, failureSummary = '' }) => {
    const [, reason = ''] = failureSummary.split('\n');
    return `${mode}: ${id}: ${html.slice(0, 160)}: ${reason.trim()}`;
  });
}
