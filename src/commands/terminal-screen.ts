/** The whole terminal, as long as a command shows something that changes. */
export interface TerminalScreen {
  size(): { readonly columns: number; readonly rows: number };
  /** Replaces what is shown. Lines are plain text of the width at most. */
  draw(lines: readonly string[]): void;
  /** Calls `listener` with each key, and with '' when the size has changed. */
  onKey(listener: (key: string) => void): void;
  /** Shows what was there before. Idempotent. */
  close(): void;
}

const ESC = '\u001b';
const OPEN = `${ESC}[?1049h${ESC}[?25l`;
const CLOSE = `${ESC}[?25h${ESC}[?1049l`;
const HOME = `${ESC}[H`;
const CLEAR_LINE = `${ESC}[K`;
const CLEAR_BELOW = `${ESC}[J`;

interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/** Takes over the terminal of standard input and output, on its alternate screen. */
export function openTerminalScreen({ stdin, stdout }: Terminal): TerminalScreen {
  let listener = (_key: string): void => undefined;
  let isOpen = true;
  const onData = (chunk: Buffer | string): void => {
    for (const key of chunk.toString()) listener(key);
  };
  const onResize = (): void => listener('');
  stdin.setRawMode(true);
  stdin.on('data', onData);
  stdin.resume();
  stdout.on('resize', onResize);
  stdout.write(OPEN);
  return {
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    // Lines are overwritten, not cleared before: the screen does not flicker.
    draw: (lines) => {
      const text = lines.map((line) => line + CLEAR_LINE).join('\r\n');
      if (isOpen) stdout.write(HOME + text + CLEAR_BELOW);
    },
    onKey: (added) => {
      listener = added;
    },
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      stdin.off('data', onData);
      stdin.setRawMode(false);
      stdin.pause();
      stdout.off('resize', onResize);
      stdout.write(CLOSE);
    },
  };
}
