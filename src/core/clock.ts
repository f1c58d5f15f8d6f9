/** Milliseconds since the Unix epoch. Injected everywhere, so that tests decide what time it is. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
