import type { Answer } from '../http/answer.js';
import { html, type Html } from '../api/reference/html.js';
import type { NavigationLink } from './navigation.js';
import type { PageOptions } from './page.js';
import type { Visit } from './visit.js';

/** A group of pages that link to each other. */
export interface Section {
  /** The label of the navigation. */
  readonly label: string;
  readonly links: readonly NavigationLink[];
  /** What the section is about, above the heading. */
  readonly above?: Html;
}

export interface SectionPage extends Pick<PageOptions, 'title' | 'status' | 'script'> {
  /** The heading of the page; default: its title. */
  readonly heading?: string;
  /** The path of the current link. */
  readonly current: string;
}

/** Returns a page of a section; `body` follows the heading. */
export function sectionPage(visit: Visit, section: Section, options: SectionPage, body: Html): Answer {
  const { title, status, script, current, heading = title } = options;
  return visit.show(
    { title, status, script, wide: true },
    html`<div class="section">
      <details class="fold contents">
        <summary>${section.label}</summary>
        <nav class="tabs" aria-label="${section.label}">
          ${section.links.map(({ path, label }) =>
            path === current
              ? html`<a href="${path}" aria-current="page">${label}</a>`
              : html`<a href="${path}">${label}</a>`,
          )}
        </nav>
      </details>
      <div>
        ${section.above && html`<p class="above">${section.above}</p>`}
        <h1>${heading}</h1>
        ${body}
      </div>
    </div>`,
  );
}

/** Returns the paths of fixed pages, and `sectionPage` for them. `pages`: the path and label of each, in their order. */
export function sectionOf<Name extends string>(
  label: string,
  pages: Readonly<Record<Name, readonly [path: string, label: string]>>,
) {
  const entries = Object.entries<readonly [string, string]>(pages);
  const links = entries.map(([, [path, text]]) => ({ path, label: text }));
  return {
    paths: Object.fromEntries(entries.map(([name, [path]]) => [name, path])) as Record<Name, string>,
    page: (visit: Visit, options: SectionPage, body: Html): Answer =>
      sectionPage(visit, { label, links }, options, body),
  };
}
