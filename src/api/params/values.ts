import { parseId } from '../../core/ids.js';
import { id as idSchema } from '../../core/json-schema.js';
import { parseInstant } from '../../core/timestamp.js';
import { countCodePoints, isUnicodeText } from '../../core/unicode.js';
import { USERNAME_PATTERN } from '../../core/user.js';
import type { Faults } from '../../http/faults.js';
import type { ParamSpec } from './param.js';

/** Longer tokens are not ours. */
const MAX_TOKEN_CHARACTERS = 1024;

/** ``The `name` query parameter`` also means path parameters (docs/api/errors.md#validation-messages). */
export function reportInvalid(name: string, value: string, sent: string, faults: Faults): void {
  faults.add(name, [sent], `The \`${name}\` query parameter value [${value}] is not valid`);
}

/** Says which pattern a value misses (docs/api/errors.md#validation-messages, "regex failure"). */
export function reportMismatch(
  name: string,
  value: string,
  sent: string,
  pattern: RegExp,
  faults: Faults,
): void {
  const what = `The \`${name}\` query parameter value [${value}] does not match ${pattern.source}`;
  faults.add(name, [sent], what);
}

/** A decimal id of up to 19 digits. */
export function idParam<T extends bigint>(description: string): ParamSpec<T | undefined> {
  return {
    in: 'query',
    required: false,
    description,
    schema: idSchema,
    absent: undefined,
    parse: (raw, name, faults) => {
      const id = parseId<T>(raw);
      if (id === undefined) reportInvalid(name, raw, raw, faults);
      return id;
    },
  };
}

/** Text that must match a pattern: Space ids, media keys, conversation ids (docs/api/requests.md#parameters). */
export function patternParam(
  pattern: RegExp,
  description: string,
  example?: string,
): ParamSpec<string | undefined> {
  return {
    in: 'query',
    required: false,
    description,
    schema: { type: 'string', pattern: pattern.source, example },
    absent: undefined,
    parse: (raw, name, faults) => {
      if (pattern.test(raw)) return raw;
      reportMismatch(name, raw, raw, pattern, faults);
      return undefined;
    },
  };
}

/** A username, without the at sign. */
export function usernameParam(description: string): ParamSpec<string | undefined> {
  return patternParam(USERNAME_PATTERN, description, 'alice');
}

/** Free text of `min` to `max` code points, without NUL. */
export function textParam(
  description: string,
  rules: { readonly min?: number; readonly max?: number; readonly example?: string } = {},
): ParamSpec<string | undefined> {
  const { min = 1, max = Infinity, example } = rules;
  return {
    in: 'query',
    required: false,
    description,
    schema: { type: 'string', minLength: min, maxLength: rules.max, example },
    absent: undefined,
    parse: (raw, name, faults) => {
      if (!isUnicodeText(raw)) {
        reportInvalid(name, raw, raw, faults);
        return undefined;
      }
      const length = raw.length < min || raw.length > max ? countCodePoints(raw) : raw.length;
      if (length >= min && length <= max) return raw;
      const what = `The \`${name}\` query parameter value length [${length}] is not between ${min} and ${max}`;
      faults.add(name, [raw], what);
      return undefined;
    },
  };
}

/** An integer between `min` and `max`; `absent` when it is not sent. */
export function integerParam<D extends number | undefined>(
  min: number,
  max: number,
  absent: D,
  description: string,
): ParamSpec<number | D> {
  return {
    in: 'query',
    required: false,
    description,
    schema: { type: 'integer', minimum: min, maximum: max, default: absent },
    absent,
    parse: (raw, name, faults) => {
      const value = /^[0-9]{1,9}$/.test(raw) ? Number(raw) : NaN;
      if (value >= min && value <= max) return value;
      const what = `The \`${name}\` query parameter value [${raw}] is not between ${min} and ${max}`;
      faults.add(name, [raw], what);
      return absent;
    },
  };
}

/** `true` or `false`. */
export function booleanParam(description: string): ParamSpec<boolean | undefined> {
  return {
    in: 'query',
    required: false,
    description,
    schema: { type: 'boolean' },
    absent: undefined,
    parse: (raw, name, faults) => {
      if (raw === 'true' || raw === 'false') return raw === 'true';
      faults.add(name, [raw], `The \`${name}\` query parameter value [${raw}] is not one of [false,true]`);
      return undefined;
    },
  };
}

/** A next or previous token; opaque here. */
export function tokenParam(
  description = 'Token from the `meta` of the answer before, unmodified.',
): ParamSpec<string | undefined> {
  return {
    in: 'query',
    required: false,
    description,
    schema: { type: 'string', minLength: 1, maxLength: MAX_TOKEN_CHARACTERS },
    absent: undefined,
    parse: (raw, name, faults) => {
      if (raw.length <= MAX_TOKEN_CHARACTERS && isUnicodeText(raw)) return raw;
      reportInvalid(name, raw, raw, faults);
      return undefined;
    },
  };
}

/** A time of RFC 3339, as `YYYY-MM-DDTHH:mm:ssZ` or with an offset, in milliseconds since the epoch; a fraction is cut off. */
export function timestampParam(description: string): ParamSpec<number | undefined> {
  return {
    in: 'query',
    required: false,
    description,
    schema: { type: 'string', format: 'date-time', example: '2022-02-01T00:00:00Z' },
    absent: undefined,
    parse: (raw, name, faults) => {
      const timeMs = parseInstant(raw);
      if (timeMs !== undefined) return timeMs;
      const what = `The \`${name}\` query parameter value [${raw}] is not a valid RFC3339 datetime`;
      faults.add(name, [raw], what);
      return undefined;
    },
  };
}
