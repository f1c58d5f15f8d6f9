import { connect, type Socket } from 'node:net';

/** A response reduced to what a generator needs. */
export interface RawAnswer {
  readonly status: number;
  /** Status line and headers, including the last line end. */
  readonly head: string;
  readonly body: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const STATUS_START = 'HTTP/1.1 '.length;

export type OnAnswer = (status: number, answer: Buffer) => void;

/**
 * A keep-alive connection with one request at a time. It reads responses by their Content-Length and nothing else of
 * HTTP, to cost the generator as little as possible.
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

  /** Connects; rejects when nothing listens. A connection lost later ends the process. */
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

  /** Returns the length of the response in bytes, or 0 while its head is incomplete. */
  #measure(received: Buffer): number {
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) return 0;
    const bodyStart = headEnd + HEAD_END.length;
    return bodyStart + this.#contentLength(received.subarray(0, headEnd));
  }

  #contentLength(head: Buffer): number {
    if (head.equals(this.#lastHead)) return this.#lastLength;
    const match = LENGTH.exec(head.toString('latin1'));
    if (!match) throw new Error(`a response has no Content-Length: ${head.toString('latin1')}`);
    this.#lastHead = Buffer.from(head);
    this.#lastLength = Number(match[1]);
    return this.#lastLength;
  }
}

/** Sends one request over a new connection. */
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
