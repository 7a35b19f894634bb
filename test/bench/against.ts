import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Contender } from './measure.ts';
import { weir } from './world.ts';

/** What the name of another build's contender ends with. */
const mark = ', other build';

/**
 * The contenders that run weir, each followed by the same command line with the build of another checkout; peers are
 * left out. All contenders when `checkout` is empty.
 */
export function withOtherBuild(contenders: readonly Contender[], checkout: string): readonly Contender[] {
  if (checkout === '') return contenders;
  const other = resolve(checkout, 'bin/weir.js');
  if (!existsSync(other)) throw new Error(`--against ${checkout}: there is no ${other}`);
  return contenders.flatMap((contender) => {
    const args = contender.args.map((word) => word.replaceAll(weir, other));
    const isWeir = args.some((word, at) => word !== contender.args[at]);
    return isWeir ? [contender, { ...contender, name: `${contender.name}${mark}`, args }] : [];
  });
}
