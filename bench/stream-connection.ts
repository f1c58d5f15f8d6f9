import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createGunzip } from 'node:zlib';
import { getRequest } from './requests.js';

const HEAD_END = '\r\n\r\n';
const LINE_END = '\r\n';
const POST_START = '{"data":{';
/** Every post has this member; the first id is its own. */
const ID_START = '"edit_history_tweet_ids":["';

/** Receives the id of the post of each message, at once. */
export type OnPost = (id: string) => void;

/** The stream to connect to. */
export interface StreamTarget {
  readonly port: number;
  readonly path: string;
  readonly token: string;
  readonly isZipped?: boolean;
}

/**
 * A raw connection to a stream. It finds the id of each message and reads nothing else, to cost the process as little as
 * possible: a line of the body is a message, the length of a chunk, or blank.
 */
export class StreamConnection {
  readonly #socket: Socket;
  readonly #onPost: OnPost;
  #rest = '';
  #isOpen = false;
  #lastLine = '';

  private constructor(socket: Socket, onPost: OnPost) {
    this.#socket = socket;
    this.#onPost = onPost;
  }

  /** Connects, and resolves after the head of the response. Rejects when the status is not 200. */
  static open(target: StreamTarget, onPost: OnPost): Promise<StreamConnection> {
    const { port, path, token, isZipped } = target;
    if (isZipped) return StreamConnection.#openZipped(target, onPost);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port });
      const stream = new StreamConnection(socket, onPost);
      socket.setNoDelay(true).on('error', reject);
      socket.on('data', (chunk) => {
        const text = chunk.toString('latin1');
        if (stream.#isOpen) return stream.#receive(text);
        stream.#rest += text;
        const at = stream.#rest.indexOf(HEAD_END);
        if (at < 0) return;
        if (!stream.#rest.startsWith('HTTP/1.1 200')) return reject(new Error(stream.#rest));
        const body = stream.#rest.slice(at + HEAD_END.length);
        stream.#isOpen = true;
        stream.#rest = '';
        stream.#receive(body);
        resolve(stream);
      });
      socket.write(getRequest(path, `127.0.0.1:${port}`, `Bearer ${token}`));
    });
  }

  /** The same through Node's client, for a body that is compressed by gzip. */
  static #openZipped({ port, path, token }: StreamTarget, onPost: OnPost): Promise<StreamConnection> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
      const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
        if (response.headers['content-encoding'] !== 'gzip') return reject(new Error('not compressed'));
        const stream = new StreamConnection(response.socket, onPost);
        response
          .pipe(createGunzip())
          .on('data', (chunk: Buffer) => stream.#receive(chunk.toString('latin1')));
        response.on('error', () => undefined);
        resolve(stream);
      });
      sent.on('error', reject).end();
    });
  }

  /** Stops reading. */
  pause(): void {
    this.#socket.pause();
  }

  /** Reads what is left until the server ends the connection; returns the last line, or undefined while it is open. */
  async drain(waitMs: number): Promise<string | undefined> {
    const ended = new Promise<boolean>((resolve) => {
      this.#socket.once('close', () => resolve(true));
      setTimeout(() => resolve(false), waitMs);
    });
    this.#socket.resume();
    return (await ended) ? this.#lastLine : undefined;
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split(LINE_END);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('{')) this.#lastLine = line;
      if (!line.startsWith(POST_START)) continue;
      const start = line.indexOf(ID_START) + ID_START.length;
      this.#onPost(line.slice(start, line.indexOf('"', start)));
    }
  }
}
