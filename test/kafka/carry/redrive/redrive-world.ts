import { redrive } from '../../../../src/kafka/carry/redrive/redrive.ts';
import type { RedrivenTopic } from '../../../../src/kafka/carry/redrive/redrive-rows.ts';
import type { RedriveRequest, Redriving } from '../../../../src/kafka/carry/redrive/request.ts';
import type { TestLimits } from '../../../services/scripted-client.ts';
import { type CopyWorld, openCopyWorld } from '../copy/copy-world.ts';

/** A simulated cluster of three brokers, where the dead letters of `from` go to `to`, in virtual time. */
export interface RedriveWorld extends Pick<CopyWorld, 'world' | 'control' | 'warnings' | 'write' | 'values'> {
  /** Starts a run; `ended` settles with its rows or its error. */
  start(more?: Partial<RedriveRequest>, limits?: TestLimits): RunningRedrive;
  /** Runs to the end, and returns what became of the dead letters, such as `to 3` or `to 1 INVALID_RECORD`. */
  redrive(more?: Partial<RedriveRequest>, limits?: TestLimits): Promise<readonly string[]>;
  /** Finds out what a run would do. */
  dryRun(more?: Partial<RedriveRequest>): Promise<readonly string[]>;
}

/** A run that is under way. */
export interface RunningRedrive {
  readonly ended: Promise<readonly string[]>;
  /** The number of offsets that it has to read, once it has begun. */
  readonly offsets: number | undefined;
  stop(): void;
  /** Ends it like `kill -9`. */
  kill(): void;
}

const limitMs = 600_000;

/** Opens a world; both topics have so many partitions. */
export function openRedriveWorld(partitions = 1): RedriveWorld {
  const { world, control, write, values } = openCopyWorld(partitions);
  const warnings: string[] = [];
  let started = 0;
  const begin = (
    isDry: boolean,
    more?: Partial<RedriveRequest>,
    limits: TestLimits = { retry: 20_000 },
  ): RunningRedrive => {
    started += 1;
    const simulated = world.openClient(`redrive-${started}`, limits);
    let redriving: Redriving | undefined;
    const work = async (): Promise<readonly string[]> => {
      try {
        redriving = await redrive(simulated.client, {
          topic: 'from',
          to: { topic: 'to' },
          only: [],
          partitions: [],
          range: { start: { at: 'start' }, end: { at: 'end' } },
          partitionsBy: 'same',
          filter: undefined,
          most: undefined,
          perSecond: undefined,
          maxAttempts: 3,
          keepsHeaders: false,
          group: undefined,
          restarts: false,
          isExactlyOnce: false,
          fetchMaxWaitMs: 500,
          warn: (line) => void warnings.push(line),
          ...more,
        });
        const rows = await (isDry ? redriving.dryRun() : redriving.run(() => undefined));
        if (redriving.pending !== 0) throw new Error(`${redriving.pending} records are pending after the end`);
        return rows.map(rowText);
      } finally {
        simulated.close();
      }
    };
    const ended = work();
    ended.catch(() => undefined);
    return {
      ended,
      get offsets() {
        return redriving?.offsets;
      },
      stop: () => redriving?.stop(),
      kill: () => simulated.close(),
    };
  };
  return {
    world,
    control,
    warnings,
    write,
    values,
    start: (more, limits) => begin(false, more, limits),
    redrive: (more, limits) => world.clock.runUntil(begin(false, more, limits).ended, limitMs),
    dryRun: (more) => world.clock.runUntil(begin(true, more).ended, limitMs),
  };
}

function rowText({ destination, records, error }: RedrivenTopic): string {
  return [destination, records, ...(error === null ? [] : [error.code])].join(' ');
}
