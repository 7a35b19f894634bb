import type { Progress, ProgressState } from '../../context.ts';
import { grouped } from '../../format/count.ts';
import { printable } from '../../format/printable.ts';
import { showSize } from '../../format/size.ts';
import { showElapsed } from '../../format/time.ts';
import type { Host } from '../../host/host.ts';
import { mayAnimate } from './color.ts';
import { writeError } from './report.ts';

const firstAfterMs = 1000;
const redrawMs = 100;
const linesEveryMs = 10_000;
const eraseLine = '\r\u001b[2K';

/**
 * Starts progress: on a terminal a line that appears after one second, is redrawn, and is erased at the end;
 * elsewhere a new line every ten seconds; with `quiet` nothing.
 */
export function openProgress(title: string, host: Host, quiet: boolean): Progress {
  const animated = mayAnimate(host.env, host.stderr);
  const startedAt = host.now();
  let state: ProgressState = {};
  let drawn = false;

  function text(): string {
    return progressText(title, state, host.now() - startedAt);
  }
  function clear(): void {
    if (drawn) writeError(host, eraseLine);
    drawn = false;
  }
  function draw(): void {
    if (!animated) {
      writeError(host, `${text()}\n`);
    } else if (host.now() - startedAt >= firstAfterMs) {
      writeError(host, `${eraseLine}${text().slice(0, (host.stderr.columns ?? 80) - 1)}`);
      drawn = true;
    }
  }
  const timer = quiet ? undefined : setInterval(draw, animated ? redrawMs : linesEveryMs);
  timer?.unref();

  return {
    report(next) {
      state = { ...state, ...next };
    },
    clear,
    end() {
      clearInterval(timer);
      clear();
    },
  };
}

/** One line of progress: amount, percentage, rate, time left, detail and elapsed time. */
export function progressText(title: string, state: ProgressState, elapsedMs: number): string {
  const { done, detail } = state;
  return [
    printable(title),
    ...(done === undefined ? [] : amounts(done, state, elapsedMs)),
    ...(detail === undefined ? [] : [printable(detail)]),
    showElapsed(elapsedMs),
  ].join('  ');
}

function amounts(done: number, { total, unit }: ProgressState, elapsedMs: number): readonly string[] {
  const show = (amount: number) => showAmount(amount, unit);
  const rate = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0;
  const rates = rate > 0 ? [`${show(rate)}/s`] : [];
  if (total === undefined) return [show(done), ...rates];
  const before = unit === 'bytes' ? show(done) : grouped(Math.round(done));
  return [
    `${before} of ${show(total)}`,
    ...(total > 0 ? [`${Math.floor((100 * done) / total)}%`] : []),
    ...rates,
    ...(rate > 0 ? [`${showElapsed(((total - done) * 1000) / rate)} left`] : []),
  ];
}

function showAmount(amount: number, unit: ProgressState['unit']): string {
  if (unit === 'bytes') return showSize(amount);
  const rounded = Math.round(amount);
  return grouped(rounded, unit?.replace(/s$/, ''));
}
