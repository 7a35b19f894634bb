import type { ProfileFile } from '../../config/profile/file.ts';
import { printable } from '../../format/printable.ts';
import { described, leftOut, maybe, type RowOf, row, type Shape, string, truth } from '../../shape/shape.ts';

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

/** The change that a command made to a profile. */
export const outcomeRow = row({
  profile: string,
  action: string as Shape<keyof typeof sentences>,
  current: described(maybe(string), 'the selected profile afterward'),
  file: string,
  dry_run: leftOut(truth),
});

/** The change that a command made to a profile. */
export type Outcome = RowOf<typeof outcomeRow>;

/** The outcome for a profile, from the file after the change. */
export function outcome(file: ProfileFile, profile: string, action: Outcome['action'], dryRun: boolean): Outcome {
  const current = file.current?.name ?? null;
  return { profile, action, current, file: file.path, ...(dryRun ? { dry_run: true } : {}) };
}

/** One line of text, for example `Set current profile to "prod".` */
export function outcomeText({ profile, action, dry_run }: Outcome): string {
  const [done, planned] = sentences[action];
  return `${(dry_run ? planned : done).replace('NAME', () => `"${printable(profile)}"`)}\n`;
}
