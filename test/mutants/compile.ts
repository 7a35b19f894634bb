import { execFile } from 'node:child_process';
import { join } from 'node:path';

/** Only wrong types count: a call that was removed may leave a name unused. */
const options = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];

/** Whether the types of a copy of the checkout are right. The first call takes as long as `npm run check`. */
export function compiles(root: string): Promise<boolean> {
  const known = ['--tsBuildInfoFile', join(root, 'mutants.tsbuildinfo')];
  return new Promise((resolve) => {
    execFile(join(root, 'node_modules/.bin/tsc'), ['-p', root, ...known, ...options], (error) =>
      resolve(error === null),
    );
  });
}
