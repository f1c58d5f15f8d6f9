import { Html } from '../api/reference/html.js';

/** Colours: those of the device, or always the same. `contrast` follows the device in light or dark. */
export const THEMES = ['system', 'light', 'dark', 'contrast'] as const;
export const TEXT_SIZES = ['small', 'normal', 'large', 'largest'] as const;

/** How a browser shows pages. */
export interface Appearance {
  readonly theme: (typeof THEMES)[number];
  readonly textSize: (typeof TEXT_SIZES)[number];
  /** Nothing moves, even if the device would let it. */
  readonly isStill: boolean;
}

export const DEFAULT_APPEARANCE: Appearance = { theme: 'system', textSize: 'normal', isStill: false };

/** The cookie of an appearance: the server renders it, so a page never changes its colours after it was drawn. */
export const APPEARANCE_COOKIE = 'pipit_appearance';

const STILL = 'still';

/** Reads the value of the cookie. What it does not understand is as by default. */
export function readAppearance(value: string | undefined): Appearance {
  const words = new Set((value ?? '').split('.'));
  return {
    theme: THEMES.find((each) => words.has(each)) ?? DEFAULT_APPEARANCE.theme,
    textSize: TEXT_SIZES.find((each) => words.has(each)) ?? DEFAULT_APPEARANCE.textSize,
    isStill: words.has(STILL),
  };
}

/** Returns the value of the cookie. */
export function writeAppearance({ theme, textSize, isStill }: Appearance): string {
  return [theme, textSize, ...(isStill ? [STILL] : [])].join('.');
}

/** Returns the attributes of the root element: its language, and what the stylesheet reads, if not as by default. */
export function rootAttributes({ theme, textSize, isStill }: Appearance): Html {
  const attributes = [
    'lang="en"',
    ...(theme === DEFAULT_APPEARANCE.theme ? [] : [`data-theme="${theme}"`]),
    ...(textSize === DEFAULT_APPEARANCE.textSize ? [] : [`data-size="${textSize}"`]),
    ...(isStill ? ['data-motion="reduced"'] : []),
  ];
  return new Html(attributes.join(' '));
}
