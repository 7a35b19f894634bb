import { showValue } from '../../config/options.ts';
import type { ProfileFile, ProfileReading, StoredProfile } from '../../config/profile/file.ts';
import { maskedText } from '../../config/resolve/provenance.ts';
import { printable } from '../../format/printable.ts';
import { described, leftOut, listOf, maybe, type RowOf, row, type Shape, string, truth } from '../../shape/shape.ts';

/** What is said about each change, and about one that a dry run only plans. rpk's scripts look for these lines. */
const sentences = {
  'created and selected': ['Created and switched to new profile NAME.', 'Would create and switch to new profile NAME.'],
  created: ['Created profile NAME.', 'Would create profile NAME.'],
  selected: ['Set current profile to NAME.', 'Would set current profile to NAME.'],
  updated: ['Profile NAME updated successfully.', 'Profile NAME would be updated.'],
  'left unchanged': ['Profile NAME is unchanged.', 'Profile NAME is unchanged.'],
  deleted: ['Deleted profile NAME.', 'Would delete profile NAME.'],
  renamed: ['Renamed current profile to NAME.', 'Would rename current profile to NAME.'],
} as const;

const changeRow = row({
  key: string,
  before: described(maybe(string), 'null if it was not set'),
  after: described(maybe(string), 'null if it is no longer set'),
});

const fields = {
  profile: string,
  action: string as Shape<keyof typeof sentences>,
  current: described(maybe(string), 'the selected profile afterward'),
  file: string,
  dry_run: leftOut(truth),
};

/** The change that a command made to a profile. */
export const outcomeRow = row(fields);

/** The change that a command made to the settings of a profile. */
export const settingsRow = row({
  ...fields,
  changes: leftOut(described(listOf(changeRow), 'what a dry run would change; secrets are hidden')),
});

/** The change that a command made to a profile. */
export type Outcome = RowOf<typeof outcomeRow>;

type SettingsOutcome = RowOf<typeof settingsRow>;

/** The outcome for a profile, from the file after the change. */
export function outcome(file: ProfileFile, profile: string, action: Outcome['action'], dryRun: boolean): Outcome {
  const current = file.current?.name ?? null;
  return { profile, action, current, file: file.path, ...(dryRun ? { dry_run: true } : {}) };
}

/** The outcome of a change to settings, of which a dry run says what differs from the file before. */
export function settingsOutcome(
  { before, after }: { readonly before: ProfileReading | undefined; readonly after: ProfileFile },
  profile: string,
  action: Outcome['action'],
  dryRun: boolean,
): SettingsOutcome {
  const done = outcome(after, profile, action, dryRun);
  const [old, fresh] = [before, after].map((file) => file?.profiles.find(({ name }) => name === profile));
  return dryRun ? { ...done, changes: changesBetween(old, fresh) } : done;
}

function changesBetween(
  before: StoredProfile | undefined,
  after: StoredProfile | undefined,
): readonly RowOf<typeof changeRow>[] {
  const [old, fresh] = [textsOf(before), textsOf(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((key) => old.get(key)?.text !== fresh.get(key)?.text)
    .map((key) => ({ key, before: old.get(key)?.shown ?? null, after: fresh.get(key)?.shown ?? null }));
}

interface Shown {
  readonly text: string;
  readonly shown: string;
}

/** The settings of a profile, as they are and as they may be shown. */
function textsOf(profile: StoredProfile | undefined): ReadonlyMap<string, Shown> {
  if (profile === undefined) return new Map();
  const { description, options } = profile;
  const plain = (text: string): Shown => ({ text, shown: text });
  return new Map([
    ...(description === undefined ? [] : [['description', plain(description)] as const]),
    ...(profile.protected ? [['protected', plain('true')] as const] : []),
    ...[...options.entries].map(([key, { value }]): [string, Shown] => {
      const text = showValue(key, value);
      return [key, { text, shown: maskedText(key, value) ?? text }];
    }),
  ]);
}

/** A line of text, for example `Set current profile to "prod".`, and for a dry run the changes. */
export function outcomeText({ profile, action, dry_run, changes = [] }: SettingsOutcome): string {
  const [done, planned] = sentences[action];
  const first = `${(dry_run ? planned : done).replace('NAME', () => `"${printable(profile)}"`)}\n`;
  return first + changes.map(changeLine).join('');
}

function changeLine({ key, before, after }: RowOf<typeof changeRow>): string {
  const [old, fresh] = [before, after].map((text) => (text === null ? 'not set' : printable(text)));
  return `  ${key}: ${before === null ? '' : `${old} -> `}${fresh}\n`;
}
