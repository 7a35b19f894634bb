import { command } from '../../cli/command.ts';
import { setCurrent } from '../../config/profile/edit.ts';
import { printable } from '../../format/printable.ts';
import { leftOut, maybe, row, string, truth } from '../../shape/shape.ts';
import { changeStored, readStored } from './stored.ts';

/** `profile clear` */
export const clear = command({
  summary: 'Clear the selection of a profile',
  examples: [
    ['Use no profile from now on', 'profile clear'],
    ['The same in another file', 'profile clear --config ./weir.yaml'],
  ],
  changes: 'alters',
  result: row({ cleared: maybe(string), dry_run: leftOut(truth) }),
  async run(context, { dryRun }) {
    const cleared = (await readStored(context))?.current?.name;
    if (cleared !== undefined) await changeStored(context, dryRun, (file) => setCurrent(file, undefined));
    return { cleared: cleared ?? null, ...(dryRun ? { dry_run: true } : {}) };
  },
  show: {
    text: ({ cleared }, _view, { dryRun }) =>
      dryRun && cleared !== null ? `Profile "${printable(cleared)}" would no longer be selected.\n` : '',
  },
});
