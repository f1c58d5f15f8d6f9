import type { MessagePort, TransferListItem } from 'node:worker_threads';
import { NamedError } from '../core/named-error.js';

/** The answer to a request for the next value. */
type Answer<T> = { readonly value: T } | { readonly error: unknown } | { readonly isEnd: true };

/** Thrown when the other side of a port was closed or its thread ended. */
export class PortClosed extends NamedError {}

/**
 * Serves values over a port, one per request and in order, then the end or the error. The other side thus controls
 * how far this side works ahead. `transferred` returns the parts to transfer instead of copying.
 */
export function serveIterable<T>(
  port: MessagePort,
  values: AsyncIterable<T>,
  transferred: (value: T) => readonly TransferListItem[] = () => [],
): void {
  const iterator = values[Symbol.asyncIterator]();
  const answerNext = async (): Promise<void> => {
    const answer = await nextOf(iterator);
    port.postMessage(answer, 'value' in answer ? transferred(answer.value) : []);
  };
  let answered = Promise.resolve();
  port.on('message', () => void (answered = answered.then(answerNext)));
  port.on('close', () => void iterator.return?.().catch(() => undefined));
}

async function nextOf<T>(iterator: AsyncIterator<T>): Promise<Answer<T>> {
  try {
    const next = await iterator.next();
    return next.done ? { isEnd: true } : { value: next.value };
  } catch (error) {
    return { error };
  }
}

/**
 * Yields the values served by the other side of a port, requesting up to `ahead` values in advance. Throws the
 * producer's error, as far as it can be cloned, and PortClosed. Closes the port at the end.
 */
export async function* iterableOf<T>(port: MessagePort, ahead: number): AsyncGenerator<T, void> {
  const answers: Answer<T>[] = [];
  let isClosed = false;
  let wake = (): void => undefined;
  port.on('message', (answer: Answer<T>) => {
    answers.push(answer);
    wake();
  });
  port.on('close', () => {
    isClosed = true;
    wake();
  });
  try {
    for (let requests = 0; requests < ahead; requests += 1) port.postMessage('next');
    for (;;) {
      const answer = answers.shift();
      if (!answer) {
        if (isClosed) throw new PortClosed('the other side closed the port');
        await new Promise<void>((resolve) => (wake = resolve));
      } else if ('value' in answer) {
        port.postMessage('next');
        yield answer.value;
      } else if ('error' in answer) {
        throw answer.error;
      } else {
        return;
      }
    }
  } finally {
    port.close();
  }
}
