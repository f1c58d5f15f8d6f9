import { randomBytes } from 'node:crypto';

/** Creates ids of sixteen hexadecimal digits, unique in this process and very likely across processes. */
export function requestIds(): () => string {
  const prefix = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    count = (count + 1) % 0x1_0000_0000;
    return prefix + count.toString(16).padStart(8, '0');
  };
}
