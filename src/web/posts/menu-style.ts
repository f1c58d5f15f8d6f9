/** Styles of what opens above a page: menus of posts, completions, and short messages; uses the tokens of `tokens.ts`. */
export const MENU_STYLE = `
[hidden] { display: none !important; }
.menu { list-style: none; padding: 0; margin: 1rem 0; display: grid; gap: .75rem; }
.menu form { margin: 0; }
.menu .folder { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .375rem .75rem; }
.menu .folder label { grid-column: 1 / -1; }
.menu label { font-weight: 600; }
.menu li > a:not(.button) { display: block; padding: .5rem 0; }
.post-menu { width: min(26rem, calc(100vw - 2rem)); color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: var(--radius-l); padding: 1rem; }
.post-menu::backdrop { background: var(--shadow); }
.post-menu .menu { margin: 0 0 1rem; }
.post-menu .menu :is(button, a.button), .post-menu > button { width: 100%; }
.post-menu #link { margin: .25rem 0 .5rem; }
.button.danger { color: var(--danger); background: transparent; border-color: var(--danger); }
.button.danger:hover { background: var(--danger-soft); }
.new-folder { margin: 0 0 1rem; }
.new-folder summary { cursor: pointer; color: var(--accent); padding: .375rem 0; }
.new-folder summary.danger { color: var(--danger); }
.folder-forms { margin: 0 0 .75rem; display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.folder-forms .new-folder { margin: 0; }
.folder-forms .new-folder[open] { flex-basis: 100%; margin-bottom: .75rem; }
.toast {
  position: fixed; z-index: 9; inset-inline-start: 50%; bottom: calc(8.75rem + env(safe-area-inset-bottom)); transform: translateX(-50%); width: max-content; max-width: calc(100vw - 2rem);
  background: var(--ink); color: var(--page); border-radius: var(--radius-m); padding: .75rem 1.125rem; visibility: hidden;
}
.toast.shown { visibility: visible; }
.toast.undo { display: flex; align-items: center; gap: 1rem; }
.toast.undo button { color: inherit; border-color: currentColor; padding: .375rem .875rem; }
.toast.undo button:hover { background: none; text-decoration: underline; }
.field:has(> .completions), form:has(> .completions) { position: relative; }
.completions {
  position: absolute; z-index: 8; inset-inline: 0; top: 100%; list-style: none; margin: .25rem 0 0; padding: .25rem; max-height: 18rem; overflow-y: auto;
  background: var(--card); border: 1px solid var(--line); border-radius: var(--radius-m); box-shadow: 0 4px 24px var(--shadow);
}
.completions li { display: flex; align-items: center; gap: .5rem; padding: .5rem .625rem; border-radius: var(--radius-s); cursor: pointer; min-width: 0; }
.completions li:hover, .completions [aria-selected=true] { background: var(--note-soft); }
.completions [aria-selected=true] { box-shadow: inset 3px 0 0 var(--accent); }
.completions code { flex: none; }
.completions .face { width: 1.75rem; height: 1.75rem; }
.completions .name { font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
@media (min-width: 40.01rem) { .toast { bottom: 1.5rem; } }
`;
