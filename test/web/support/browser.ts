import type { IncomingHttpHeaders } from 'node:http';
import type { TestApp } from '../../support/app.js';

export interface BrowserAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The target of a redirect; undefined for a page. */
  readonly location: string | undefined;
}

/** A form of a page as a browser would send it. */
export interface PageForm {
  readonly action: string;
  /** Hidden fields and the values of the others. */
  readonly fields: Readonly<Record<string, string>>;
  /** The buttons with their names and values. */
  readonly buttons: readonly { readonly name: string; readonly value: string; readonly label: string }[];
}

/** A field of a form with files. */
export type FormPart =
  | readonly [name: string, value: string]
  | readonly [name: string, fileName: string, type: string, bytes: Buffer];

/** A browser without script that keeps cookies and follows redirects on request. */
export interface Browser {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<BrowserAnswer>;
  post(
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<BrowserAnswer>;
  /** Sends a form with files: its fields in order, files as `[name, file name, type, bytes]`. */
  postFiles(
    path: string,
    fields: readonly FormPart[],
    headers?: Record<string, string>,
  ): Promise<BrowserAnswer>;
  /** Follows redirects within the server and returns the last response. */
  follow(answer: BrowserAnswer): Promise<BrowserAnswer>;
  /** Sends the form with this action (by default the only one in `main`), with changes and the named button. */
  submit(page: BrowserAnswer, changes?: Record<string, string>, button?: string): Promise<BrowserAnswer>;
  signIn(username: string, password: string, next?: string): Promise<BrowserAnswer>;
}

export function openBrowser(app: TestApp): Browser {
  const cookies = new Map<string, string>();
  const send = async (
    method: 'GET' | 'POST',
    url: string,
    headers: Record<string, string>,
    payload?: string | Buffer,
  ): Promise<BrowserAnswer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await app.request({
      method,
      url,
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
      payload,
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) keepCookie(cookies, line);
    return {
      status: answer.status,
      headers: answer.headers,
      text: typeof answer.body === 'object' ? JSON.stringify(answer.body) : String(answer.body ?? ''),
      location: answer.headers.location,
    };
  };
  const browser: Browser = {
    cookies,
    get: (path, headers = {}) => send('GET', path, headers),
    post: (path, fields, headers = {}) =>
      send(
        'POST',
        path,
        { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        new URLSearchParams(fields).toString(),
      ),
    postFiles: async (path, fields, headers = {}) => {
      const form = new FormData();
      for (const [name, value, type, bytes] of fields)
        if (bytes === undefined) form.append(name, value);
        else form.append(name, new Blob([new Uint8Array(bytes)], { type }), value);
      const encoded = new Response(form);
      const type = encoded.headers.get('content-type') ?? '';
      const body = Buffer.from(await encoded.arrayBuffer());
      return send('POST', path, { 'content-type': type, ...headers }, body);
    },
    follow: async (answer) => {
      let last = answer;
      for (let hops = 0; last.location?.startsWith('/') && hops < 5; hops += 1) {
        last = await browser.get(last.location);
      }
      return last;
    },
    submit: async (page, changes = {}, button) => {
      const form = mainForm(page.text);
      const pressed = button === undefined ? undefined : form.buttons.find(({ value }) => value === button);
      if (button !== undefined && !pressed)
        throw new Error(`no button ${button} among ${JSON.stringify(form.buttons)}`);
      const fields = { ...form.fields, ...changes, ...(pressed && { [pressed.name]: pressed.value }) };
      return browser.post(form.action, fields);
    },
    signIn: async (username, password, next = '/') => {
      const page = await browser.get(`/sign-in?next=${encodeURIComponent(next)}`);
      return browser.submit(page, { username, password });
    },
  };
  return browser;
}

/** Returns the form in the main part of a page. */
export function mainForm(page: string): PageForm {
  const main = /<main[^]*<\/main>/.exec(page)?.[0] ?? '';
  const [form, attributes = ''] = /<form([^>]*)>[^]*?<\/form>/.exec(main) ?? [];
  if (form === undefined) throw new Error(`no form in ${main}`);
  const tags = (name: string) => [...form.matchAll(new RegExp(`<${name}([^>]*)>([^<]*)`, 'g'))];
  return {
    action: attributeOf(attributes, 'action'),
    fields: Object.fromEntries(
      tags('input').map(([, text = '']) => [attributeOf(text, 'name'), attributeOf(text, 'value')]),
    ),
    buttons: tags('button').map(([, text = '', label = '']) => ({
      name: attributeOf(text, 'name'),
      value: attributeOf(text, 'value'),
      label: label.trim(),
    })),
  };
}

function attributeOf(attributes: string, name: string): string {
  return unescape(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
}

function unescape(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ');
  const [name = '', value = ''] = pair.split('=');
  if (attributes.includes('Max-Age=0')) cookies.delete(name);
  else cookies.set(name, value);
}
