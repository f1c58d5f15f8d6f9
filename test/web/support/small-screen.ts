import type { Page } from 'playwright-core';
import { settle } from './settled.js';

const PHONE = { width: 390, height: 844 };
const SMALL = { width: 320, height: 640 };

/** Returns the fields that the floating button can cover, at any place to which the page is scrolled. */
const COVERED = `(() => {
  const button = document.querySelector('.side .compose');
  if (!button || getComputedStyle(button).position !== 'fixed' || !button.checkVisibility()) return [];
  const { left } = button.getBoundingClientRect();
  return [...document.querySelectorAll('main :is(input, textarea, select)')]
    .filter((field) => field.checkVisibility() && !field.closest('[role=search]') && field.getBoundingClientRect().right > left)
    .map(({ outerHTML }) => 'the floating button can cover ' + outerHTML.slice(0, 120));
})()`;

/** Returns what reaches over the end of the window, unless it can be scrolled to by itself, and how wide the page is. */
const TOO_WIDE = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  const isWide = (each) => each.getBoundingClientRect().right > clientWidth + 1 && each.checkVisibility();
  const isScrolled = (each) => {
    for (let above = each.parentElement; above && above !== document.body; above = above.parentElement)
      if (/auto|scroll/.test(getComputedStyle(above).overflowX)) return true;
    return false;
  };
  const wide = [...document.querySelectorAll('body *:not(svg *, .hidden, .hidden *)')].filter(
    (each) => isWide(each) && ![...each.children].some((child) => !child.matches('svg, .hidden') && isWide(child)) && !isScrolled(each),
  );
  return [
    ...wide.slice(0, 3).map(({ outerHTML }) => 'too wide: ' + outerHTML.slice(0, 120)),
    ...(scrollWidth > clientWidth ? [scrollWidth + ' pixels wide'] : []),
  ];
})()`;

/**
 * Returns what is wrong with a page on a phone, and on a window of 320 pixels with text of twice the size: fields under
 * the floating button, and a page that scrolls sideways.
 */
export async function smallScreenFaults(tab: Page): Promise<string[]> {
  await tab.setViewportSize(PHONE);
  const covered = (await tab.evaluate(COVERED)) as string[];
  await tab.setViewportSize(SMALL);
  await tab.evaluate(`document.documentElement.style.fontSize = '200%'`);
  await settle(tab);
  return [...covered, ...((await tab.evaluate(TOO_WIDE)) as string[])];
}
