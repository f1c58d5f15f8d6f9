/** Styles of sections, lists and plots; uses the colours of `style.ts`. */
export const SECTION_STYLE = `
.section { display: grid; grid-template-columns: 12.5rem minmax(0, 1fr); gap: 1rem 2.5rem; align-items: start; }
.section > div { min-width: 0; }
.contents { margin: 0; }
/* Folded on phones only. Browsers without the selector let the reader open them. */
@supports selector(::details-content) {
  @media (min-width: 48.01rem) {
    .fold::details-content { content-visibility: visible; height: auto; }
    .contents > summary { display: none; }
  }
}
.tabs { display: flex; flex-direction: column; gap: .125rem; }
.tabs a { padding: .5rem .75rem; border-radius: var(--radius-m); color: var(--ink); text-decoration: none; }
.tabs a:hover { background: var(--note-soft); color: var(--ink); }
.tabs a[aria-current] { background: var(--good-soft); font-weight: 600; box-shadow: inset 3px 0 0 var(--accent); }
span.copied { display: inline-flex; align-items: center; gap: var(--space-s); max-width: 100%; }
.secrets .copied { display: flex; }
.copied > .secret { flex: 1; min-width: 0; }
div.copied { position: relative; }
.copy { padding: .125rem .625rem; font-size: var(--text-s); font-weight: 400; flex: none; min-height: 1.75rem; }
div.copied > .copy { position: absolute; top: var(--space-s); inset-inline-end: var(--space-s); background: var(--card); }
main.wide .card { max-width: 40rem; }
main.wide .card.full { max-width: none; }
.bar { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 0 0 1.25rem; }
.bar .field { flex: 1 1 14rem; margin: 0; }
.bar h1 { margin: 0; flex: 1 1 12rem; }
.entries { list-style: none; margin: 0 0 1.5rem; padding: 0; }
.entries > li {
  display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between;
  padding: .875rem 0; border-bottom: 1px solid var(--line);
}
.entries > li:first-child { border-top: 1px solid var(--line); }
.entries .what { flex: 1 1 14rem; min-width: 0; }
.entries .what p { margin: 0; }
.entries form { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0; }
.entries button, .small { padding: .4375rem .875rem; font-size: var(--text-m); }
.logo { display: block; width: 6rem; height: 6rem; border-radius: var(--radius-l); }
.mark { display: inline-block; font-size: var(--text-xs); border: 1px solid var(--field); border-radius: var(--radius-full); padding: 0 .5rem; margin-inline-start: .375rem; color: var(--soft); }
details { margin: 0 0 1rem; }
details:last-child { margin-bottom: 0; }
summary { cursor: pointer; padding: .375rem 0; font-weight: 600; color: var(--accent); }
summary.danger { color: var(--danger); }
details[open] > summary { margin-bottom: .5rem; }
.secrets { grid-template-columns: 1fr; gap: 0; }
.secrets dd { margin: 0 0 .875rem; }
.secrets .secret { display: block; padding: .5rem .75rem; border-radius: var(--radius-m); user-select: all; word-break: break-all; }
.plot { display: block; width: 100%; height: 8.5rem; }
.plot-edge { display: flex; justify-content: space-between; font-size: var(--text-xs); color: var(--soft); margin: .125rem 0; }
.plot-edge:last-of-type { margin-bottom: .75rem; }
.actions + .ways { margin-top: 2rem; }
.plot .grid { stroke: var(--line); }
.plot .day { fill: var(--accent); }
.meter { height: .625rem; width: 100%; border-radius: var(--radius-full); display: block; margin: 0 0 .5rem; }
.meter .total { fill: var(--line); }
.meter .part { fill: var(--accent); }
.meter .part.full { fill: var(--danger); }
.hero { font-size: clamp(1.75rem, 6vw, 2.5rem); letter-spacing: -.01em; }
.ways { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: 1rem; margin: 0 0 1.5rem; }
main.wide .ways > .card { margin: 0; max-width: none; }
@media (max-width: 48rem) {
  .section { grid-template-columns: minmax(0, 1fr); }
  .contents { border: 1px solid var(--line); border-radius: var(--radius-m); padding: 0 var(--space-m); background: var(--card); }
  .tabs { padding-bottom: var(--space-s); }
}
.section .above { color: var(--soft); font-size: var(--text-s); margin: 0 0 var(--space-xs); }
`;
