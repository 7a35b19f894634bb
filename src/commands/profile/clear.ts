import { change } from '../../cli/forms/change.ts';
import { setCurrent } from '../../config/profile/edit.ts';
import { printable } from '../../format/printable.ts';
import { maybe, row, string } from '../../shape/shape.ts';
import { readStored, writeEdit } from './profile-file.ts';

/** `profile clear` */
export const clear = change({
  summary: 'Clear the selection of a profile',
  examples: [
    ['Use no profile from now on', 'profile clear'],
    ['The same in another file', 'profile clear --config ./weir.yaml'],
  ],
  changes: 'alters',
  noun: 'profile',
  isOne: true,
  item: row({ cleared: maybe(string) }),
  async plan(context) {
    const cleared = (await readStored(context))?.current?.name;
    return [cleared === undefined ? { cleared: null, status: 'NOT_NEEDED' as const } : { cleared }];
  },
  async applyEach(context) {
    await writeEdit(context, (file) => setCurrent(file, undefined));
    return {};
  },
  after(context, [row], { dryRun }) {
    if (!dryRun && row?.status === 'OK')
      context.noticeAfter('no profile is selected: by default, commands use localhost:9092');
  },
  text: (rows) =>
    rows
      .filter(({ dry_run: isDryRun, status }) => isDryRun && status === 'OK')
      .map(({ cleared }) => `Profile "${printable(cleared ?? '')}" would no longer be selected.\n`)
      .join(''),
});
