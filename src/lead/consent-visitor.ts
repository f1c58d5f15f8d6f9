import { NamedError } from '../core/named-error.js';

/** How an app receives a decision: by a redirect, or by a PIN that the user copies. */
export type Decided = { readonly redirectTo: string } | { readonly pin: string };

/** Thrown when the server does not show what a visitor expects; the message repeats what it shows. */
class VisitRefused extends NamedError {}

/** A redirect or a page. */
interface Shown {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

/**
 * Visits the pages of a server as a browser without script would: keeps cookies, and sends the forms for sign-in and
 * consent.
 */
export class ConsentVisitor {
  readonly #cookies = new Map<string, string>();

  /** `server` is the origin of the server; requests go nowhere else. */
  constructor(readonly server: string) {}

  /** Adds a cookie in the form `name=value`. */
  addCookie(pair: string): void {
    const [name = '', value = ''] = pair.split('=', 2);
    this.#cookies.set(name, value);
  }

  /** Signs in. Throws VisitRefused if the server refuses the password. */
  async signIn(username: string, password: string): Promise<void> {
    const page = await this.#request('/sign-in');
    const answer = await this.#submit('/sign-in', page, { username, password });
    if (answer.location === undefined) throw refusal(answer);
  }

  /** Decides about the request at a path of an authorize page. Throws VisitRefused if the server refuses it. */
  async decide(path: string, decision: 'approve' | 'deny'): Promise<Decided> {
    const page = await this.#request(path);
    // Apps that the user has authorized before may need no form.
    const answer = page.location === undefined ? await this.#submit(path, page, { decision }) : page;
    if (answer.location?.startsWith('/')) throw refusal(answer);
    if (answer.location !== undefined) return { redirectTo: answer.location };
    const [, pin] = /<p class="pin">(\d+)<\/p>/.exec(answer.text) ?? [];
    if (pin === undefined) throw refusal(answer);
    return { pin };
  }

  async #submit(path: string, page: Shown, fields: Readonly<Record<string, string>>): Promise<Shown> {
    const [, csrf] = /name="csrf" value="([\w-]+)"/.exec(mainOf(page.text)) ?? [];
    if (csrf === undefined) throw refusal(page);
    return this.#request(path, new URLSearchParams({ csrf, ...fields }));
  }

  async #request(path: string, form?: URLSearchParams): Promise<Shown> {
    const answer = await fetch(this.server + path, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { accept: 'text/html', cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form && { body: form }),
    });
    for (const line of answer.headers.getSetCookie()) this.addCookie(line.split(';', 1)[0] ?? '');
    const { status } = answer;
    return { status, location: answer.headers.get('location') ?? undefined, text: await answer.text() };
  }
}

/** The longest repeated text of a page. */
const MAX_SHOWN = 200;

function refusal({ status, text }: Shown): VisitRefused {
  const words = mainOf(text)
    .replaceAll(/<[^>]{0,1000}>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/&(?:#39|quot|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .trim();
  return new VisitRefused(`the server answered ${status}: ${words.slice(0, MAX_SHOWN)}`);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&#39;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/** Returns the main part of a page, without its top bar and its styles. */
function mainOf(page: string): string {
  const start = page.indexOf('<main');
  return start === -1 ? page : page.slice(start, page.indexOf('</main>', start));
}
