import { cannedOf } from './measure.js';
import { KIND_NAMES, KINDS, type Kind } from './mix-kinds.js';
import type { KindReport, MixReport } from './mix-load.js';
import type { Mix } from './mixes.js';
import type { CannedAnswer } from './yardstick.js';

/** A short response, for rare kinds that the server has not answered yet. */
const UNSEEN: Pick<KindReport, 'sample' | 'meanBytes'> = {
  sample: 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
  meanBytes: 500,
};

/** Returns responses for the yardstick: of the mean length of each kind of a mix, with the headers of a real one. */
export function cannedAnswers({ shares }: Mix, { kinds }: Pick<MixReport, 'kinds'>): CannedAnswer[] {
  return KIND_NAMES.filter((kind) => shares[kind]).map((kind) => cannedAnswer(kind, kinds[kind] ?? UNSEEN));
}

function cannedAnswer(kind: Kind, { sample, meanBytes }: typeof UNSEEN): CannedAnswer {
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
