/** Styles of Lists; uses the tokens of `tokens.ts`. */
export const LIST_STYLE = `
.list-card { display: flex; gap: var(--space-m); align-items: center; }
.list-card form { margin: 0; flex: none; }
.list-face {
  flex: none; width: 2.75rem; height: 2.75rem; border-radius: var(--radius-l); display: grid; place-items: center;
  background: var(--good-soft); color: var(--accent);
}
.list-what { flex: 1; min-width: 0; }
.list-what p { margin: 0; }
.list-name { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--space-s); }
.list-what .handle { font-size: var(--text-m); }
.list-what .handle a { color: inherit; }
.list-what .handle strong, .counts a strong { font-weight: 600; }
.list-about { color: var(--soft); font-size: var(--text-m); display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.list-header h1 { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--space-s); }
.list-header .mark, .list-name .mark { margin: 0; font-weight: 400; }
.list-owner { display: flex; gap: var(--space-s); margin: 0; color: var(--soft); }
.mark.with-icon { display: inline-flex; align-items: center; gap: .25em; }
.mark.with-icon .icon { width: 1em; height: 1em; }
`;
