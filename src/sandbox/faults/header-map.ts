import { isObject, type Validator } from '../../core/validators.js';

const MAX_HEADERS = 20;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** No line breaks: they would begin another header. */
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]{0,1000}$/;
/** The server frames its answers itself. */
const FRAMING: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'trailer',
]);

/** Validates headers: an object of values by name. Returns names in lower case. */
export function headerMap(description: string): Validator<Readonly<Record<string, string>>> {
  return {
    schema: {
      type: 'object',
      description,
      additionalProperties: { type: 'string', maxLength: 1000 },
      maxProperties: MAX_HEADERS,
    },
    check: (value, path, faults) => {
      if (!isObject(value)) return faults.report(path, { kind: 'type', expected: 'object' }, value);
      const names = Object.keys(value);
      if (names.length > MAX_HEADERS) {
        return faults.report(path, { kind: 'items', min: 0, max: MAX_HEADERS, count: names.length });
      }
      const headers = new Map<string, string>();
      for (const name of names) {
        const sent = value[name];
        if (!NAME.test(name) || FRAMING.has(name.toLowerCase()))
          faults.add(path, `has a header that cannot be set: ${name}`);
        else if (typeof sent !== 'string' || !VALUE.test(sent)) faults.add(`${path}.${name}`, 'is not valid');
        else headers.set(name.toLowerCase(), sent);
      }
      return headers.size === names.length ? Object.fromEntries(headers) : undefined;
    },
  };
}
