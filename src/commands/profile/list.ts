import { command } from '../../cli/command.ts';
import { jsonValue } from '../../config/options.ts';
import { faultyProfiles, type StoredProfile } from '../../config/profile/file.ts';
import { byName } from '../../format/order.ts';
import { table } from '../../format/table.ts';
import { listOf, maybe, row, string, truth } from '../../shape/shape.ts';
import { readStored } from './stored.ts';

/** `profile list` */
export const list = command({
  summary: 'List the profiles',
  examples: [
    ['All profiles', 'profile list'],
    ['The same as data', 'profile list --format json'],
  ],
  aliases: ['ls'],
  changes: 'reads',
  result: listOf(
    row({
      name: string,
      current: truth,
      brokers: maybe(listOf(string)),
      protected: truth,
      description: string,
    }),
  ),
  async run(context) {
    const file = await readStored(context);
    for (const line of file === undefined ? [] : faultyProfiles(file)) context.warn(line);
    const named = context.profileSelection().profile?.name ?? file?.current?.name;
    const rows = (file?.profiles ?? []).map((profile) => ({
      name: profile.name,
      current: profile.name === named,
      brokers: brokersOf(profile),
      protected: profile.protected,
      description: profile.description ?? '',
    }));
    return rows.toSorted(byName);
  },
  show: {
    text: (rows, view) =>
      table(
        ['name', 'current', 'brokers', 'protected', 'description'],
        rows.map((one) => [
          one.name,
          one.current ? 'yes' : '-',
          one.brokers?.join(',') ?? '-',
          one.protected ? 'yes' : '-',
          one.description || '-',
        ]),
        view,
      ),
  },
});

/** The brokers that the profile sets; null without any. */
function brokersOf({ options }: StoredProfile): readonly string[] | null {
  const entry = options.entries.get('brokers');
  return entry === undefined ? null : (jsonValue('brokers', entry.value) as readonly string[]);
}
