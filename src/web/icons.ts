import { createHash } from 'node:crypto';
import { Html } from '../api/reference/html.js';

/** The paths of the icons, drawn with lines in a square of 24. */
const PATHS = {
  home: '<path d="M3 11.5 12 4l9 7.5V20a1 1 0 0 1-1 1h-5v-6H9v6H4a1 1 0 0 1-1-1z"/>',
  search: '<circle cx="11" cy="11" r="7"/><path d="m16.5 16.5 4.5 4.5"/>',
  bell: '<path d="M6 10a6 6 0 0 1 12 0c0 6 2.5 7 2.5 7h-17S6 16 6 10zM10 20.5a2.2 2.2 0 0 0 4 0"/>',
  mail: '<rect x="3" y="5" width="18" height="14" rx="2"/><path d="m3.5 7 8.5 6 8.5-6"/>',
  bookmark: '<path d="M6 4h12v17l-6-4.5L6 21z"/>',
  list: '<path d="M8 6h13M8 12h13M8 18h13M3.5 6h.01M3.5 12h.01M3.5 18h.01"/>',
  space:
    '<rect x="9" y="3" width="6" height="11" rx="3"/><path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3M9 21h6"/>',
  person: '<circle cx="12" cy="8" r="4"/><path d="M4.5 20.5a7.5 7.5 0 0 1 15 0"/>',
  settings:
    '<circle cx="12" cy="12" r="3"/><path d="M12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1M16.6 16.6l2.1 2.1M18.7 5.3l-2.1 2.1M7.4 16.6l-2.1 2.1"/>',
  key: '<circle cx="8" cy="15" r="4.5"/><path d="m11.2 11.8 8.3-8.3M16 7l3 3"/>',
  desk: '<path d="M12 3 4 6v6c0 5 3.5 8 8 9 4.5-1 8-4 8-9V6z"/>',
  pen: '<path d="M4 20l1-4L16.5 4.5a2.1 2.1 0 0 1 3 3L8 19zM14 7l3 3"/>',
  reply: '<path d="M4 5h16v11H10l-5 4v-4H4z"/>',
  repost: '<path d="M7 20V6M3.5 9.5 7 6l3.5 3.5M17 4v14M13.5 14.5 17 18l3.5-3.5"/>',
  like: '<path d="M12 20.5S3.5 15.5 3.5 9.4A4.6 4.6 0 0 1 12 7a4.6 4.6 0 0 1 8.5 2.4c0 6.1-8.5 11.1-8.5 11.1z"/>',
  more: '<circle cx="5" cy="12" r=".75"/><circle cx="12" cy="12" r=".75"/><circle cx="19" cy="12" r=".75"/>',
  back: '<path d="M20 12H4.5M11 5l-7 7 7 7"/>',
  close: '<path d="m5 5 14 14M19 5 5 19"/>',
  picture:
    '<rect x="3" y="4" width="18" height="16" rx="2"/><circle cx="8.5" cy="9.5" r="1.7"/><path d="m4 18 5.5-5 4 3.5L17 13l4 4"/>',
  poll: '<path d="M5 20V10M12 20V4M19 20v-7"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  lock: '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  feed: '<path d="M5 12a7 7 0 0 1 7 7M5 5a14 14 0 0 1 14 14M6 19h.01"/>',
  check: '<path d="m4.5 12.5 5 5 10-11"/>',
  leave: '<path d="M10 4H5v16h5M15 8l4 4-4 4M19 12H9"/>',
} as const;

export type IconName = keyof typeof PATHS;

/** The file of all icons, to which `icon` refers. */
export const ICON_FILE = `<svg xmlns="http://www.w3.org/2000/svg">${Object.entries(PATHS)
  .map(([name, path]) => `<symbol id="${name}" viewBox="0 0 24 24">${path}</symbol>`)
  .join('')}</svg>`;

/** Its path, which changes with its contents. */
export const ICON_PATH = `/assets/icons-${createHash('sha256').update(ICON_FILE).digest('hex').slice(0, 12)}.svg`;

/** Returns an icon without a name for screen readers: the control around it has one. */
export function icon(name: IconName): Html {
  return new Html(`<svg class="icon" aria-hidden="true"><use href="${ICON_PATH}#${name}"/></svg>`);
}
