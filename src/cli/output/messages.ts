import type { GlobalFlags, Messages } from '../../context.ts';
import type { FailureListener } from '../../deadline.ts';
import { paint } from '../../format/style.ts';
import type { Host } from '../../host.ts';
import { wantsColor } from './color.ts';
import { openProgress, type ProgressLine } from './progress.ts';
import { writeError } from './report.ts';

/** Opens the way to the person: lines, warnings and progress on stderr, as the flags allow. */
export function openMessages(host: Host, flags: GlobalFlags): Messages {
  const warned = new Set<string>();
  const coloured = wantsColor(flags.color, host.env, host.stderr);
  let progress: ProgressLine | undefined;

  function say(text: string): void {
    progress?.clear();
    writeError(host, `${text}\n`);
  }
  function label(style: 'yellow' | 'dim', text: string): string {
    return coloured ? paint(style, text) : text;
  }

  return {
    notice(line) {
      if (!flags.quiet) say(line);
    },
    step(line) {
      if (flags.verbosity >= 1 && !flags.quiet) say(label('dim', line));
    },
    detail(line) {
      if (flags.verbosity >= 2 && !flags.quiet) say(label('dim', line));
    },
    warn(line) {
      if (flags.quiet || warned.has(line)) return;
      warned.add(line);
      say(`${label('yellow', 'warning:')} ${line}`);
    },
    progress(title) {
      progress?.end();
      progress = openProgress(title, host, flags.quiet);
      return progress;
    },
  };
}

/** Tells of failures that are retried: each with `-v`; on a terminal once, so that nobody waits before an empty screen. */
export function retryTeller(host: Host, { verbosity }: GlobalFlags, messages: Messages): FailureListener {
  let told = verbosity > 0 || !host.stderr.isTerminal;
  return ({ message }, next) => {
    if (next === undefined) return;
    messages.step(`${message}; ${next.what} in ${Math.round(next.afterMs)} ms`);
    if (told) return;
    told = true;
    messages.notice(`${message}; trying again (Ctrl-C stops)`);
  };
}
