/** Styles of the forms for pictures of profiles; uses the colours of `style.ts`. */
export const CROP_STYLE = `
.picture-form .current { margin: 0 0 1rem; }
.picture-form .current .face { width: 6rem; height: 6rem; display: block; }
.picture-form .no-banner { display: grid; place-items: center; aspect-ratio: 3; max-width: 100%; margin: 0; color: var(--soft); border: 1px dashed var(--field); border-radius: var(--radius-l); }
.picture-form .banner, .picture-form .no-banner, .crop { max-width: 30rem; }
/* The places of a picture go from left to right in every language. */
.crop { direction: ltr; position: relative; overflow: hidden; width: 100%; margin: 0 0 .75rem; border-radius: var(--radius-l); background: var(--code); cursor: grab; touch-action: none; user-select: none; aspect-ratio: 3; }
.crop.round { max-width: 16rem; aspect-ratio: 1; border-radius: 50%; }
.crop:active { cursor: grabbing; }
.crop:focus-visible { border-radius: var(--radius-l); }
.crop.round:focus-visible { border-radius: 50%; }
.crop img { position: absolute; inset-block-start: 0; inset-inline-start: 0; max-width: none; transform-origin: 0 0; pointer-events: none; }
.zoom { display: flex; align-items: center; gap: .75rem; max-width: 30rem; margin: 0 0 .5rem; }
.zoom label { flex: none; font-weight: 600; }
.zoom input { padding: 0; border: 0; accent-color: var(--accent); }
`;
