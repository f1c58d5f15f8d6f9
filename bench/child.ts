import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A benchmark process that answers each message with one message. */
export interface Child {
  readonly pid: number;
  ask<T>(message: object | number): Promise<T>;
  /** Waits for the next unsolicited message. */
  next<T>(): Promise<T>;
  end(): Promise<void>;
}

/** Starts a program of this folder; its errors go to standard error. */
export function startChild(program: string, args: readonly string[] = []): Child {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), args, {
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const next = async <T>(): Promise<T> => {
    const ended = new AbortController();
    const onExit = (): void => ended.abort(new Error(`${program} ended`));
    child.once('exit', onExit);
    try {
      const [message] = (await once(child, 'message', { signal: ended.signal })) as [T];
      return message;
    } finally {
      child.off('exit', onExit);
    }
  };
  return {
    pid: child.pid ?? 0,
    next,
    ask: async <T>(message: object | number): Promise<T> => {
      const answer = next<T>();
      child.send(message);
      return answer;
    },
    end: async () => {
      if (child.exitCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}
