/** Repeats a step that handles at most `size` entries and resolves to their number, until none can be left. */
export async function inChunks(size: number, step: () => Promise<number>): Promise<void> {
  let handled = size;
  while (handled === size) handled = await step();
}
