import type { World } from './document.js';
import type { WorldFaults } from './faults.js';
import type { Check } from './pass.js';

/** Returns the place in the file of a block between two users, in either direction. */
type FindBlock = (one: string, other: string) => string | undefined;

/**
 * Reports follows, List members and List followers that contradict a block of the same file. A block that only the
 * database has is no fault: the network may have changed since the file was first loaded.
 */
export function checkAgainstBlocks({ blocks, follows, lists }: World, { faults }: Check): void {
  const paths = new Map(blocks.map(({ from, to, path }) => [pairOf(from, to), path]));
  const findBlock: FindBlock = (one, other) => paths.get(pairOf(one, other)) ?? paths.get(pairOf(other, one));
  for (const { from, to, path } of follows) {
    const block = findBlock(from, to);
    if (block !== undefined)
      faults.add(path, `contradicts ${block}: @${from} and @${to} do not follow each other over a block`);
  }
  for (const list of lists) checkList(list, findBlock, faults);
}

function checkList(list: World['lists'][number], findBlock: FindBlock, faults: WorldFaults): void {
  for (const key of ['members', 'followers'] as const) {
    for (const [index, name] of (list[key] ?? []).entries()) {
      const block = findBlock(list.owner, name);
      if (block === undefined) continue;
      const reason = `contradicts ${block}: @${name} and the owner, @${list.owner}, are apart by a block`;
      faults.add(`${list.path}.${key}[${index}]`, reason);
    }
  }
}

function pairOf(from: string, to: string): string {
  return `${from} ${to}`.toLowerCase();
}
