import { Readable } from 'node:stream';
import { importTwarc, type ImportParts } from '../../../src/archive/import-twarc.js';
import { streamSource } from '../../../src/archive/source.js';
import type { UserId } from '../../../src/core/ids.js';
import { indexImported } from '../../../src/services/search/index-posts.js';
import type { OAuth1Credentials, TestApp } from '../../support/app.js';

export interface Person {
  readonly id: string;
  readonly name: string;
  token: string;
  readonly oauth1: OAuth1Credentials;
}

export interface Owned {
  readonly id: string;
  readonly by: Person;
}

export interface OwnPost extends Owned {
  /** The author of the post that started the conversation. */
  readonly startedBy: Person;
  /** The first version, if the post was edited. */
  readonly firstId?: string;
  /** The ids of all versions, if an archive replaced the post. */
  readonly versions?: readonly string[];
}

/** The objects that writes have created; later writes and reads refer to them. */
export interface Scene {
  readonly random: () => number;
  /** Returns the time of the servers. */
  readonly clock: () => number;
  people: Person[];
  /** Imported: its profile changes with each import. */
  readonly archived: Person;
  posts: OwnPost[];
  lists: Owned[];
  spaces: Owned[];
  messages: Owned[];
  /** The blocks and mutes: each person and the one that the person blocks or mutes, oldest first. */
  readonly apart: Readonly<Record<'blocking' | 'muting', [Person, Person][]>>;
  suspended: Person | undefined;
  /** Tokens that were revoked. */
  readonly revoked: Person[];
  /** The number of objects created so far, for new names and ids. */
  made: number;
  /** The number of imported posts. */
  imported: number;
}

/** The objects that a write changes: most of the reads after it are about these. */
export interface Concerned {
  readonly people?: readonly (Person | undefined)[];
  readonly posts?: readonly (string | undefined)[];
  readonly lists?: readonly string[];
}

/** Makes a random change; returns undefined if it was refused or there was nothing to change. */
export type Write = (app: TestApp, scene: Scene) => Promise<Concerned | undefined>;

export const draw = <T>({ random }: Pick<Scene, 'random'>, list: readonly T[]): T | undefined =>
  list[Math.floor(random() * list.length)];

export const idOf = (person: Person): UserId => BigInt(person.id) as UserId;

export const pairOf = (scene: Scene): [Person, Person] => {
  const by = draw(scene, scene.people) ?? scene.archived;
  return [
    by,
    draw(
      scene,
      scene.people.filter((person) => person !== by),
    ) ?? scene.archived,
  ];
};

const NAMES = ['ann', 'ben', 'cleo', 'dirk', 'eve'];
const ARCHIVED = { id: '50', username: 'archie', name: 'Archie' };

/** Creates people who follow each other; each has a post with two replies, and a List. */
export async function createScene(
  app: TestApp,
  { random, clock }: Pick<Scene, 'random' | 'clock'>,
): Promise<Scene> {
  const newId = (): string => String(app.pipit.backend.ids.next());
  const users = NAMES.map((username, at) => ({ id: String(1 + at), username, name: username }));
  const first = NAMES.map((author) => ({ id: newId(), author, text: `By ${author}` }));
  const reply = (author: string, to: number) => ({
    id: newId(),
    author,
    text: 'A reply',
    in_reply_to: first[to]?.id,
  });
  const replies = NAMES.flatMap((author, at) =>
    [1, 2].map((step) => reply(author, (at + step) % NAMES.length)),
  );
  const lists = NAMES.map((owner, at) => ({ id: String(100 + at), owner, name: `List of ${owner}` }));
  const follows = NAMES.flatMap((from) => NAMES.filter((to) => to !== from).map((to) => ({ from, to })));
  await app.load({ apps: [], users, follows, posts: [...first, ...replies], lists });
  const text = { text: 'Archived', author_id: ARCHIVED.id, conversation_id: '999' };
  await importPage(app.pipit, { data: [{ id: '999', ...text }], includes: { users: [ARCHIVED] } });

  const people = new Map<string, Person>();
  for (const { id, username: name } of [...users, ARCHIVED]) {
    people.set(name, { id, name, token: await app.as(name), oauth1: await app.oauth1(name) });
  }
  const by = (name: string): Person => people.get(name) as Person;
  const starterOf = (id: string | undefined): Person =>
    by(first.find((post) => post.id === id)?.author ?? '');
  return {
    random,
    clock,
    people: [...people.values()],
    archived: by(ARCHIVED.username),
    posts: [
      ...first.map(({ id, author }) => ({ id, by: by(author), startedBy: by(author) })),
      ...replies.map((post) => ({
        id: post.id,
        by: by(post.author),
        startedBy: starterOf(post.in_reply_to),
      })),
    ],
    lists: lists.map(({ id, owner }) => ({ id, by: by(owner) })),
    spaces: [],
    messages: [],
    apart: { blocking: [], muting: [] },
    suspended: undefined,
    revoked: [],
    made: 0,
    imported: 0,
  };
}

/** Imports a page in the format of twarc2. */
export async function importPage({ backend: { engine } }: TestApp['pipit'], page: object): Promise<void> {
  const source = streamSource('an archive', Readable.from([Buffer.from(JSON.stringify(page))]));
  const indexPosts: ImportParts['indexPosts'] = (tx, posts, superseded) =>
    indexImported(tx, engine, posts, superseded);
  await importTwarc({ engine, indexPosts }, [source]);
}
