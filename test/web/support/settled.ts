import type { Page } from 'playwright-core';

/**
 * Lays everything out as it is when it is in view. Posts outside the window keep the size that they had in another mode
 * (`content-visibility: auto`), so that what they contain would lie over their neighbours.
 */
const LAY_OUT = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { content-visibility: visible !important }');
  document.adoptedStyleSheets = [sheet];
}`;

/** Waits for the fonts, for animations that end, and for two frames in which every element has the same place. */
const SETTLE = `(async () => {
  await document.fonts.ready;
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime < Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
  const places = () => [...document.querySelectorAll('body *')].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x, y, width, height].join(' ');
  }).join();
  for (let before, now = places(); now !== before; [before, now] = [now, places()])
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
})()`;

/** Lays out all of a page, in view or not, from now on. */
export async function layOutAll(tab: Page): Promise<void> {
  await tab.evaluate(LAY_OUT);
}

/** Waits until a page has come to rest: what is measured then does not change by itself. */
export async function settle(tab: Page): Promise<void> {
  await tab.evaluate(SETTLE);
}
