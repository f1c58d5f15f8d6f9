import { expect, test } from 'vitest';
import { STYLE } from '../../src/web/style.js';
import { TOKENS } from '../../src/web/tokens.js';

/** Everything but the tokens. */
const RULES = STYLE.replace(TOKENS, '');

test('colours are named by the tokens only, and every token that a style uses is there', () => {
  expect(RULES).not.toBe(STYLE);
  expect(RULES.match(/#[0-9a-f]{3,8}\b(?=[;\s}])|\b(?:rgb|hsl|oklch)a?\(/gi)).toBeNull();
  const defined = new Set([...TOKENS.matchAll(/(--[a-z0-9-]+):/g)].map(([, name]) => name));
  const used = [...RULES.matchAll(/var\((--[a-z0-9-]+)/g)].map(([, name]) => name);
  expect(used.filter((name) => !defined.has(name))).toEqual([]);
});

/** The colours of a scheme: those of the theme, and what more contrast changes. */
function scheme(theme: 'light' | 'dark', isClear: boolean): (name: string) => string {
  const [, of = ''] = new RegExp(`data-theme=${theme}\\] \\{ color-scheme([^}]*)`).exec(TOKENS) ?? [];
  const clear = new RegExp(`contrast: more\\) \\{[^{]*data-theme=${theme}\\] \\{([^}]*)`).exec(TOKENS)?.[1];
  const colours = new Map([...coloursOf(of), ...coloursOf(isClear ? (clear ?? '') : '')]);
  return (name) => colours.get(`--${name}`) ?? '';
}

test.each([
  ['light', false, 4.5],
  ['dark', false, 4.5],
  ['light', true, 7],
  ['dark', true, 7],
] as const)('texts have enough contrast on every surface: %s, clear %s, %f to 1', (theme, isClear, least) => {
  const colour = scheme(theme, isClear);
  for (const surface of ['page', 'card', 'note-soft'])
    for (const text of ['ink', 'soft', 'accent', 'danger', 'read', 'change'])
      expect(contrast(colour(text), colour(surface)), `${text} on ${surface}`).toBeGreaterThan(least);
  expect(contrast(colour('on-accent'), colour('accent'))).toBeGreaterThan(least);
  expect(contrast(colour('danger'), colour('danger-soft'))).toBeGreaterThan(least);
});

test('styles name no side of the page, so that they fit both directions of writing', () => {
  const sides =
    /(?:margin|padding|border)-(?:left|right)|text-align: ?(?:left|right)|[\s;{](?:left|right):|(?:top|bottom)-(?:left|right)-radius|float:/;
  expect(sides.exec(STYLE)).toBeNull();
});

function coloursOf(css: string): [string, string][] {
  return [...css.matchAll(/(--[a-z0-9-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
}

/** The ratio of WCAG 2.2, 1.4.3. */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
