/** Markup that is already escaped. */
export class Html {
  constructor(readonly markup: string) {}
}

type Piece = Html | string | number | false | undefined | readonly (Html | string)[];

/** Builds markup: escapes interpolated texts except `Html`, joins lists, and omits undefined and false. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  const parts = strings.map((text, index) => text + (index < pieces.length ? markupOf(pieces[index]) : ''));
  return new Html(parts.join(''));
}

/** Converts backticks in a text to code elements. */
export function withCode(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

function markupOf(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.markup;
  if (typeof piece === 'string' || typeof piece === 'number') return escape(String(piece));
  return piece.map(markupOf).join('');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
