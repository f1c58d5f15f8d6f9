/** Styles of the documentation; uses the tokens of `tokens.ts`. */
export const DOCS_STYLE = `
.docs > .contents { position: sticky; top: var(--space-l); }
.docs h2 { margin-top: var(--space-2xl); scroll-margin-top: var(--space-l); }
.docs .ways h2, .docs .group h2, .docs .steps h2 { margin-top: 0; }
.docs .ways .card { padding: var(--space-l); }
.docs .ways .card p { color: var(--soft); }
.docs .above { margin: 0 0 var(--space-xs); font-size: var(--text-s); }
.docs h1 { margin-bottom: var(--space-s); overflow-wrap: anywhere; }
.docs dl { font-size: var(--text-m); }
.docs pre { font-size: var(--text-s); max-height: 36rem; overflow: auto; }
.call { font: var(--text-m)/1.5 var(--mono); overflow-wrap: anywhere; }
.call code, code.call { background: none; padding: 0; }
.GET { color: var(--read); } .POST, .PUT { color: var(--change); } .DELETE { color: var(--danger); }
.endpoints, .tags { list-style: none; margin: 0; padding: 0; }
.endpoints li { padding: var(--space-s) 0; border-bottom: 1px solid var(--line); }
.endpoints li > a { font-weight: 600; text-decoration: none; }
.endpoints li > a:hover { text-decoration: underline; }
.endpoints .call { display: block; color: var(--soft); font-size: var(--text-s); }
.tags { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); gap: var(--space-xs) var(--space-l); margin: 0 0 var(--space-xl); }
.tags .hint { margin: 0; }
.group { margin: var(--space-2xl) 0 0; }
.docs table + .points { margin-top: var(--space-m); }
.group > summary { padding: var(--space-s) 0; }
.group > summary h2 { display: inline; color: var(--ink); }
.docs .call + .kinds { flex-wrap: wrap; margin-inline-start: -.75rem; }
.code .kinds { margin: 0 0 var(--space-s); }
.code pre, .docs pre { margin-bottom: var(--space-m); }
.docs .scroll { overflow-x: auto; }
.docs table { font-size: var(--text-m); }
.docs table th:first-child { width: 30%; }
.required { color: var(--danger); font-size: var(--text-xs); overflow-wrap: anywhere; }
td .where { color: var(--soft); font-size: var(--text-xs); }
.params { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 0 var(--space-l); }
.statuses dt { font-family: var(--mono); }
main.wide .docs .card { max-width: none; }
.try textarea { font: var(--text-m)/1.5 var(--mono); min-height: 9rem; }
.steps { padding: 0 0 0 1.5rem; margin: 0; }
.steps > li { margin: 0 0 var(--space-xl); padding-inline-start: var(--space-xs); }
.steps > li::marker { font-weight: 700; color: var(--accent); }
@supports selector(::details-content) {
  @media (min-width: 48.01rem) {
    .group > summary { list-style: none; cursor: auto; pointer-events: none; }
    .group > summary::-webkit-details-marker { display: none; }
  }
}
.fold:has(:target)::details-content { content-visibility: visible; height: auto; }
@media (max-width: 48rem) {
  .docs > .contents { position: static; }
  .group { margin: 0; border-bottom: 1px solid var(--line); }
}
@media (max-width: 40rem) {
  .docs thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .docs table, .docs tbody, .docs tr, .docs td { display: block; }
  .docs td { padding: 0; border: 0; }
  .docs tr { padding: var(--space-s) 0; border-bottom: 1px solid var(--line); }
  .docs tr:last-child { border-bottom: 0; }
}
`;
