import { booleanSchema, nullable, object, type Schema, string } from '../../cli/output/schema.ts';
import type { ProfileFile } from '../../config/profile/file.ts';
import { printable } from '../../format/printable.ts';

/** The change that a command made to a profile. */
export interface Outcome {
  readonly profile: string;
  readonly action: string;
  /** The selected profile afterward. */
  readonly current: string | null;
  readonly file: string;
  readonly dry_run?: true;
}

/** The properties of an outcome in JSON; `dry_run` is optional. */
export const outcomeProperties = {
  profile: string,
  action: string,
  current: nullable(string),
  file: string,
  dry_run: booleanSchema,
} as const;

/** JSON Schema of an outcome. */
export const outcomeSchema: Schema = object(outcomeProperties, ['dry_run']);

/** The outcome for a profile, from the file after the change. */
export function outcome(file: ProfileFile, profile: string, action: string, dryRun: boolean): Outcome {
  const current = file.current?.name ?? null;
  return { profile, action, current, file: file.path, ...(dryRun ? { dry_run: true } : {}) };
}

/** One line of text, for example `created and selected profile "prod"`. */
export function outcomeText({ profile, action, dry_run }: Outcome): string {
  return `${dry_run ? 'would have ' : ''}${action} profile "${printable(profile)}"\n`;
}
