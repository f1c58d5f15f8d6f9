import { DOCS_STYLE } from './docs/docs-style.js';
import { INSPECTOR_STYLE } from './inspector/inspector-style.js';
import { COMPOSER_STYLE } from './posts/composer-style.js';
import { MENU_STYLE } from './posts/menu-style.js';
import { MESSAGE_STYLE } from './posts/message-style.js';
import { POST_STYLE } from './posts/post-style.js';
import { LIST_STYLE } from './routes/lists/list-style.js';
import { CROP_STYLE } from './routes/account/crop-style.js';
import { DESK_STYLE } from './desk-style.js';
import { SPACE_STYLE } from './routes/spaces/space-style.js';
import { SECTION_STYLE } from './section-style.js';
import { HIDDEN, TOKENS } from './tokens.js';

const STOP =
  '{ animation-duration: .01ms !important; animation-iteration-count: 1 !important; transition: none !important; scroll-behavior: auto !important; }';

/** Stops all motion for readers who asked their device or this site for it. */
const STILL = `@media (prefers-reduced-motion: reduce) { *, *::before, *::after ${STOP} }
${['*', '*::before', '*::after'].map((each) => `:root[data-motion=reduced] ${each}`).join(', ')} ${STOP}`;

/** The styles of every page: light and dark, phone and desktop. Colours and sizes are those of `tokens.ts`. */
export const STYLE = `
${TOKENS}* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--page); color: var(--ink); font: 1rem/1.55 var(--font); overflow-wrap: anywhere;
}
a { color: var(--accent); text-underline-offset: .15em; }
a:hover { color: var(--accent-strong); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: var(--radius-s); }
.skip { position: absolute; inset-inline-start: -999px; }
.skip:focus { inset-inline-start: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }

/* Visitors have a bar at the top; signed-in people a column of links, which is a bar at the bottom of phones. */
.top {
  display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem;
  padding: .625rem clamp(1rem, 4vw, 2rem); background: var(--card); border-bottom: 1px solid var(--line);
}
.brand { font-weight: 700; font-size: 1.25rem; color: var(--ink); text-decoration: none; padding: .375rem .75rem; }
.top .brand { margin-inline-end: auto; padding-inline-start: 0; }
.top nav { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; }
.top nav a:not(.button) { padding: .375rem 0; text-decoration: none; }
.signed-in { display: grid; grid-template-columns: 1fr minmax(0, 15rem) minmax(0, 42rem) minmax(0, 20rem) 1fr; align-items: start; }
.side { grid-column: 2; position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem .75rem; display: flex; flex-direction: column; gap: .5rem; }
.signed-in > main { grid-column: 3; max-width: none; padding-top: 1.25rem; }
.signed-in > main.wide { grid-column: 3 / 5; }
.signed-in > aside { grid-column: 4; padding: 1.25rem 1rem; position: sticky; top: 0; max-height: 100vh; overflow-y: auto; }
.main-links { display: flex; flex-direction: column; gap: .125rem; }
.nav-link, button.nav-link {
  display: flex; align-items: center; gap: .875rem; padding: .5625rem .75rem; border-radius: var(--radius-full); width: 100%;
  color: var(--ink); text-decoration: none; font: 400 1.0625rem/1.3 var(--font); background: none; border: 0; text-align: start;
}
.nav-link:hover, button.nav-link:hover { background: var(--note-soft); color: var(--ink); }
.nav-link[aria-current] { font-weight: 700; }
.nav-link .icon { width: 1.5rem; height: 1.5rem; }
.icon.account { border-radius: var(--radius-full); }
.badge-count { background: var(--accent); color: var(--on-accent); border-radius: var(--radius-full); font-size: .75rem; font-weight: 700; padding: 0 .4375rem; margin-inline-start: auto; white-space: nowrap; }
.more-links { margin: 0; }
.more-links > summary { display: none; }
.more-links::details-content { content-visibility: visible; height: auto; }
.more-links form { margin: 0; }
.who { color: var(--soft); }
.compose { margin-top: .75rem; display: flex; justify-content: center; align-items: center; gap: .5rem; }
.compose .icon { display: none; }
.icon { width: 1.25rem; height: 1.25rem; flex: none; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
@media (max-width: 74rem) {
  .signed-in { grid-template-columns: 1fr auto minmax(0, 42rem) 1fr; }
  .signed-in > aside { display: none; }
  .signed-in > main.wide { grid-column: 3; }
}
@media (max-width: 60rem) {
  .side { align-items: center; padding: 1rem .375rem; }
  .side .brand { display: none; }
  .main-links > .nav-link > span, .compose > span { ${HIDDEN} }
  .compose .icon { display: block; }
  .side .compose { padding: .75rem; border-radius: var(--radius-full); }
}
@media (min-width: 40.01rem) and (max-width: 60rem) { .more-links .nav-link > span { ${HIDDEN} } }
@media (max-width: 40rem) {
  /* The button to write is for lists: it would cover the fields of forms. */
  body:not(:has(.timeline)) .side .compose, body:has(main form:not(.search) .field) .side .compose { display: none; }
  .signed-in { display: block; padding-bottom: calc(3.75rem + env(safe-area-inset-bottom)); }
  .side { position: static; height: auto; padding: 0; overflow: visible; }
  .main-links {
    position: fixed; z-index: 5; inset-inline: 0; bottom: 0; flex-direction: row; justify-content: space-around;
    background: var(--card); border-top: 1px solid var(--line); padding: .25rem .25rem calc(.25rem + env(safe-area-inset-bottom));
  }
  .nav-link { width: auto; padding: .625rem .875rem; }
  .main-links > * { flex: 0 1 auto; min-width: 0; }
  .main-links > .nav-link { position: relative; padding-inline: min(.75rem, 2vw); }
  .main-links > .nav-link .badge-count { position: absolute; inset-block-start: .125rem; inset-inline-start: 1.75rem; }
  .more-links > summary { display: flex; padding: .625rem min(.875rem, 2vw); color: var(--ink); list-style: none; }
  .more-links[open] > summary { margin: 0; }
  .more-links > summary span { display: none; }
  .more-links > summary::-webkit-details-marker { display: none; }
  .more-links > summary .icon { width: 1.5rem; height: 1.5rem; }
  .more-links::details-content { content-visibility: hidden; }
  .more-links[open]::details-content { content-visibility: visible; }
  .more-links > div {
    position: absolute; inset-inline-end: .5rem; bottom: 100%; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius-l);
    padding: .5rem; min-width: min(13rem, 100vw - 1rem); max-height: calc(100vh - 6rem); overflow-y: auto; box-shadow: 0 4px 24px var(--shadow);
  }
  .more-links .nav-link { width: 100%; }
  .side .compose { position: fixed; z-index: 4; inset-inline-end: 1rem; bottom: calc(4.5rem + env(safe-area-inset-bottom)); box-shadow: 0 4px 16px var(--shadow); }
}

main { width: 100%; max-width: 30rem; margin: 0 auto; padding: clamp(1.25rem, 5vw, 3rem) 1rem 4rem; flex: 1; }
main.wide { max-width: 62rem; }
.foot { padding: 1rem; text-align: center; color: var(--soft); font-size: var(--text-s); }
.foot a { color: inherit; }
h1 { font-size: var(--text-xl); line-height: 1.25; margin: 0 0 1rem; text-wrap: balance; }
h2 { font-size: var(--text-l); line-height: 1.3; margin: 2rem 0 .75rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
.card > h2:first-child, .card > h3:first-child, input[type=hidden]:first-child + h2 { margin-top: 0; }
p { margin: 0 0 1rem; }
.lead, .hint { color: var(--soft); }
.card > .hint + :is(p, button) { margin-top: .75rem; }
.hint { font-size: var(--text-s); margin: .375rem 0 0; }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: var(--radius-l);
  padding: clamp(1rem, 4vw, 1.75rem); margin: 0 0 1.5rem;
}
.card > :last-child { margin-bottom: 0; }

.field { margin: 0 0 1.125rem; }
.field label, legend { display: block; font-weight: 600; margin: 0 0 .3125rem; padding: 0; }
fieldset { border: 0; margin: 0 0 1.125rem; padding: 0; min-width: 0; }
.choice { display: flex; gap: .625rem; align-items: flex-start; margin: 0 0 .5rem; }
.choice input { width: 1.15rem; height: 1.15rem; margin: .2rem 0 0; accent-color: var(--accent); flex: none; }
.choice label { font-weight: 400; margin: 0; }
input:where(:not([type=checkbox], [type=radio])), select, textarea {
  width: 100%; font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--field); border-radius: var(--radius-m); padding: .5625rem .75rem;
}
textarea { display: block; min-height: 6rem; resize: vertical; }
[aria-invalid=true] { border-color: var(--danger); border-width: 2px; }
.fault { color: var(--danger); font-size: var(--text-s); margin: .25rem 0 0; }

button, .button {
  display: inline-block; font: 600 1rem/1.25 var(--font); cursor: pointer; text-decoration: none; text-align: center;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent);
  border-radius: var(--radius-m); padding: .6875rem 1.25rem; max-width: 100%;
}
button:hover, .button:hover { background: var(--accent-strong); border-color: var(--accent-strong); color: var(--on-accent); }
button.plain, .button.plain { color: var(--ink); background: transparent; border-color: var(--field); }
button.plain:hover, .button.plain:hover { background: var(--note-soft); }
button.danger { color: var(--danger); background: transparent; border-color: var(--danger); }
button.danger:hover { background: var(--danger-soft); }
button.link { padding: .375rem 0; background: none; border: 0; color: var(--accent); font-weight: 400; text-decoration: none; }
button.link:hover { color: var(--accent-strong); text-decoration: underline; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0 0; }
.actions > * { flex: 1 1 9rem; min-width: 0; }
.actions > a.button { display: flex; align-items: center; justify-content: center; }
:is(main.wide, .signed-in main) .actions > * { flex: 0 1 auto; }

.note { border-radius: var(--radius-m); padding: .75rem 1rem; margin: 0 0 1.25rem; background: var(--note-soft); }
.note > :last-child { margin-bottom: 0; }
.note.bad { background: var(--danger-soft); border-inline-start: 4px solid var(--danger); }
.note.good { background: var(--good-soft); border-inline-start: 4px solid var(--accent); }

.points { margin: 0 0 1rem; padding: 0; padding-inline-start: 1.25rem; }
.points li { margin: 0 0 .375rem; padding-inline-start: .125rem; }
.points li::marker { color: var(--accent); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .375rem 1.25rem; margin: 0 0 1rem; }
dt { color: var(--soft); }
dd { margin: 0; }
code, pre, .secret { font: var(--text-m)/1.5 var(--mono); }
code, .secret { background: var(--code); border-radius: var(--radius-s); padding: .0625rem .3125rem; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: var(--radius-m); padding: .75rem 1rem; margin: 0 0 1rem; overflow-x: auto; }
.pin { font: 700 clamp(2rem, 11vw, 2.75rem)/1.2 var(--mono); letter-spacing: .12em; text-align: center; margin: 1.5rem 0; }
table { border-collapse: collapse; width: 100%; overflow-wrap: break-word; }
caption { text-align: start; color: var(--soft); margin: 0 0 .5rem; }
th { text-align: start; font-size: var(--text-s); color: var(--soft); }
th, td { padding-block: .5rem; padding-inline: 0 1rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: end; font-variant-numeric: tabular-nums; }
.hidden { ${HIDDEN} }
.media { margin: 0 0 1.25rem; }
.media img, .media video { display: block; max-width: 100%; height: auto; border-radius: var(--radius-l); }
.written { white-space: pre-wrap; }
@media (max-width: 22rem) { table { overflow-wrap: anywhere; } }
@media (max-width: 34rem) {
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .625rem; }
  .card > dl:not(.secrets) { grid-template-columns: minmax(min-content, 42%) minmax(0, 1fr); gap: .375rem 1rem; }
  .card > dl:not(.secrets) dd { margin: 0; }
}
${SECTION_STYLE}
${DESK_STYLE}
${POST_STYLE}
${LIST_STYLE}
${SPACE_STYLE}
${COMPOSER_STYLE}
${MESSAGE_STYLE}
${CROP_STYLE}
${MENU_STYLE}
${INSPECTOR_STYLE}
${DOCS_STYLE}
${STILL}
/* Where the device chooses all colours, what only a background shows gets a border. */
@media (forced-colors: active) {
  .badge-count, .note, .mark, .nav-link[aria-current] { border: 1px solid; }
  [aria-pressed=true] { forced-color-adjust: none; color: Highlight; background: Canvas; }
}
@media print { .top, .foot, .actions { display: none; } }
`;
