/** Styles of the form that writes posts; uses the tokens of `tokens.ts`. */
export const COMPOSER_STYLE = `
.composer.short { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius-l); padding: .75rem 1rem; margin: 0 0 .75rem; }
.composer .part > .field { margin: 0 0 .5rem; }
.composer .part > .field textarea { field-sizing: content; max-height: 60vh; }
.composer.short .part > .field textarea { min-height: 3.25rem; }
.composer .part + .part { margin-top: 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
.tools .left { color: var(--soft); font-variant-numeric: tabular-nums; margin-inline-start: auto; text-align: end; }
.composer.message .tools > button { margin-inline-start: auto; }
.tools .left.over { color: var(--danger); font-weight: 700; }
.tools button, .tools summary, .composer .send button { padding: .5rem .875rem; }
.tools summary, .poll-fields > summary {
  display: inline-flex; align-items: center; gap: .5rem; cursor: pointer; color: var(--accent); border-radius: var(--radius-m); list-style: none; font-weight: 600;
}
.tools summary:hover, .poll-fields > summary:hover { background: var(--note-soft); }
.tools summary::-webkit-details-marker, .poll-fields > summary::-webkit-details-marker { display: none; }
.poll-fields > summary, .tools summary { padding-inline: .5rem; margin-inline-start: -.5rem; }
.poll-fields > summary { padding-block: .5rem; }
.poll-fields { margin: .25rem 0 .75rem; }
.pick[open] { flex-basis: 100%; }
.tools summary { display: flex; width: fit-content; }
.tools details { margin: 0; }
.pick > .field { margin-top: .5rem; }
.composer .send { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .75rem; margin: 1rem 0 0; }
.composer .send > :last-child { margin-inline-start: auto; }
.composer .send .icon { vertical-align: -.3em; }
.composer[aria-busy=true] { opacity: .7; }
.told:empty { display: none; }
.told > div > p:last-child, .told div div p:last-child { margin-bottom: 0; }
.attached-files { list-style: none; margin: 0 0 .5rem; padding: 0; display: grid; gap: .5rem; }
.attached-files:empty { display: none; }
.attached-file { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: .75rem; border: 1px solid var(--line); border-radius: var(--radius-m); padding: .5rem; }
.attached-file .preview { display: grid; place-items: center; height: 6rem; border-radius: var(--radius-s); overflow: hidden; background: var(--code); }
.attached-file .preview :is(img, video) { width: 100%; height: 100%; object-fit: cover; }
.attached-file .field { margin: 0 0 .5rem; }
.attached-file textarea { min-height: 2.5rem; }
.attached-file progress { width: 100%; height: .5rem; accent-color: var(--accent); display: block; margin: 0 0 .5rem; }
.file-acts { display: flex; gap: .5rem; margin: 0; }
.file-acts button, .attached-file .fault button { padding: .25rem .75rem; font-size: var(--text-s); }
.attached-file:first-child [value^=earlier] { display: none; }
.remind { margin: 0 0 .5rem; }
.composer .send .save-draft { margin-inline-start: auto; }
.composer .send .save-draft ~ :last-child { margin-inline-start: 0; }
.not-kept { color: var(--danger); margin: 0 0 .5rem; }
.draft-list { margin-top: 1rem; }
.draft-list .post { margin: 0 0 .75rem; }
.draft-list .actions { margin: .25rem 0 0; }
.draft-list .actions > * { flex: 0 0 auto; }
.draft-list .actions :is(button, .button) { padding: .375rem .875rem; font-size: var(--text-m); }
.title-row { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; margin: 0 0 1rem; }
.title-row h1 { margin: 0; }
.dropping { outline: 2px dashed var(--accent); outline-offset: -2px; }
@media (max-width: 40rem) {
  .attached-file { grid-template-columns: 4.5rem minmax(0, 1fr); }
  .attached-file .preview { height: 4.5rem; }
}
`;
