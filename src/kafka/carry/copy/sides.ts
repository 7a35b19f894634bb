import { CliError, rephrased } from '../../../errors.ts';
import { commandText } from '../../../format/shell-word.ts';

/** The name of a topic as `topic copy` takes it: after the profile of its cluster, if that is not the command's. */
export function placeName(topic: string, profile: string | undefined): string {
  return profile === undefined ? topic : `${profile}:${topic}`;
}

/** A hint whose command line is about the cluster of a profile. */
export function hintAt(profile: string | undefined, hint: string): string {
  if (profile === undefined) return hint;
  return hint.replace(/\bweir [^"]+/, (line) => `${line} ${commandText`--profile ${profile}`}`);
}

/** An error about a topic in the cluster of a profile: others may have one of the same name. */
export function errorAt(profile: string | undefined, error: unknown): unknown {
  if (profile === undefined || !(error instanceof CliError)) return error;
  const { target } = error;
  const message =
    target === undefined ? error.message : error.message.replace(`"${target}"`, `"${placeName(target, profile)}"`);
  return rephrased(error, message, { hints: error.hints.map((hint) => hintAt(profile, hint)) });
}
