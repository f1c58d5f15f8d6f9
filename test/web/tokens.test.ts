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

test.each(['light', 'dark'])('texts have a contrast of 4.5 to 1 on every surface, in %s', (scheme) => {
  const [light = '', dark = ''] = TOKENS.split('@media (prefers-color-scheme: dark)');
  const colours = new Map([...coloursOf(light), ...(scheme === 'dark' ? coloursOf(dark) : [])]);
  const colour = (name: string): string => colours.get(`--${name}`) ?? '';
  for (const surface of ['page', 'card', 'note-soft'])
    for (const text of ['ink', 'soft', 'accent', 'danger', 'read', 'change'])
      expect(contrast(colour(text), colour(surface)), `${text} on ${surface}`).toBeGreaterThan(4.5);
  expect(contrast(colour('on-accent'), colour('accent'))).toBeGreaterThan(4.5);
  expect(contrast(colour('danger'), colour('danger-soft'))).toBeGreaterThan(4.5);
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
