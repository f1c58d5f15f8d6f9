import type { Effect } from './effect.js';
import type { FaultRule } from './fault-rules.js';

/** Returns a rule as it was added, with its id and its counts. */
export function presentRule({ id, match, probability, after, count, effect, matched, applied }: FaultRule) {
  const { userId: user, ...others } = match;
  return {
    id,
    match: { ...others, user },
    probability,
    after,
    count,
    effect: presentEffect(effect),
    matched,
    applied,
  };
}

function presentEffect({ body, cut, drip, ...others }: Effect): object {
  return {
    ...others,
    ...(body && { body: JSON.parse(body.json) as unknown }),
    ...(cut && {
      cut: { after_bytes: cut.afterBytes, after_messages: cut.afterMessages, clean: cut.isClean },
    }),
    ...(drip && { drip: { bytes: drip.bytes, every_ms: drip.everyMs } }),
  };
}
