import type { MessagePort, TransferListItem } from 'node:worker_threads';

/** What answers a request for the next value. */
type Answer<T> = { readonly value: T } | { readonly error: unknown } | { readonly isEnd: true };

/** The other side of a port is gone, its thread perhaps as well. */
export class PortClosed extends Error {
  override readonly name = 'PortClosed';
}

/**
 * Hands values to the other side of a port, one for each request and in their order, and then how they ended: so that
 * side decides how far ahead of it this one works. `transferred` names the parts that are moved rather than copied.
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
 * The values that the other side of a port serves, at most `ahead` of them made before they are taken. Throws what their
 * making threw, as far as that can be copied, and PortClosed. Closes the port in the end.
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
        if (isClosed) throw new PortClosed('the other side is gone');
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
