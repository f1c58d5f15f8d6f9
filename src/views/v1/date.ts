/** Returns a time as `Wed Oct 10 20:19:24 +0000 2018`. */
export function presentDateV1(timeMs: number): string {
  const [day, date, month, year, time] = new Date(timeMs).toUTCString().replace(',', '').split(' ');
  return `${day} ${month} ${date} ${time} +0000 ${year}`;
}
