import type { GlobalFlags, Messages, Progress } from '../../context.ts';
import type { FailureListener } from '../../deadline.ts';
import { CliError } from '../../errors.ts';
import { printableMessage } from '../../format/printable.ts';
import { paint } from '../../format/style.ts';
import type { Host } from '../../host/host.ts';
import { wantsColor } from './color.ts';
import { openProgress } from './progress.ts';
import { fitted, labeled, writeError } from './report.ts';

/** Creates what writes notices, warnings and progress to stderr, within the limits of the flags. */
export function createMessages(host: Host, flags: GlobalFlags): Messages {
  const warned = new Set<string>();
  const colored = wantsColor(flags.color, host.env, host.stderr);
  const { columns } = host.stderr;
  let progress: Progress | undefined;
  let held: string[] | undefined;

  function say(text: string): void {
    if (held !== undefined) return;
    progress?.clear();
    writeError(host, `${text}\n`);
  }
  function dim(text: string): string {
    const shown = fitted(printableMessage(text), columns);
    return colored ? paint('dim', shown) : shown;
  }

  function warn(line: string): void {
    if (flags.quiet) return;
    if (held !== undefined) held.push(line);
    else say(labeled('warning:', line, host, flags.color));
  }

  return {
    warn,
    notice(line) {
      if (!flags.quiet) say(fitted(printableMessage(line), columns));
    },
    step(line) {
      if (flags.verbosity >= 1 && !flags.quiet) say(dim(line));
    },
    detail(line) {
      if (flags.verbosity >= 2 && !flags.quiet) say(dim(line));
    },
    warnOnce(line) {
      if (!warned.has(line)) warn(line);
      warned.add(line);
    },
    hold() {
      held ??= [];
      return () => {
        const lines = held ?? [];
        held = undefined;
        for (const line of lines) warn(line);
      };
    },
    progress(title) {
      progress?.end();
      progress = openProgress(title, host, flags.quiet);
      return progress;
    },
  };
}

/**
 * Reports failures that are retried: all of them with `-v`, otherwise only one. On a terminal it is reported at once, so that
 * nobody waits in front of an empty screen; its hints come with the error if that is soon. Elsewhere, and if a healthy
 * service fails like this, it is reported after two seconds, with its hints.
 */
export function retryTeller(host: Host, { verbosity }: GlobalFlags, messages: Messages): FailureListener {
  let isReported = verbosity > 0;
  return (error, next) => {
    if (next === undefined) return;
    if (!next.isLong) messages.step(`${error.message}; ${next.what} in ${Math.round(next.afterMs)} ms`);
    const { passing = false, hints = [] } = error instanceof CliError ? error : {};
    if (isReported || !(next.isLong || (host.stderr.isTerminal && !passing))) return;
    isReported = true;
    const [state, advice] = next.isLong ? ['still retrying', hints] : ['retrying (press Ctrl-C to stop)', []];
    messages.notice(`${error.message}; ${state}`);
    for (const hint of advice) messages.notice(`hint: ${hint}`);
  };
}
