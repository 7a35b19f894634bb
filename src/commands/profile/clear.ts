import { command } from '../../cli/command.ts';
import { booleanSchema, nullable, object, string } from '../../cli/output/schema.ts';
import { setCurrent } from '../../config/profile/edit.ts';
import { printable } from '../../format/printable.ts';
import { changeStored, readStored } from './stored.ts';

/** `profile clear` */
export const clear = command({
  summary: 'Clear the selection of a profile',
  examples: [
    ['Use no profile from now on', 'profile clear'],
    ['The same in another file', 'profile clear --config ./weir.yaml'],
  ],
  changes: 'alters',
  async run(context, { dryRun }) {
    const cleared = (await readStored(context))?.current?.name;
    if (cleared !== undefined) await changeStored(context, dryRun, (file) => setCurrent(file, undefined));
    return { cleared: cleared ?? null, ...(dryRun ? { dry_run: true } : {}) };
  },
  output: {
    schema: object({ cleared: nullable(string), dry_run: booleanSchema }, ['dry_run']),
    text: ({ cleared, dry_run }) =>
      dry_run && cleared !== null ? `Profile "${printable(cleared)}" would no longer be selected.\n` : '',
  },
});
