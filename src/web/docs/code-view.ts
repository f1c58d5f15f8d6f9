import { html, type Html } from '../../api/reference/html.js';
import type { ExampleRequest } from './code/example-request.js';
import { LANGUAGES, type Language } from './code/languages.js';

/** Where examples stand, and in which language. */
export interface CodePlace {
  /** The path of the page. */
  readonly path: string;
  readonly language: Language;
}

/** Returns a request in the chosen language, with links to the other ones. */
export function codeView(request: ExampleRequest, { path, language }: CodePlace, anchor = 'code'): Html {
  return html`<div class="code" id="${anchor}">
    <div class="kinds" role="group" aria-label="Language of the example">
      ${Object.entries(LANGUAGES).map(
        ([name, { label }]) =>
          html`<a
            href="${path}?language=${name}#${anchor}"
            rel="nofollow"
            ${name === language && html`aria-current="true"`}
            >${label}</a
          >`,
      )}
    </div>
    ${copied(LANGUAGES[language].write(request))}
  </div>`;
}

/** Returns a text that readers copy. The script adds a button. */
export function copied(text: string): Html {
  return html`<pre tabindex="0" data-copy>${text}</pre>`;
}
