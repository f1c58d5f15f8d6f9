import { visibleText } from '../visible-text.js';
import { headerTemplate, type SentRequest, type Template, textTemplate } from './sent-request.js';

/** Returns a test for vitest that sends a request again and expects the same status. */
export function vitestCopy(request: SentRequest): string {
  const { method, url, headers, body, status, notes } = request;
  const joined = (template: Template) => expression(template, (name) => `process.env.${name}`, ' + ');
  return [
    `import { expect, test } from 'vitest';`,
    '',
    ...notes.map((text) => `// ${visibleText(text)}`),
    `test(${literal(`${method} ${pathOf(url)} is answered with ${status}`)}, async () => {`,
    `  const answer = await fetch(${joined(textTemplate(url))}, {`,
    `    method: ${literal(method)},`,
    '    headers: {',
    ...headers.map(([name, value]) => `      ${literal(name)}: ${joined(headerTemplate(name, value))},`),
    '    },',
    ...(body === undefined ? [] : [`    body: ${joined(textTemplate(body))},`]),
    '  });',
    `  expect(answer.status).toBe(${status});`,
    '});',
  ].join('\n');
}

/** Returns a test for pytest that sends a request again and expects the same status. */
export function pytestCopy(request: SentRequest): string {
  const { method, url, headers, body, status, notes } = request;
  const joined = (template: Template) => expression(template, (name) => `os.environ["${name}"]`, ' + ');
  return [
    'import os',
    'import urllib.error',
    'import urllib.request',
    '',
    '',
    'def test_request():',
    ...notes.map((text) => `    # ${visibleText(text)}`),
    '    request = urllib.request.Request(',
    `        ${joined(textTemplate(url))},`,
    `        method=${literal(method)},`,
    '        headers={',
    ...headers.map(
      ([name, value]) => `            ${literal(name)}: ${joined(headerTemplate(name, value))},`,
    ),
    '        },',
    ...(body === undefined ? [] : [`        data=(${joined(textTemplate(body))}).encode(),`]),
    '    )',
    '    try:',
    '        status = urllib.request.urlopen(request).status',
    '    except urllib.error.HTTPError as error:',
    '        status = error.code',
    `    assert status == ${status}`,
  ].join('\n');
}

function expression(template: Template, variable: (name: string) => string, plus: string): string {
  const parts = template.filter((part) => part !== '');
  if (parts.length === 0) return '""';
  return parts.map((part) => (typeof part === 'string' ? literal(part) : variable(part.variable))).join(plus);
}

/** Returns a string literal that JavaScript and Python read alike, without invisible characters. */
function literal(text: string): string {
  return visibleText(JSON.stringify(text));
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}
