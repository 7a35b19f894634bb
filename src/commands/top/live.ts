import type { ByteSink, RawOutput } from '../../cli/command.ts';
import { clusterName } from '../../cli/safety.ts';
import { drawsUnicode, openScreen, type Screen } from '../../cli/screen.ts';
import type { Context } from '../../context.ts';
import { CliError, type ExitCode, exitCodes } from '../../errors.ts';
import type { Overview } from '../../kafka/cluster/overview/overview-rows.ts';
import { frame, pageRows, type Scene } from './frame.ts';
import { noHistory, withReading } from './history.ts';
import { afterKey, type TopState } from './state.ts';

/** What a live view needs. */
export interface LiveParts {
  readonly context: Context;
  /** Reads the cluster. */
  next(): Promise<Overview>;
  readonly intervalMs: number;
  readonly state: TopState;
  readonly color: boolean;
}

/** The live view, as the output of the command. The first reading is made before it takes the screen, so that an error is shown as those of other commands. */
export async function liveView(parts: LiveParts): Promise<RawOutput> {
  const { context } = parts;
  const title = await clusterName(context, ['kafka']);
  const progress = context.progress(`reading ${title}`);
  const first = await parts.next().finally(progress.end);
  return { type: 'raw', pump: async (sink) => await context.openEnded(() => show(parts, { title, first }, sink)) };
}

interface Start {
  readonly title: string;
  readonly first: Overview;
}

async function show(parts: LiveParts, start: Start, sink: ByteSink): Promise<ExitCode> {
  const { context } = parts;
  const end = Promise.withResolvers<ExitCode>();
  const view = createView(parts, start, end);
  // What the clients report is on the screen already, or is printed after it.
  const release = context.hold();
  const releaseStop = context.onStop(() => void end.resolve(exitCodes.ok));
  const aborted = (): void => end.reject(context.signal.reason);
  context.signal.addEventListener('abort', aborted);
  let screen: Screen | undefined;
  try {
    screen = openScreen(context, sink, { key: view.key, redraw: view.redraw, failed: end.reject });
    view.start(screen);
    return await end.promise;
  } finally {
    view.stop();
    screen?.close();
    context.signal.removeEventListener('abort', aborted);
    releaseStop();
    release();
  }
}

/** How often the age of a reading is looked at, in milliseconds. */
const tickMs = 1000;

function createView(
  { context, next, intervalMs, color, ...parts }: LiveParts,
  { title, first }: Start,
  end: PromiseWithResolvers<ExitCode>,
) {
  const { clock, host } = context;
  const unicode = drawsUnicode(host);
  let { state } = parts;
  let overview = first;
  let history = withReading(noHistory, first);
  let failure: string | undefined;
  let readAtMs = clock.now();
  let screen: Screen | undefined;
  let hasEnded = false;
  let cancelRound = (): void => undefined;
  let cancelTick = (): void => undefined;
  let isReading = false;

  function scene(size: Scene['size']): Scene {
    const live = { title, overview, history, intervalMs, failure, ageMs: clock.now() - readAtMs };
    return { live, state, size, color, unicode };
  }
  function redraw(): void {
    if (screen === undefined || hasEnded) return;
    try {
      screen.draw(frame(scene(screen.size())));
    } catch (error) {
      // Thrown from a timer, it would end the process before the terminal is given back.
      end.reject(error);
    }
  }
  function key(name: string): void {
    if (screen === undefined || hasEnded) return;
    if (name === 'ctrl-l') screen.forget();
    const before = state;
    const after = afterKey(state, name, { overview, page: pageRows(scene(screen.size())) });
    if (after === 'quit') {
      end.resolve(exitCodes.ok);
      return;
    }
    state = after;
    redraw();
    if (before.isPaused && !state.isPaused) schedule(0);
  }
  async function round(): Promise<void> {
    if (isReading || hasEnded || state.isPaused) return;
    isReading = true;
    const startedAtMs = clock.now();
    try {
      overview = await next();
      history = withReading(history, overview);
      failure = undefined;
      readAtMs = clock.now();
    } catch (error) {
      if (hasEnded) return;
      // A cluster that is away may come back; anything else is a defect.
      if (!(error instanceof CliError)) return end.reject(error);
      failure = error.message;
    } finally {
      isReading = false;
    }
    redraw();
    schedule(Math.max(0, intervalMs - (clock.now() - startedAtMs)));
  }
  function schedule(afterMs: number): void {
    cancelRound();
    if (!hasEnded) cancelRound = clock.after(afterMs, () => void round());
  }
  function tick(): void {
    redraw();
    cancelTick = clock.after(tickMs, tick);
  }
  return {
    key,
    redraw,
    start(opened: Screen): void {
      screen = opened;
      tick();
      schedule(intervalMs);
    },
    stop(): void {
      hasEnded = true;
      cancelRound();
      cancelTick();
    },
  };
}
