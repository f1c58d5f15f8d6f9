/** The colours of pages without a stylesheet: of the browser's own bars and of the first moment of an app. */
export const PAGE_COLOURS = { light: '#f6f5f1', dark: '#14171a' } as const;
export const MANIFEST_COLOURS = { theme_color: '#0b6e63', background_color: PAGE_COLOURS.light } as const;

const LIGHT = `
  --page: ${PAGE_COLOURS.light};
  --card: #ffffff;
  --ink: #1d2125;
  --soft: #59636c;
  --line: #dfdcd3;
  --field: #8b8f94;
  --accent: #0b6e63;
  --accent-strong: #095a51;
  --on-accent: #ffffff;
  --danger: #a8261d;
  --danger-soft: #fdeeec;
  --good-soft: #e7f4ef;
  --note-soft: #f3f1ea;
  --code: #ebe8df;
  --like: #b3205a;
  --read: #1b5f9a;
  --change: #7a5200;
  --veil: rgb(0 0 0 / .75);
  --on-veil: #ffffff;
  --shadow: rgb(0 0 0 / .2);
`;

const DARK = `
  --page: ${PAGE_COLOURS.dark};
  --card: #1c2126;
  --ink: #e4e7ea;
  --soft: #a0abb5;
  --line: #313940;
  --field: #75808a;
  --accent: #4fc3b2;
  --accent-strong: #7ad6c8;
  --on-accent: #06231f;
  --danger: #f28b82;
  --danger-soft: #3a2220;
  --good-soft: #17322d;
  --note-soft: #252b31;
  --code: #2b333a;
  --like: #ff7aa8;
  --read: #6cb4ee;
  --change: #e0b04f;
`;

/** What differs from light and dark for those who need more contrast: text at 7 to 1, and lines that are clear. */
const CLEAR_LIGHT = `
  --page: #ffffff;
  --ink: #000000;
  --soft: #24292e;
  --line: #5b6168;
  --field: #33383d;
  --accent: #074a43;
  --accent-strong: #04322d;
  --danger: #7d130c;
  --like: #8a0f42;
  --read: #0b3f6c;
  --change: #573900;
`;
const CLEAR_DARK = `
  --page: #000000;
  --card: #0b0d0f;
  --ink: #ffffff;
  --soft: #dfe4e8;
  --line: #8e99a3;
  --field: #c3ccd4;
  --accent: #7df0de;
  --accent-strong: #b4f7ec;
  --danger: #ffb4ad;
  --like: #ffb0cc;
  --read: #a8d5ff;
  --change: #ffd27a;
`;

const SHAPES = `
  --font: system-ui, sans-serif;
  --mono: ui-monospace, monospace;
  --text-xs: .8125rem;
  --text-s: .875rem;
  --text-m: .9375rem;
  --text-l: 1.1875rem;
  --text-xl: 1.625rem;

  --radius-s: 4px;
  --radius-m: 8px;
  --radius-l: 12px;
  --radius-full: 999px;

  --space-xs: .25rem;
  --space-s: .5rem;
  --space-m: .75rem;
  --space-l: 1rem;
  --space-xl: 1.5rem;
  --space-2xl: 2.5rem;
`;

/**
 * The design of every page as custom properties: colours, type sizes, radii and spaces. No other style has colours of
 * its own; test/web/tokens.test.ts holds this. The colours follow the device, or what the reader chose
 * (`appearance.ts`), which is in attributes of the root.
 */
export const TOKENS = `
:root { color-scheme: light dark; ${LIGHT}${SHAPES}}
@media (prefers-color-scheme: dark) { :root { ${DARK}} }
:root[data-theme=light] { color-scheme: light; ${LIGHT}}
:root[data-theme=dark] { color-scheme: dark; ${DARK}}
@media (prefers-contrast: more) { :root, :root[data-theme=light] { ${CLEAR_LIGHT}} }
:root[data-theme=contrast] { ${CLEAR_LIGHT}}
@media (prefers-color-scheme: dark) { :root[data-theme=contrast] { ${CLEAR_DARK}} }
@media (prefers-color-scheme: dark) and (prefers-contrast: more) { :root { ${CLEAR_DARK}} }
@media (prefers-contrast: more) { :root[data-theme=dark] { ${CLEAR_DARK}} }
:root[data-size=small] { font-size: 87.5%; }
:root[data-size=large] { font-size: 115%; }
:root[data-size=largest] { font-size: 135%; }
`;

/** Hides a text from the eye, but not from screen readers. */
export const HIDDEN =
  'position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;';
