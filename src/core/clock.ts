/** Returns milliseconds since the Unix epoch. Injected everywhere, so that tests control the time. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;
