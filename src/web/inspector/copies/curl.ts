import { visibleText } from '../visible-text.js';
import { headerTemplate, type SentRequest, type Template, textTemplate } from './sent-request.js';

/** Characters that a terminal obeys; bash writes them as escapes in `$'…'`. */
const CONTROL = /[\0-\x1F\x7F-\x9F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\p{Cs}]/gu;

/** Returns a command that sends a request again, for bash. Secrets are variables. */
export function curlCopy({ method, url, headers, body, notes }: SentRequest): string {
  const sent = headers.map(([name, value]) => `-H ${quoted([`${name}: `, ...headerTemplate(name, value)])}`);
  // Raw: with other options a body that begins with @ would name a file to send.
  const data = body === undefined ? [] : [`--data-raw ${quoted(textTemplate(body))}`];
  const lines = [
    `curl -i -X ${quoted([method])} ${quoted(textTemplate(url))}`,
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/.test(url) ? ['--path-as-is'] : []),
    ...sent,
    ...data,
  ];
  return [...notes.map((text) => `# ${visibleText(text)}`), lines.join(' \\\n  ')].join('\n');
}

/** Quotes a text for bash: literal parts in single quotes, variables in double quotes. */
function quoted(template: Template): string {
  if (template.every((part) => part === '')) return "''";
  return template
    .reduce<Template>(joinTexts, [])
    .map((part) => (typeof part === 'string' ? literal(part) : `"$${part.variable}"`))
    .join('');
}

function joinTexts(done: Template, part: Template[number]): Template {
  const last = done.at(-1);
  return typeof last === 'string' && typeof part === 'string'
    ? [...done.slice(0, -1), last + part]
    : [...done, part];
}

function literal(text: string): string {
  if (/^[\w./:@%+,-]*$/.test(text)) return text;
  if (text.search(CONTROL) < 0) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", String.raw`\'`)
    .replaceAll(CONTROL, bashEscape);
  return `$'${escaped}'`;
}

function bashEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x80
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
