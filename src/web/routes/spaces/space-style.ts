/** Styles of Spaces; uses the tokens of `tokens.ts`. */
export const SPACE_STYLE = `
.spaces { display: grid; gap: var(--space-m); margin: 0 0 var(--space-xl); }
.space-card {
  display: flex; flex-direction: column; gap: var(--space-xs); padding: var(--space-m) var(--space-l); text-decoration: none;
  color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: var(--radius-l);
}
.space-card:hover { border-color: var(--field); color: var(--ink); }
.space-card:hover .space-title { text-decoration: underline; }
.post .space-card { margin: 0 0 var(--space-m); }
.space-card.space-live { border-color: var(--accent); }
.space-head { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--space-s); color: var(--soft); font-size: var(--text-s); }
.space-title { font-size: 1.0625rem; line-height: 1.35; }
.space-when { color: var(--soft); font-size: var(--text-m); }
.space-state { display: inline-flex; align-items: center; gap: .25em; font-weight: 600; font-size: var(--text-s); color: var(--soft); }
.space-state.space-live { color: var(--accent); }
.space-state .icon { width: 1.125em; height: 1.125em; }
.host-forms { display: grid; gap: var(--space-m); justify-items: start; }
.host-forms > *, .host-forms form { margin: 0; }
.host-forms details { width: 100%; }
.space-header h1 { margin: var(--space-xs) 0 var(--space-m); }
.space-people { list-style: none; margin: 0 0 var(--space-l); padding: 0; display: grid; gap: var(--space-m); grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); }
.space-people li { display: flex; align-items: center; gap: var(--space-m); min-width: 0; }
`;
