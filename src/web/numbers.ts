import { formatOf } from './reader-locale.js';

/** Formats a number as the reader writes it, such as `12,345`. */
export function numberText(value: number): string {
  return formatOf('number', ({ language }) => new Intl.NumberFormat(language)).format(value);
}

/** Formats a number in a few characters, such as `1.2k`. */
export function compactNumber(value: number): string {
  const format = formatOf(
    'compact number',
    ({ language }) => new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }),
  );
  return format.format(value);
}
