import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Debian’s Chromium; undefined where it is not installed. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

/** Reports whether this runs as root, for which Chromium disables its sandbox. */
function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--disable-dev-shm-usage', ...(isRoot() ? ['--no-sandbox'] : [])],
  });
}
