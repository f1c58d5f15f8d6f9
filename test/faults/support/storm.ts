import type { HttpClient, Reply } from './http-client.js';
import type { Ledger } from './ledger.js';
import type { Random } from './random.js';
import { STORM_USERS, tokenOf, type StormUser } from './storm-world.js';

export interface Storm {
  /** The number of acknowledged writes so far. */
  acknowledged(): number;
  /** Unexpected responses. */
  readonly unexpected: readonly string[];
  /** Resolves when every connection has lost the server. */
  readonly over: Promise<void>;
}

export interface StormOptions {
  readonly client: HttpClient;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly connections: number;
  /** Makes texts differ from those of other rounds. */
  readonly name: string;
  /** Called after each acknowledged write. */
  readonly onAcknowledged: (count: number) => void;
}

type Action = 'post' | 'mention' | 'reply' | 'quote' | 'poll' | 'delete';
const ACTIONS = ['post', 'post', 'mention', 'reply', 'reply', 'quote', 'poll', 'delete', 'delete'] as const;

/** Writes over many connections concurrently until the server is gone. */
export function startStorm(options: StormOptions): Storm {
  const unexpected: string[] = [];
  let count = 0;
  let texts = 0;
  const write = async (): Promise<void> => {
    const user = options.random.pick(STORM_USERS);
    const action = options.random.pick(ACTIONS);
    texts += 1;
    const reply = await perform(options, user, action, `${options.name} no. ${texts}`);
    if (reply === 'nothing to do') return;
    if (reply.status === 200 || reply.status === 201) options.onAcknowledged((count += 1));
    else if (!isRaceForDeleted(action, reply)) unexpected.push(`${action}: ${JSON.stringify(reply)}`);
  };
  const writeUntilLost = async (): Promise<void> => {
    try {
      for (;;) await write();
    } catch (error) {
      // A client cannot know whether an unanswered request was executed: the ledger has acknowledged writes only.
      if (!isLostConnection(error)) throw error;
    }
  };
  const over = Promise.all(Array.from({ length: options.connections }, writeUntilLost)).then(() => undefined);
  return { acknowledged: () => count, unexpected, over };
}

async function perform(
  { client, ledger, random }: StormOptions,
  user: StormUser,
  action: Action,
  text: string,
): Promise<Reply | 'nothing to do'> {
  if (action === 'delete') {
    const id = ledger.takeForDeletion(user, random.below(1_000_000));
    if (id === undefined) return 'nothing to do';
    const reply = await client.send('DELETE', `/2/tweets/${id}`, tokenOf(user));
    if (reply.status === 200) ledger.acknowledgeDeletion(id);
    return reply;
  }
  const target = ledger.anyPost(random.below(1_000_000));
  const other = random.pick(STORM_USERS);
  const reply = await client.send('POST', '/2/tweets', tokenOf(user), bodyOf(action, text, target, other));
  if (reply.status === 201) {
    const { data } = reply.body as { data: { id: string; text: string } };
    ledger.acknowledgePost(data.id, user, data.text);
  }
  return reply;
}

function bodyOf(action: Action, text: string, target: string | undefined, other: StormUser): object {
  if (action === 'mention') return { text: `Hello @${other}, ${text}` };
  if (action === 'poll') return { text, poll: { options: ['One', 'Two'], duration_minutes: 5 } };
  if (target === undefined) return { text };
  if (action === 'reply') return { text, reply: { in_reply_to_tweet_id: target } };
  if (action === 'quote') return { text, quote_tweet_id: target };
  return { text };
}

/** The parent or quoted post may be deleted by another connection meanwhile. */
function isRaceForDeleted(action: Action, { status, body }: Reply): boolean {
  const { detail } = body as { detail?: string };
  return status === 403 && (action === 'reply' || action === 'quote') && (detail ?? '').includes('deleted');
}

function isLostConnection(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNRESET' || code === 'ECONNREFUSED' || code === 'EPIPE';
}
