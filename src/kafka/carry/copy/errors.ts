import { CliError, exitCodes, rephrased } from '../../../errors.ts';
import { commandText } from '../../../format/shell-word.ts';
import { interrupted, type RunProgress } from '../failures.ts';
import type { CopyRequest } from './request.ts';

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

/** Says what was copied before the failure, and how to go on. */
export function copyFailure(
  error: unknown,
  { target, request }: { readonly target: { readonly name: string }; readonly request: CopyRequest },
  done: RunProgress,
): unknown {
  if (!(error instanceof CliError)) return error;
  const { profile } = request.target;
  const hints = error.code === 'MESSAGE_TOO_LARGE' ? [hintAt(profile, raiseHint(target.name))] : undefined;
  const failure = interrupted(error, done, { ...copyWording(request), countedAs: 'copied', hints });
  const [gone] = done.missing ?? [];
  if (gone === undefined) return failure;
  const all = `topic "${placeName(gone, profile)}" was deleted, and the progress with it: copy everything again with --create`;
  return rephrased(failure, failure.message, { hints: [all] });
}

/** How to speak of a copy that ended early: what has begun is not begun at a place of the line. */
export function copyWording({ hasStart, range }: Pick<CopyRequest, 'hasStart' | 'range'>) {
  const how = hasStart && range.end !== undefined ? ' with the end of -o alone' : '';
  return { did: 'copied', again: `repeat the command${how}: it continues where this copy stopped` };
}

function raiseHint(topic: string): string {
  return commandText`raise the limit: weir topic alter-config ${topic} --set max.message.bytes=BYTES`;
}

/** The error for a source that was deleted and created again. */
export function recreatedSource(source: string, target: string): CliError {
  const message = `unable to continue the copy of topic "${source}" to "${target}": "${source}" was deleted and created again`;
  return new CliError(exitCodes.conflict, message, {
    code: 'TOPIC_RECREATED',
    target: source,
    hints: ['copy the new topic from its beginning, after what was copied of the old one: --restart'],
  });
}

/** The error for a destination that was deleted and created again during the copy. */
export function recreatedTarget(source: string, target: string): CliError {
  const message = `unable to copy topic "${source}" to "${target}": "${target}" was deleted and created again, and what was copied before is gone`;
  return new CliError(exitCodes.conflict, message, {
    code: 'TOPIC_RECREATED',
    target,
    hints: [
      'repeat the command to copy everything to the new topic, with --append if it says that the topic is not empty',
    ],
  });
}
