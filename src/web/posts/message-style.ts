import { HIDDEN } from '../tokens.js';

/** Styles of conversations; uses the tokens of `tokens.ts`. */
export const MESSAGE_STYLE = `
.messages { list-style: none; margin: 0 0 .75rem; padding: 0; display: grid; gap: .5rem; }
.messages > li { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius-l); padding: .5rem .875rem; max-width: 85%; min-width: 0; justify-self: start; }
.messages > li.own { justify-self: end; background: var(--good-soft); }
.messages > li.happening { justify-self: center; max-width: 100%; background: none; border: 0; padding: .25rem .5rem; color: var(--soft); font-size: var(--text-m); text-align: center; }
.messages .text { margin: 0; }
.messages .attached { margin: .375rem 0; }
.messages .attached :is(img, video) { max-height: 20rem; width: auto; }
.messages .below { display: flex; gap: .75rem; justify-content: space-between; align-items: center; margin: .125rem 0 0; font-size: var(--text-s); }
.messages .below a { color: var(--soft); padding-block: .1875rem; }
.message-card .text:last-child, .message-card .attached:last-child { margin-bottom: 0; }
.composer.message .field textarea { max-height: 30vh; }
[role=log] + .composer.message { position: sticky; bottom: .75rem; z-index: 1; margin: 0; box-shadow: 0 -4px 16px -8px var(--shadow); }
[role=log] + .composer.message .part > .field > label { ${HIDDEN} }
/* The form covers the end of the window: what has the focus stays above it. */
html:has([role=log]) { scroll-padding-bottom: 12rem; }
.with { display: inline-flex; align-items: center; gap: .75rem; color: inherit; text-decoration: none; }
.with:hover { text-decoration: underline; }
details.people { margin: 0 0 .75rem; }
details.people > summary { cursor: pointer; color: var(--accent); padding: .375rem 0; width: max-content; }
@media (max-width: 40rem) { [role=log] + .composer.message { bottom: calc(3.25rem + env(safe-area-inset-bottom)); margin-inline: -1rem; border-inline: 0; border-radius: 0; } }
`;
