import {
  CREDENTIAL_VARIABLES,
  fullUrl,
  isBasic,
  type ExampleBody,
  type ExampleRequest,
} from './example-request.js';

/** Writes a request as a program for Python 3 with its standard library. */
export function pythonCode(request: ExampleRequest): string {
  return [
    ...importsOf(request),
    '',
    ...(request.credential === 'signed' ? signing(request) : []),
    ...(request.body?.kind === 'file' ? multipart(request.body) : []),
    ...requestLines(request),
    'with urllib.request.urlopen(request) as response:',
    ...ANSWER[request.answer],
  ].join('\n');
}

function importsOf({ credential, body, answer }: ExampleRequest): string[] {
  const isSigned = credential === 'signed';
  const modules = [
    ...(isSigned ? ['base64', 'hmac', 'secrets', 'time', 'urllib.parse'] : []),
    ...(isBasic(credential) ? ['base64'] : []),
    ...(body?.kind === 'json' || answer === 'json' ? ['json'] : []),
    ...(body?.kind === 'form' ? ['urllib.parse'] : []),
    ...(body?.kind === 'file' ? ['secrets'] : []),
    ...(credential === 'none' ? [] : ['os']),
    'urllib.request',
  ];
  return [...new Set(modules)].sort().map((name) => `import ${name}`);
}

function requestLines(request: ExampleRequest): string[] {
  const { method, body, credential } = request;
  const headers = [
    ...(credential === 'none' ? [] : [`        "Authorization": ${authorization(request)},`]),
    ...(body?.kind === 'json' ? ['        "Content-Type": "application/json",'] : []),
    ...(body?.kind === 'file'
      ? ['        "Content-Type": "multipart/form-data; boundary=" + boundary,']
      : []),
  ];
  return [
    'request = urllib.request.Request(',
    `    ${JSON.stringify(fullUrl(request))},`,
    ...(method === 'GET' ? [] : [`    method=${JSON.stringify(method)},`]),
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...(body === undefined ? [] : [`    data=${dataOf(body)},`]),
    ')',
  ];
}

function authorization({ credential }: ExampleRequest): string {
  if (credential === 'signed') return 'authorization';
  const [name = '', password = ''] = CREDENTIAL_VARIABLES[credential];
  return isBasic(credential)
    ? `"Basic " + base64.b64encode(f"{os.environ['${name}']}:{os.environ['${password}']}".encode()).decode()`
    : `"Bearer " + os.environ["${name}"]`;
}

function dataOf(body: ExampleBody): string {
  switch (body.kind) {
    case 'json':
      return `json.dumps(${literal(body.value, 4)}).encode()`;
    case 'form':
      return `urllib.parse.urlencode(${literal(Object.fromEntries(body.fields), 4)}).encode()`;
    case 'file':
      return 'body';
  }
}

const ANSWER: Readonly<Record<ExampleRequest['answer'], readonly string[]>> = {
  json: ['    print(response.status, json.load(response))'],
  none: ['    print(response.status)'],
  file: ['    with open("download", "wb") as file:', '        file.write(response.read())'],
  stream: ['    for line in response:', '        print(line.decode().strip())'],
};

/** Returns the lines that make a body with a file, which the standard library has no function for. */
function multipart({ file, fields }: ExampleBody & { readonly kind: 'file' }): string[] {
  const part = (name: string): string =>
    `--{boundary}\\r\\nContent-Disposition: form-data; name=\\"${name}\\"`;
  return [
    'boundary = secrets.token_hex(16)',
    `with open(${JSON.stringify(file)}, "rb") as file:`,
    '    media = file.read()',
    'body = b"".join([',
    ...fields.map(([name, value]) => `    f"${part(name)}\\r\\n\\r\\n${value}\\r\\n".encode(),`),
    `    f"${part('media')}; filename=\\"${file}\\"\\r\\n\\r\\n".encode(),`,
    '    media,',
    '    f"\\r\\n--{boundary}--\\r\\n".encode(),',
    '])',
    '',
  ];
}

/** Returns the lines that sign a request (RFC 5849, section 3.4). Those of a form with a file are not signed. */
function signing({ method, url, query, body }: ExampleRequest): string[] {
  const parameters = Object.fromEntries([...query, ...(body?.kind === 'form' ? body.fields : [])]);
  return [
    `parameters = ${literal(parameters, 0)}`,
    'oauth = {',
    '    "oauth_consumer_key": os.environ["CONSUMER_KEY"],',
    '    "oauth_nonce": secrets.token_hex(16),',
    '    "oauth_signature_method": "HMAC-SHA1",',
    '    "oauth_timestamp": str(int(time.time())),',
    '    "oauth_token": os.environ["ACCESS_TOKEN"],',
    '    "oauth_version": "1.0",',
    '}',
    '',
    '',
    'def encode(value):',
    '    return urllib.parse.quote(value, safe="")',
    '',
    '',
    'pairs = [encode(name) + "=" + encode(value) for name, value in (oauth | parameters).items()]',
    `base = "&".join([${JSON.stringify(method)}, encode(${JSON.stringify(url)}), encode("&".join(sorted(pairs)))])`,
    'key = encode(os.environ["CONSUMER_SECRET"]) + "&" + encode(os.environ["ACCESS_TOKEN_SECRET"])',
    'digest = hmac.digest(key.encode(), base.encode(), "sha1")',
    'oauth["oauth_signature"] = base64.b64encode(digest).decode()',
    `authorization = "OAuth " + ", ".join(f'{name}="{encode(value)}"' for name, value in oauth.items())`,
    '',
  ];
}

const NAMED = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

/** Returns a JSON value as an expression of Python; lists and objects that are not empty have a line for each member. */
function literal(value: unknown, indent: number): string {
  const [inner, outer] = [' '.repeat(indent + 4), ' '.repeat(indent)];
  if (typeof value !== 'object' || value === null) return NAMED.get(value) ?? JSON.stringify(value);
  const [open, close, members] = Array.isArray(value)
    ? (['[', ']', value.map((item) => literal(item, indent + 4))] as const)
    : ([
        '{',
        '}',
        Object.entries(value).map(
          ([name, member]) => `${JSON.stringify(name)}: ${literal(member, indent + 4)}`,
        ),
      ] as const);
  if (members.length === 0) return open + close;
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${outer}${close}`;
}
