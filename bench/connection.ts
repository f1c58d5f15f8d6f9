import { connect, type Socket } from 'node:net';

/** One answer, as far as a generator looks at it. */
export interface RawAnswer {
  readonly status: number;
  /** Status line and headers, with their last line end. */
  readonly head: string;
  readonly body: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const STATUS_START = 'HTTP/1.1 '.length;

export type OnAnswer = (status: number, answer: Buffer) => void;

/**
 * A keep-alive connection that has one request under way at a time. It reads answers by their Content-Length and
 * knows nothing else of HTTP, so that it costs the generator next to nothing.
 */
export class Connection {
  #received: Buffer | undefined;
  #onAnswer: OnAnswer = () => undefined;
  #answerBytes = 0;
  #lastHead = Buffer.alloc(0);
  #lastLength = 0;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#receive(chunk));
  }

  /** Rejects when nobody listens. A connection that is lost later ends the process: a benchmark has no use for it. */
  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Connection(socket));
      });
    });
  }

  send(request: string, onAnswer: OnAnswer): void {
    this.#onAnswer = onAnswer;
    this.socket.write(request, 'latin1');
  }

  close(): void {
    this.socket.destroy();
  }

  #receive(chunk: Buffer): void {
    const received = this.#received ? Buffer.concat([this.#received, chunk]) : chunk;
    if (this.#answerBytes === 0) this.#answerBytes = this.#measure(received);
    if (this.#answerBytes === 0 || received.length < this.#answerBytes) {
      this.#received = received;
      return;
    }
    this.#received = undefined;
    this.#answerBytes = 0;
    this.#onAnswer(Number(received.toString('latin1', STATUS_START, STATUS_START + 3)), received);
  }

  /** The bytes of the answer, or 0 while its head is not here. */
  #measure(received: Buffer): number {
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) return 0;
    const bodyStart = headEnd + HEAD_END.length;
    return bodyStart + this.#contentLength(received.subarray(0, headEnd));
  }

  #contentLength(head: Buffer): number {
    if (head.equals(this.#lastHead)) return this.#lastLength;
    const match = LENGTH.exec(head.toString('latin1'));
    if (!match) throw new Error(`an answer has no Content-Length: ${head.toString('latin1')}`);
    this.#lastHead = Buffer.from(head);
    this.#lastLength = Number(match[1]);
    return this.#lastLength;
  }
}

/** Sends one request on a connection of its own. */
export async function ask(port: number, request: string): Promise<RawAnswer> {
  const connection = await Connection.open(port);
  try {
    return await new Promise<RawAnswer>((resolve) => {
      connection.send(request, (status, answer) => {
        const bodyStart = answer.indexOf(HEAD_END) + HEAD_END.length;
        const head = answer.toString('latin1', 0, bodyStart - 2);
        resolve({ status, head, body: answer.toString('utf8', bodyStart) });
      });
    });
  } finally {
    connection.close();
  }
}
