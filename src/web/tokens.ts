/**
 * The design of every page as custom properties: colours, type sizes, radii and spaces. No other style has colours of
 * its own; test/web/tokens.test.ts holds this.
 */
export const TOKENS = `
:root {
  color-scheme: light dark;
  --page: #f6f5f1;
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
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171a;
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
  }
}
`;
