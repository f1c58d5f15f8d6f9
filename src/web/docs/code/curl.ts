import {
  CREDENTIAL_VARIABLES,
  fullUrl,
  isBasic,
  percentEncode,
  type ExampleRequest,
  type Pairs,
} from './example-request.js';

/** Writes a request as a command of curl. */
export function curlCode(request: ExampleRequest): string {
  const command = [`curl ${methodOption(request)}${quoted(fullUrl(request))}`, ...optionsOf(request)];
  return [...(request.credential === 'signed' ? signing(request) : []), command.join(' \\\n  ')].join('\n');
}

/** Options that have data already mean POST, and none mean GET. */
function methodOption({ method, body }: ExampleRequest): string {
  const implied = body === undefined ? 'GET' : 'POST';
  return method === implied ? '' : `-X ${method} `;
}

function optionsOf(request: ExampleRequest): string[] {
  const { body, answer } = request;
  return [
    ...authorization(request),
    ...(body?.kind === 'json'
      ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body.value))}`]
      : []),
    ...(body?.kind === 'form'
      ? body.fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`)
      : []),
    ...(body?.kind === 'file'
      ? [
          `-F ${quoted(`media=@${body.file}`)}`,
          ...body.fields.map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`),
        ]
      : []),
    ...(answer === 'stream' ? ['--no-buffer'] : []),
    ...(answer === 'file' ? ['--remote-name'] : []),
  ];
}

function authorization({ credential }: ExampleRequest): string[] {
  if (credential === 'none') return [];
  if (credential === 'signed') return ['-H "Authorization: OAuth $OAUTH"'];
  const [name = '', password = ''] = CREDENTIAL_VARIABLES[credential];
  return isBasic(credential) ? [`-u "$${name}:$${password}"`] : [`-H "Authorization: Bearer $${name}"`];
}

/** Returns a text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The values that the commands below fill in, by parameter of OAuth 1.0a. */
const OAUTH_VALUES: Pairs = [
  ['oauth_consumer_key', '$CONSUMER_KEY'],
  ['oauth_nonce', '$NONCE'],
  ['oauth_signature_method', 'HMAC-SHA1'],
  ['oauth_timestamp', '$TIME'],
  ['oauth_token', '$ACCESS_TOKEN'],
  ['oauth_version', '1.0'],
];

/**
 * Returns the commands that sign a request (RFC 5849, section 3.4). The parameters are sorted here; keys and tokens
 * have no characters that are encoded.
 */
function signing({ method, url, query, body }: ExampleRequest): string[] {
  const sent = [...query, ...(body?.kind === 'form' ? body.fields : [])];
  const encoded = sent.map(([name, value]) => [percentEncode(name), percentEncode(value)] as const);
  const signed = [...OAUTH_VALUES, ...encoded].sort(([one], [other]) => (one < other ? -1 : 1));
  const header = OAUTH_VALUES.map(([name, value]) => `${name}=\\"${value}\\"`);
  return [
    'NONCE=$(openssl rand -hex 16)',
    'TIME=$(date +%s)',
    `PARAMETERS="${signed.map(([name, value]) => `${name}=${value}`).join('&')}"`,
    `ENCODED=$(printf %s "$PARAMETERS" | sed 's/%/%25/g; s/&/%26/g; s/=/%3D/g')`,
    `BASE="${method}&${percentEncode(url)}&$ENCODED"`,
    'SIGNATURE=$(printf %s "$BASE" | openssl dgst -sha1 -hmac "$CONSUMER_SECRET&$ACCESS_TOKEN_SECRET" -binary |',
    `  base64 | sed 's/+/%2B/g; s,/,%2F,g; s/=/%3D/g')`,
    `OAUTH="${[...header, 'oauth_signature=\\"$SIGNATURE\\"'].join(', ')}"`,
  ];
}
