import type { Answer } from '../http/answer.js';
import { html, type Html } from '../api/reference/html.js';
import type { NavigationLink, PageOptions } from './page.js';
import type { Visit } from './visit.js';

/** Pages that belong together: each shows the way to the others. */
export interface Section {
  /** What the list of its pages is called. */
  readonly label: string;
  readonly links: readonly NavigationLink[];
}

export interface SectionPage extends Pick<PageOptions, 'title' | 'status'> {
  /** The page's heading; its title when absent. */
  readonly heading?: string;
  /** The path of the link that is current. */
  readonly current: string;
}

/** A page of a section; `body` follows its heading. */
export function sectionPage(visit: Visit, section: Section, options: SectionPage, body: Html): Answer {
  const { title, status, current, heading = title } = options;
  return visit.show(
    { title, status, wide: true },
    html`<div class="section">
      <nav class="tabs" aria-label="${section.label}">
        ${section.links.map(({ path, label }) =>
          path === current
            ? html`<a href="${path}" aria-current="page">${label}</a>`
            : html`<a href="${path}">${label}</a>`,
        )}
      </nav>
      <div>
        <h1>${heading}</h1>
        ${body}
      </div>
    </div>`,
  );
}
