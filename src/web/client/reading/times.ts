/** The cookie from which the server learns the reader's time zone. */
const COOKIE = 'pipit_zone';

/** The server shows times in the reader's zone from the second page on; on a tap, briefly shown times become exact. */
export function enhanceTimes(): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const isKnown = document.cookie.split('; ').includes(`${COOKIE}=${timeZone}`);
  if (!isKnown) {
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    document.cookie = `${COOKIE}=${timeZone}; Path=/; SameSite=Lax; Max-Age=31536000${secure}`;
    // Titles move nothing.
    for (const time of document.querySelectorAll<HTMLTimeElement>('time[title]')) time.title = exact(time);
  }
  document.addEventListener('click', showExact);
}

function exact(time: HTMLTimeElement): string {
  const format = new Intl.DateTimeFormat(navigator.language, { dateStyle: 'long', timeStyle: 'short' });
  return format.format(new Date(time.dateTime));
}

/** The first tap on a brief time shows the exact one, the second follows its link. A mouse shows the title. */
function showExact(event: MouseEvent): void {
  if (!(event instanceof PointerEvent) || event.pointerType !== 'touch') return;
  const time = event.target instanceof Element ? event.target.closest('time[title]') : null;
  if (!(time instanceof HTMLTimeElement)) return;
  event.preventDefault();
  time.textContent = time.title;
  time.removeAttribute('title');
}
