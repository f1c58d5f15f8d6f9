import { spawnSync } from 'node:child_process';

/**
 * Finds a Python with the module. The distribution’s interpreter has its packages; others may precede it in the path.
 */
export const pythonWith = (module: string): string | undefined =>
  ['/usr/bin/python3', 'python3'].find(
    (candidate) => spawnSync(candidate, ['-c', `import ${module}`]).status === 0,
  );
