import { booleanSchema, nullable, object, type Schema, string } from '../../cli/output/schema.ts';
import type { ProfileFile } from '../../config/profile/file.ts';
import { printable } from '../../format/printable.ts';

/** What a command did to a profile. */
export interface Outcome {
  readonly profile: string;
  readonly action: string;
  /** The selected profile afterwards. */
  readonly current: string | null;
  readonly file: string;
  readonly dry_run?: true;
}

/** JSON Schema of an outcome. */
export const outcomeSchema: Schema = object(
  { profile: string, action: string, current: nullable(string), file: string, dry_run: booleanSchema },
  ['dry_run'],
);

/** An outcome out of the file as it is afterwards. */
export function outcome(file: ProfileFile, profile: string, action: string, dryRun: boolean): Outcome {
  const current = file.current?.name ?? null;
  return { profile, action, current, file: file.path, ...(dryRun ? { dry_run: true } : {}) };
}

/** One sentence for a person, for example `created and selected profile "prod"`. */
export function outcomeText({ profile, action, dry_run }: Outcome): string {
  return `${dry_run ? 'would have ' : ''}${action} profile "${printable(profile)}"\n`;
}
