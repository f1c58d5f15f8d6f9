import {
  CREDENTIAL_VARIABLES,
  fullUrl,
  isBasic,
  type ExampleBody,
  type ExampleRequest,
} from './example-request.js';

/** Writes a request as a module for Node 18 and later, with its own `fetch`. */
export function javascriptCode(request: ExampleRequest): string {
  const { body, credential, answer } = request;
  const isSigned = credential === 'signed';
  return [
    ...importsOf(request),
    ...(body?.kind === 'file' ? formLines(body) : []),
    ...(isSigned ? signing(request) : []),
    ...fetchLines(request),
    ...ANSWER[answer],
  ].join('\n');
}

function importsOf({ body, credential, answer }: ExampleRequest): string[] {
  const fileFunctions = [
    ...(body?.kind === 'file' ? ['readFile'] : []),
    ...(answer === 'file' ? ['writeFile'] : []),
  ];
  const lines = [
    ...(credential === 'signed' ? ["import { createHmac, randomUUID } from 'node:crypto';"] : []),
    ...(fileFunctions.length > 0 ? [`import { ${fileFunctions.join(', ')} } from 'node:fs/promises';`] : []),
  ];
  return lines.length > 0 ? [...lines, ''] : [];
}

function formLines({ file, fields }: ExampleBody & { readonly kind: 'file' }): string[] {
  return [
    'const form = new FormData();',
    ...fields.map(([name, value]) => `form.append(${text(name)}, ${text(value)});`),
    `form.append('media', new Blob([await readFile(${text(file)})]));`,
    '',
  ];
}

function fetchLines(request: ExampleRequest): string[] {
  const { method, body, credential } = request;
  const headers = [
    ...(credential === 'none' ? [] : [`    Authorization: ${authorization(request)},`]),
    ...(body?.kind === 'json' ? ["    'Content-Type': 'application/json',"] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${text(method)},`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body === undefined ? [] : [`  body: ${bodyText(body)},`]),
  ];
  const address = text(fullUrl(request));
  if (options.length === 0) return [`const response = await fetch(${address});`];
  return [`const response = await fetch(${address}, {`, ...options, '});'];
}

function authorization({ credential }: ExampleRequest): string {
  if (credential === 'signed') return 'authorization';
  const [name = '', password = ''] = CREDENTIAL_VARIABLES[credential];
  return isBasic(credential)
    ? `\`Basic \${btoa(\`\${process.env.${name}}:\${process.env.${password}}\`)}\``
    : `\`Bearer \${process.env.${name}}\``;
}

function bodyText(body: ExampleBody): string {
  switch (body.kind) {
    case 'json':
      return `JSON.stringify(${indented(JSON.stringify(body.value, undefined, 2))})`;
    case 'form':
      return `new URLSearchParams(${indented(JSON.stringify(Object.fromEntries(body.fields), undefined, 2))})`;
    case 'file':
      return 'form';
  }
}

const ANSWER: Readonly<Record<ExampleRequest['answer'], readonly string[]>> = {
  json: ['console.log(response.status, await response.json());'],
  none: ['console.log(response.status);'],
  file: ["await writeFile('download', Buffer.from(await response.arrayBuffer()));"],
  stream: ['for await (const chunk of response.body) process.stdout.write(chunk);'],
};

/** Returns the lines that sign a request (RFC 5849, section 3.4). Those of a form with a file are not signed. */
function signing({ method, url, query, body }: ExampleRequest): string[] {
  const parameters = Object.fromEntries([...query, ...(body?.kind === 'form' ? body.fields : [])]);
  return [
    `const parameters = ${JSON.stringify(parameters)};`,
    'const oauth = {',
    '  oauth_consumer_key: process.env.CONSUMER_KEY,',
    '  oauth_nonce: randomUUID(),',
    "  oauth_signature_method: 'HMAC-SHA1',",
    '  oauth_timestamp: String(Math.floor(Date.now() / 1000)),',
    '  oauth_token: process.env.ACCESS_TOKEN,',
    "  oauth_version: '1.0',",
    '};',
    'const encode = (value) =>',
    "  encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);",
    'const signed = Object.entries({ ...oauth, ...parameters })',
    "  .map((pair) => pair.map(encode).join('='))",
    '  .sort()',
    "  .join('&');",
    `const base = [${text(method)}, ${text(url)}, signed].map(encode).join('&');`,
    'const key = `${encode(process.env.CONSUMER_SECRET)}&${encode(process.env.ACCESS_TOKEN_SECRET)}`;',
    "oauth.oauth_signature = createHmac('sha1', key).update(base).digest('base64');",
    'const pairs = Object.entries(oauth).map(([name, value]) => `${name}="${encode(value)}"`);',
    "const authorization = `OAuth ${pairs.join(', ')}`;",
    '',
  ];
}

function text(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}

function indented(code: string): string {
  return code.replaceAll('\n', '\n  ');
}
