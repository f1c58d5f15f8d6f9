import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Debian's; undefined where it is not installed. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

/** Whether a user who may do everything runs this, for whom Chromium refuses its own sandbox. */
function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--disable-dev-shm-usage', ...(isRoot() ? ['--no-sandbox'] : [])],
  });
}
