import type { Engine } from '../../database/engine.js';
import { THREAD_PARTS } from '../../stores/checks/inboxes.js';
import { MIRROR_PARTS } from '../../stores/checks/mirrors.js';
import { NOTICE_PARTS } from '../../stores/checks/notices.js';
import { CHECK_KINDS, type CheckKind, type Part } from '../../stores/checks/part.js';
import { COUNT_PARTS } from '../../stores/checks/recounts.js';
import { STRAY_PARTS } from '../../stores/checks/strays.js';
import { WORD_PARTS } from '../../stores/checks/words.js';
import { fileParts, type FileDeps } from './file-check.js';
import { HOME_PARTS } from './home-check.js';
import { indexPart } from './index-check.js';
import { POST_LIST_PARTS } from './post-lists.js';

/** Returns the checks of these kinds, those of files only with `files`, in the order in which one relies on the others. */
export function partsOf(
  engine: Pick<Engine, 'search'>,
  kinds: ReadonlySet<CheckKind>,
  files: FileDeps | undefined,
): Part[] {
  const all = [
    ...STRAY_PARTS,
    ...MIRROR_PARTS,
    ...POST_LIST_PARTS,
    ...COUNT_PARTS,
    ...HOME_PARTS,
    ...THREAD_PARTS,
    ...NOTICE_PARTS,
    ...WORD_PARTS,
    indexPart(engine),
    ...(files ? fileParts(files) : []),
  ];
  return CHECK_KINDS.filter((kind) => kinds.has(kind)).flatMap((kind) =>
    all.filter((part) => part.kind === kind),
  );
}
