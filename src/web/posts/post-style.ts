/** Styles of posts and profiles; uses the colours of `style.ts`. */
export const POST_STYLE = `
main.posts { max-width: 40rem; }
.post { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius-l); padding: .875rem 1rem; margin: 0 0 .75rem; }
.post.main { padding: 1.125rem 1.25rem; border-color: var(--field); }
.post.main > .text { font-size: 1.25rem; line-height: 1.45; }
.post > :last-child { margin-bottom: 0; }
.post .above { color: var(--soft); font-size: var(--text-s); margin: 0 0 .5rem; }
.thread > .post { margin: 0; border-radius: 0; border-bottom-width: 0; }
.thread > .post:first-of-type { border-start-start-radius: var(--radius-l); border-start-end-radius: var(--radius-l); }
.thread > :last-child { border-bottom: 1px solid var(--line); border-end-start-radius: var(--radius-l); border-end-end-radius: var(--radius-l); }
.thread { margin: 0 0 .75rem; }
.thread > .more { background: var(--card); border: 1px solid var(--line); padding: .5rem 1rem; margin: 0; }
.head { display: flex; gap: .75rem; align-items: center; margin: 0 0 .5rem; min-width: 0; }
.head > div { min-width: 0; }
.person .head { flex-wrap: wrap; }
.person .head > div { flex: 1 1 5rem; }
.person .mark { margin-inline-start: 0; }
.person .head > :is(form, button) { flex: none; margin: 0; margin-inline-start: auto; }
.face { width: min(2.75rem, 16vw); height: min(2.75rem, 16vw); border-radius: 50%; flex: none; object-fit: cover; background: var(--code); }
.author { color: inherit; text-decoration: none; display: block; line-height: 1.3; padding-block: .125rem; }
.author:hover .name { text-decoration: underline; }
.author .name { font-weight: 700; }
.handle { color: var(--soft); font-weight: 400; }
.verified { color: var(--accent); font-weight: 700; }

.relations { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .75rem 0; }
.relations form { margin: 0; }
.more-acts { margin: 0; position: relative; }
.more-acts > summary { list-style: none; margin: 0; color: var(--ink); border: 1px solid var(--field); border-radius: var(--radius-m); line-height: 1.25; }
.more-acts[open] > summary { margin: 0; }
.more-acts > summary::-webkit-details-marker { display: none; }
.more-acts > summary:hover { background: var(--note-soft); }
.more-acts > div { position: absolute; z-index: 3; inset-inline-start: 0; top: 100%; margin-top: .25rem; width: max-content; max-width: calc(100vw - 2rem); display: grid; gap: .125rem; padding: .375rem; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius-l); box-shadow: 0 4px 24px var(--shadow); }
.more-acts > div :is(button, .button) { width: 100%; border-color: transparent; background: none; text-align: start; font-weight: 400; }
.more-acts > div :is(button, .button):hover { background: var(--note-soft); }
@media (max-width: 40rem) {
  .more-acts[open] { flex-basis: 100%; }
  .more-acts > summary { width: fit-content; }
  .more-acts > div { position: static; width: auto; }
}
.kinds { display: flex; gap: .25rem; margin: 0 0 .75rem; overflow-x: auto; scrollbar-width: none; }
.kinds a { flex: none; padding: .375rem .75rem; border-radius: var(--radius-full); text-decoration: none; color: var(--ink); }
.kinds a[aria-current] { background: var(--good-soft); font-weight: 600; }
.feed-link { display: inline-flex; align-items: center; gap: .25rem; min-height: 1.5rem; text-decoration: none; }
.feed-link .icon { width: 1rem; height: 1rem; }
.kinds .feed-link { margin-inline-start: auto; color: var(--soft); padding-inline: .5rem 0; }
.saved { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .5rem; margin: 0 0 .75rem; }
.saved .kinds { margin: 0; min-width: 0; flex-wrap: wrap; }
.saved .kinds a { max-width: min(16rem, 100%); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.saved form { margin: 0; }
@media (min-width: 34.01rem) { .search-help dl { grid-template-columns: minmax(0, 45%) minmax(0, 1fr); } }
.trends { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 100%), 1fr)); gap: .25rem 1rem; }
.trends li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .5rem; }
.trends .hint { margin: 0; white-space: nowrap; }
.counts a { color: inherit; }
.notice p { margin: 0 0 .375rem; }
.notice.unread { box-shadow: inset 3px 0 0 var(--accent); }
.faces { display: flex; flex-wrap: wrap; gap: .375rem; align-items: center; }
.faces .face { width: 2rem; height: 2rem; display: block; }
.excerpt a { color: var(--soft); text-decoration: none; }
.replying { color: var(--soft); font-size: var(--text-m); margin: 0 0 .25rem; }
.acts { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; margin: .25rem -.5rem -.375rem; max-width: 32rem; }
.post > .acts:last-child { margin-bottom: -.375rem; }
.act, button.act {
  display: inline-flex; align-items: center; gap: .375rem; min-width: min(2.75rem, 12vw); min-height: 2.75rem; padding: 0 min(.5rem, 2vw);
  color: var(--soft); background: none; border: 0; border-radius: var(--radius-full); font: 400 .875rem/1 var(--font); text-decoration: none;
}
.act:hover, button.act:hover { color: var(--accent); background: var(--note-soft); }
.act[aria-pressed=true] { color: var(--accent); font-weight: 700; }
.act[aria-pressed=true] .icon { fill: currentColor; }
.act.repost[aria-pressed=true] .icon { fill: none; stroke-width: 2.5; }
.act.like[aria-pressed=true] { color: var(--like); }
.count { font-variant-numeric: tabular-nums; min-width: 1ch; }
.timeline .post { margin: 0; border-radius: 0; border-width: 0 0 1px; }
.timeline { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius-l); overflow: hidden; margin: 0 0 .75rem; }
.timeline:not(:has(*)) { display: none; }
.post:focus-visible { outline-offset: -3px; }
.opens-posts .post:not(.main) > .text, .opens-posts .quoted { cursor: pointer; }
.post .above .mark { margin-inline-start: 0; }
.timeline .post { content-visibility: auto; contain-intrinsic-size: auto 10rem; }
.timeline > .post:last-child, .timeline > .page:last-child > .post:last-child { border-bottom: 0; }
.news { position: sticky; top: .75rem; height: 0; z-index: 2; display: flex; justify-content: center; }
.news button { align-self: flex-start; border-radius: var(--radius-full); padding: .5rem 1.125rem; font-size: var(--text-s); box-shadow: 0 2px 12px var(--shadow); }
@media (max-width: 40rem) { .timeline { margin-inline: -1rem; border-radius: 0; border-inline: 0; } }
.time { display: inline-block; min-width: 1.5rem; padding-block: .1875rem; color: var(--soft); font-size: var(--text-s); text-decoration: none; }
.time:hover { text-decoration: underline; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 .625rem; unicode-bidi: plaintext; }
.text:empty { display: none; }
.attached { margin: 0 0 .75rem; }
.attached.several { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); grid-auto-rows: minmax(clamp(6rem, 26vw, 10rem), auto); gap: .25rem; border-radius: var(--radius-l); overflow: hidden; }
.attached.several:not(:has(> :nth-child(3))) { grid-auto-rows: minmax(clamp(8rem, 40vw, 15rem), auto); }
.attached.several > :first-child:nth-last-child(3) { grid-row: span 2; }
.attached.single + .hint { margin: 0 0 1rem; }
.attached figure { margin: 0; min-width: 0; position: relative; }
/* The link of a small picture has room beside its description. */
.attached figure > a { display: block; min-width: min(6.5rem, 100%); min-height: 4.5rem; }
.attached:not(.several) figure { width: fit-content; max-width: 100%; }
.alt { position: absolute; inset-inline-start: .5rem; bottom: .5rem; inset-inline-end: .5rem; }
.alt summary { width: fit-content; list-style: none; background: var(--veil); color: var(--on-veil); font-size: var(--text-xs); font-weight: 600; border-radius: var(--radius-s); padding: .125rem .5rem; cursor: pointer; }
.alt summary::-webkit-details-marker { display: none; }
.alt p { max-height: 8rem; overflow-y: auto; background: var(--veil); color: var(--on-veil); font-size: var(--text-s); border-radius: var(--radius-s); padding: .5rem .625rem; margin: .25rem 0 0; }
video + .alt { bottom: auto; top: .5rem; }
.thread > .folded { margin: 0; }
.folded { background: var(--card); border: 1px solid var(--line); border-width: 1px 1px 0; }
.folded summary { padding: .625rem 1rem; cursor: pointer; color: var(--accent); }
.folded > .post { margin: 0; border-radius: 0; border-width: 1px 0 0; }
.rule { border-top: 1px solid var(--line); padding-top: .5rem; margin: 0 0 .5rem; }
dialog.keys { max-width: min(40rem, calc(100vw - 2rem)); background: var(--card); color: var(--ink); border: 1px solid var(--line); border-radius: var(--radius-l); padding: 1.25rem; }
dialog.keys::backdrop { background: var(--veil); }
dialog.keys h2 { margin-top: 0; }
dialog.keys dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); gap: .375rem 1.25rem; }
dialog.keys dl div { display: flex; gap: .75rem; align-items: baseline; }
dialog.keys dt { flex: none; min-width: 3.75rem; display: flex; gap: .25rem; }
dialog.keys dd { margin: 0; }
kbd { font: var(--text-s)/1.4 var(--mono); background: var(--code); border: 1px solid var(--line); border-radius: var(--radius-s); padding: .0625rem .375rem; }
.versions { list-style: none; padding: 0; }
.versions ins { background: var(--good-soft); text-decoration-color: var(--accent); }
.versions del { color: var(--danger); }
.attached img, .attached video { display: block; max-width: 100%; height: auto; border-radius: var(--radius-l); background: var(--code); }
.post .attached:not(.several) img, .post .attached video { max-height: 32rem; width: auto; }
.attached.several figure > :is(a, video) { position: absolute; inset: 0; width: 100%; height: 100%; }
.attached.several :is(img, video) { width: 100%; height: 100%; object-fit: cover; border-radius: 0; }
.still { position: relative; display: inline-block; min-width: 6.5rem; min-height: 2.5rem; }
.attached video { min-width: min(100%, 16rem); min-height: 6rem; }
.badge { white-space: nowrap; position: absolute; inset-inline-start: .5rem; bottom: .5rem; background: var(--veil); color: var(--on-veil); font-size: var(--text-xs); font-weight: 600; border-radius: var(--radius-s); padding: .125rem .5rem; }
.absent { color: var(--soft); font-size: var(--text-m); border: 1px dashed var(--field); border-radius: var(--radius-l); padding: .625rem .875rem; margin: 0 0 .75rem; }
.absent p { margin: 0; }
.quoted { border: 1px solid var(--line); border-radius: var(--radius-l); padding: .75rem .875rem; margin: 0 0 .75rem; }
.quoted > :last-child { margin-bottom: 0; }
.quoted-head { margin: 0 0 .375rem; }
.quoted-head > a { display: inline-block; padding-block: .1875rem; vertical-align: top; }
.poll .option { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .75rem; margin: 0 0 .5rem; }
.poll progress { grid-column: 1 / -1; width: 100%; height: .5rem; accent-color: var(--accent); }
.poll .share { font-variant-numeric: tabular-nums; color: var(--soft); }
.poll .hint { margin: 0 0 .75rem; }
.poll.vote { display: grid; gap: .375rem; margin: 0 0 .75rem; }
.poll.vote button { padding: .5rem .875rem; text-align: start; font-weight: 400; border-radius: var(--radius-full); }
.place { color: var(--soft); font-size: var(--text-m); margin: 0 0 .5rem; }
.counts, .facts { list-style: none; display: flex; flex-wrap: wrap; gap: .125rem 1.125rem; margin: 0; padding: 0; color: var(--soft); font-size: var(--text-m); }
.counts strong { color: var(--ink); }
.profile { margin: 0 0 1.5rem; }
.profile .face { width: 5.5rem; height: 5.5rem; }
.banner { display: block; width: 100%; height: auto; aspect-ratio: 3; object-fit: cover; border-radius: var(--radius-l); background: var(--code); }
.profile > .banner { margin: 0; }
.profile > .banner + .head { align-items: flex-start; margin-top: -2rem; }
.profile > .banner + .head > div { padding-top: 2.375rem; }
.profile > .banner + .head .face { border: 4px solid var(--page); background: var(--page); }
.whole { flex: none; display: block; border-radius: 50%; line-height: 0; }
.profile h1 { margin: 0; overflow-wrap: anywhere; }
.profile p.handle { margin: 0; }
.profile .text { margin: .75rem 0; }
.profile .facts { margin: 0 0 .5rem; }
.pages { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; margin: 1rem 0; }
.earlier { margin: 0 0 .75rem; }
.more { margin: 0 0 .75rem; }
@media print { .post { break-inside: avoid; } }
`;
