import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Contender } from './measure.ts';
import { script, weir } from './world.ts';

/** What the name of another build's contender ends with. */
const mark = ', other build';

/**
 * The contenders that run weir, each followed by the same command line with the build of another checkout; other programs
 * are left out. All contenders when `checkout` is empty.
 */
export function withOtherBuild(contenders: readonly Contender[], checkout: string): readonly Contender[] {
  if (checkout === '') return contenders;
  const [otherWeir, otherScript] = [resolve(checkout, 'dist/weir'), resolve(checkout, 'bin/weir.js')];
  for (const path of [otherWeir, otherScript])
    if (!existsSync(path)) throw new Error(`--against ${checkout}: there is no ${path}`);
  const swapped = (word: string): string => word.replaceAll(weir, otherWeir).replaceAll(script, otherScript);
  return contenders.flatMap((contender) => {
    const other = { ...contender, file: swapped(contender.file), args: contender.args.map(swapped) };
    const isWeir = [other.file, ...other.args].join(' ') !== [contender.file, ...contender.args].join(' ');
    return isWeir ? [contender, { ...other, name: `${contender.name}${mark}` }] : [];
  });
}
