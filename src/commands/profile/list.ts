import { listCommand } from '../../cli/forms/read.ts';
import { jsonValue } from '../../config/options.ts';
import { faultyProfiles, type StoredProfile } from '../../config/profile/file.ts';
import { byName } from '../../format/order.ts';
import { listOf, maybe, row, string, truth } from '../../shape/shape.ts';
import { readStored } from './profile-file.ts';

/** `profile list` */
export const list = listCommand({
  summary: 'List the profiles',
  examples: [
    ['All profiles', 'profile list'],
    ['The same as data', 'profile list --format json'],
  ],
  aliases: ['ls'],
  row: row({
    name: string,
    current: truth,
    brokers: maybe(listOf(string)),
    protected: truth,
    description: string,
  }),
  async read(context) {
    const file = await readStored(context);
    for (const line of file === undefined ? [] : faultyProfiles(file)) context.warn(line);
    const selected = context.profileSelection().profile?.name ?? file?.current?.name;
    const rows = (file?.profiles ?? []).map((profile) => ({
      name: profile.name,
      current: profile.name === selected,
      brokers: brokersOf(profile),
      protected: profile.protected,
      description: profile.description ?? '',
    }));
    return rows.toSorted(byName);
  },
  columns: [
    'name',
    ['current', ({ current }) => (current ? 'yes' : '-')],
    ['brokers', ({ brokers }) => brokers?.join(',') ?? '-'],
    ['protected', ({ protected: isProtected }) => (isProtected ? 'yes' : '-')],
    ['description', ({ description }) => description || '-'],
  ],
});

/** The brokers that the profile sets; null without any. */
function brokersOf({ options }: StoredProfile): readonly string[] | null {
  const entry = options.entries.get('brokers');
  return entry === undefined ? null : (jsonValue('brokers', entry.value) as readonly string[]);
}
