/** Styles of the inspector; uses the colours of `style.ts`. */
export const INSPECTOR_STYLE = `
.filters { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem 1rem; align-items: end; margin: 0 0 1.25rem; }
.filters .field { margin: 0; }
.filters select, .filters .field input { height: 2.75rem; }
.filters .choice { margin: 0 0 .625rem; }
.filters button { justify-self: start; }
.live { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; justify-content: space-between; margin: 0 0 .5rem; color: var(--soft); font-size: var(--text-s); }
.requests { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
.requests li {
  display: grid; grid-template-columns: 3.5rem minmax(0, 1fr) auto; gap: 0 .875rem; align-items: baseline;
  padding: .625rem 0; border-bottom: 1px solid var(--line);
}
.requests p { margin: 0; }
.requests .hint { margin: 0; }
.requests a { text-decoration: none; }
.requests a:hover { text-decoration: underline; }
.requests code { background: none; padding: 0; font-size: var(--text-m); overflow-wrap: anywhere; }
.requests .when { text-align: end; white-space: nowrap; color: var(--soft); font-size: var(--text-s); font-variant-numeric: tabular-nums; }
.requests .cause { grid-column: 2 / -1; font-size: var(--text-m); }
.status { font: 600 var(--text-s)/1.5 var(--mono); border-radius: var(--radius-s); padding: .0625rem .4375rem; background: var(--good-soft); }
.status.bad { background: var(--danger-soft); color: var(--danger); }
.status.other { background: var(--note-soft); }
.refusal { border-inline-start: 4px solid var(--danger); }
.compared { display: grid; gap: .25rem; margin: 0 0 1rem; }
.compared figure { margin: 0; min-width: 0; }
.compared figcaption { font-size: var(--text-s); color: var(--soft); margin: 0 0 .25rem; }
.compared pre, .sent { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 32rem; overflow-y: auto; }
mark { background: var(--danger-soft); color: var(--danger); border-radius: var(--radius-s); font-weight: 600; text-decoration: underline; }
.headers { grid-template-columns: minmax(8rem, 28%) minmax(0, 1fr); gap: .25rem 1.25rem; }
.headers dt { font: var(--text-s)/1.7 var(--mono); overflow-wrap: anywhere; }
.headers code { background: none; padding: 0; }
h1 code { font-size: 1.25rem; background: none; padding: 0; }
.statements { padding: 0 0 0 1.75rem; margin: 0; }
.statements li { margin: 0 0 .375rem; }
.statements code { background: none; padding: 0; overflow-wrap: anywhere; }
.copying { display: flex; justify-content: flex-end; margin: 0 0 .5rem; }
@media (max-width: 34rem) {
  .requests li { grid-template-columns: 3.25rem minmax(0, 1fr); }
  .requests .when { grid-column: 2; text-align: start; }
  .headers { grid-template-columns: minmax(0, 1fr); gap: 0; }
}
`;
