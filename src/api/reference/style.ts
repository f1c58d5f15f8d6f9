/** The style sheet of the reference page, in light and dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #fbfaf7;
  --card: #ffffff;
  --ink: #1d2125;
  --soft: #5a646d;
  --line: #e3e0d8;
  --accent: #0b6e63;
  --code: #f3f1ea;
  --get: #1f6fb2;
  --post: #2e7d32;
  --put: #946200;
  --delete: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171a;
    --card: #1c2126;
    --ink: #e4e7ea;
    --soft: #98a3ad;
    --line: #2d343b;
    --accent: #4fc3b2;
    --code: #11151a;
    --get: #6cb4ee;
    --post: #7ccf80;
    --put: #e0b04f;
    --delete: #f28b82;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible, pre:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px;
}
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }
.layout { display: grid; grid-template-columns: minmax(15rem, 19rem) minmax(0, 1fr); }
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem 3rem 1.5rem;
  border-right: 1px solid var(--line); font-size: .875rem;
}
nav h2 { font-size: .8125rem; margin: 1.25rem 0 .25rem; color: var(--soft); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .125rem 0; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav li a:hover { color: var(--accent); }
main { padding: 2rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 64rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; }
main h2 { margin: 3.5rem 0 1rem; font-size: 1.5rem; }
article {
  background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 1.25rem 1.5rem; margin: 0 0 1.5rem;
}
article:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
h3 { margin: 0; font: 600 1rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
h3 a { color: inherit; text-decoration: none; }
h4 { margin: 1.25rem 0 .375rem; font-size: .875rem; color: var(--soft); }
.GET { color: var(--get); } .POST { color: var(--post); } .PUT { color: var(--put); } .DELETE { color: var(--delete); }
.lead { color: var(--soft); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1rem; margin: .75rem 0 0; font-size: .9375rem; }
dt { color: var(--soft); }
dd { margin: 0; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem; margin: 0; overflow-x: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: .8125rem; }
th, td { padding: .375rem 1rem .375rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
th:first-child { width: 32%; }
summary { cursor: pointer; color: var(--soft); }
.required { color: var(--delete); font-size: .8125rem; overflow-wrap: anywhere; }
@media (max-width: 52rem) {
  .layout { display: block; }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .5rem; }
}
@media (max-width: 40rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, td { display: block; }
  td { padding: 0; border: 0; }
  tr { padding: .625rem 0; border-bottom: 1px solid var(--line); }
  tr:last-child { border-bottom: 0; }
  td:nth-child(2) { color: var(--soft); overflow-wrap: anywhere; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
}
@media print { nav { display: none; } .layout { display: block; } }
`;
