import { cannedOf } from './measure.js';
import { KIND_NAMES, KINDS, type Kind } from './mix-kinds.js';
import type { KindReport, MixReport } from './mix-load.js';
import type { CannedAnswer } from './yardstick.js';

/** Returns responses for the yardstick: of the mean length of each kind, with the headers of a real one. */
export function cannedAnswers({ kinds }: MixReport): CannedAnswer[] {
  return KIND_NAMES.flatMap((kind) => {
    const report = kinds[kind];
    return report ? [cannedAnswer(kind, report)] : [];
  });
}

function cannedAnswer(kind: Kind, { sample, meanBytes }: KindReport): CannedAnswer {
  const bodyStart = sample.indexOf('\r\n\r\n') + 4;
  const head = sample.slice(0, bodyStart - 2);
  // One byte for each character, whatever the sample has.
  const text = sample.slice(bodyStart).replaceAll(/[^ -~]/g, '?');
  const length = Math.max(0, Math.round(meanBytes) - bodyStart);
  const body = text.padEnd(length, text === '' ? ' ' : text).slice(0, length);
  const { headers } = cannedOf({ status: 0, head, body });
  const at = headers.findIndex((name) => name.toLowerCase() === 'content-length');
  const { method, part, status } = KINDS[kind];
  return { fits: { method, part }, status, headers: headers.with(at + 1, String(length)), body };
}
