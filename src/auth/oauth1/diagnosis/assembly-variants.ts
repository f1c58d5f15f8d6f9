import { encodePercent } from '../percent.js';
import { encodeInLowerCase } from './encodings.js';
import type { Variant } from './variant.js';

/** A way to join method, address and parameters to a base string. */
export interface Assembly extends Variant {
  readonly separator: string;
  readonly escapeUrl: (text: string) => string;
  readonly escapeParameters: (text: string) => string;
}

const plain = (text: string): string => text;
const RIGHT = { separator: '&', escapeUrl: encodePercent, escapeParameters: encodePercent } as const;

/** The ways that clients use, the right one first (RFC 5849 3.4.1.1). */
export const ASSEMBLIES: readonly Assembly[] = [
  { ...RIGHT, text: 'right' },
  {
    ...RIGHT,
    text: 'parameters',
    escapeParameters: plain,
    mistake: 'did not escape the joined parameters in the base string',
  },
  { ...RIGHT, text: 'url', escapeUrl: plain, mistake: 'did not escape the address in the base string' },
  {
    ...RIGHT,
    text: 'neither',
    escapeUrl: plain,
    escapeParameters: plain,
    mistake: 'did not escape the parts of the base string',
  },
  {
    ...RIGHT,
    text: 'whole',
    separator: '%26',
    mistake: 'escaped the & between the parts of the base string',
  },
  {
    ...RIGHT,
    text: 'lower case',
    escapeUrl: encodeInLowerCase,
    escapeParameters: encodeInLowerCase,
    mistake: 'escaped the parts of the base string with lower-case digits, such as %2f',
  },
];
