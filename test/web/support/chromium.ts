import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Debian’s Chromium; undefined where it is not installed. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

/** Reports whether this runs as root, for which Chromium disables its sandbox. */
function isRoot(): boolean {
  return process.getuid?.() === 0;
}

let running: Promise<Browser> | undefined;

/** Returns the Chromium of this worker, whose start takes longer than most tests. Each file closes its windows. */
export function openChromium(): Promise<Browser> {
  running ??= launch();
  return running;
}

/** Closes what a file has opened, so that nothing of it reaches the next one. */
export async function closeWindows(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

/** It ends with this process. */
async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--disable-dev-shm-usage', ...(isRoot() ? ['--no-sandbox'] : [])],
  });
  browser.once('disconnected', () => (running = undefined));
  return browser;
}
