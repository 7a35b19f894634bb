import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Outcome, run } from '../../world.ts';
import { createTally, type Tally } from './tally.ts';

/** A weir that runs while brokers come and go. */
export interface Running {
  readonly tally: Tally;
  readonly outcome: Promise<Outcome>;
  /** Sends Ctrl-C. */
  interrupt(): void;
}

/** Runs weir against a cluster. */
export type Weir = (words: readonly string[], world?: Parameters<typeof run>[1]) => Promise<Outcome>;

/** weir with these brokers. */
export function weirAt(brokers: string): Weir {
  return (words, world = {}) => run(words, { ...world, env: { WEIR_BROKERS: brokers } });
}

const layout = ['-f', '%p %o %k\\n'];

/** Reads a topic; with `-g`, as a member of a group that shares its tally. */
export function startReader(weir: Weir, tally: Tally, words: readonly string[]): Running {
  let interrupt = (): void => undefined;
  const outcome = weir(['topic', 'consume', ...words, ...layout, '--fetch-max-wait', '500ms'], {
    onStart(kill) {
      interrupt = () => kill('SIGINT');
    },
    onStdout: tally.reader(),
  });
  return { tally, outcome, interrupt: () => interrupt() };
}

/** A producer whose input is open until it is ended. */
export interface Producer extends Running {
  /** Number of records in the input so far; their keys count from 0. */
  readonly fed: number;
  /** Adds records at once to the continuous input. */
  feed(records: number): void;
  /** Ends the input. */
  end(): void;
}

const [everyMs, recordsEach] = [250, 100];

/** Starts a producer with 400 records a second; its tally counts the records that it reports. */
export function startProducer(weir: Weir, topic: string, partitions: number): Producer {
  const tally = createTally(partitions);
  const stdin = new PassThrough();
  const value = 'v'.repeat(40);
  let fed = 0;
  const feed = (records: number): void => {
    const lines = Array.from({ length: records }, (_, index) => `${fed + index} ${value}\n`);
    stdin.write(lines.join(''));
    fed += records;
  };
  const timer = setInterval(() => feed(recordsEach), everyMs);
  const words = ['topic', 'produce', topic, '-f', '%k %v\\n', '-o', '%p %o %k\\n'];
  const outcome = weir(words, { stdin, onStdout: tally.reader() }).finally(() => clearInterval(timer));
  return {
    ...{ tally, outcome, feed, interrupt: () => undefined },
    get fed() {
      return fed;
    },
    end() {
      clearInterval(timer);
      stdin.end();
    },
  };
}

/** The outcome of one command. */
export interface Attempt {
  readonly command: 'create' | 'describe';
  /** The topic that was created. */
  readonly topic: string;
  readonly outcome: Outcome;
  readonly tookMs: number;
}

/** Creates topics and describes a topic repeatedly. */
export interface Administrator {
  readonly attempts: readonly Attempt[];
  /** Resolves when both commands have succeeded again. */
  succeeds(): Promise<void>;
  /** Ends it after the command under way. */
  end(): Promise<void>;
}

const breathMs = 300;

/** Starts it. */
export function startAdministrator(weir: Weir, described: string): Administrator {
  const attempts: Attempt[] = [];
  let isOver = false;
  let next = Promise.withResolvers<void>();
  async function attempt(command: Attempt['command'], topic: string, words: readonly string[]): Promise<boolean> {
    const from = performance.now();
    const outcome = await weir(words);
    attempts.push({ command, topic, outcome, tookMs: performance.now() - from });
    return outcome.exitCode === 0;
  }
  async function work(): Promise<void> {
    for (let index = 0; !isOver; index += 1) {
      const name = `made-${index}`;
      const created = await attempt('create', name, ['topic', 'create', name, '-p', '2', '-r', '2']);
      const known = await attempt('describe', described, ['topic', 'describe', described, '-p', '--format', 'json']);
      if (created && known) {
        next.resolve();
        next = Promise.withResolvers();
      }
      await delay(breathMs);
    }
  }
  const working = work();
  return {
    attempts,
    succeeds: () => next.promise,
    end() {
      isOver = true;
      return working;
    },
  };
}
