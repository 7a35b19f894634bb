import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessId } from '../../src/files/process-id.ts';
import { findJava, findProgram } from '../../src/sandbox/java.ts';
import { defaultKafkaVersion, resolveLibraries } from '../../src/sandbox/kafka/libraries.ts';
import type { Property } from '../../src/sandbox/kafka/properties.ts';
import { stop } from '../../src/sandbox/process.ts';
import { restart, startThree, testMachine } from '../services/brokers.ts';

/** WEIR_TEST_KAFKA=4.4.0 tries another version. */
const kafkaVersion = process.env.WEIR_TEST_KAFKA ?? defaultKafkaVersion;

/** The resources of a soak. */
export interface Soak {
  /** Three brokers, as `brokers` takes them. */
  readonly brokers: string;
  readonly records: number;
  say(line: string): void;
  /** Kills a broker (1 to 3) at once, like a power failure. */
  kill(id: number): Promise<void>;
  /** Restarts a killed broker with its data. */
  restart(id: number): Promise<void>;
}

/** These start what they need themselves. */
const withoutBrokers = ['simulation', 'mutations', 'avro', 'protos', 'tokens', 'rpk-lines', 'registry-copy'];
/** Kafka's own: a broker that is killed loses its leaderships, and is let in again, soon enough for many kills. */
const sessions: readonly Property[] = [
  ['broker.session.timeout.ms', 9_000],
  ['broker.heartbeat.interval.ms', 2_000],
];
/** The shortest that brokers allow: what does not renew its progress loses it during a run. */
const retention: readonly Property[] = [
  ['offsets.retention.minutes', 1],
  ['offsets.retention.check.interval.ms', 5_000],
];
const names = ['round-trip', 'restart', 'truncation', 'memory', 'copy', 'redrive'];
/** The proofs of `cluster-files`, which also have names of their own: `cluster-files/drift`. */
const clusterFiles = ['kills', 'appliers', 'broker', 'drift', 'export', 'large'].map((name) => `cluster-files/${name}`);

/**
 * `npm run soak -- [NAME…] [--records N]`: long runs that `npm test` has no time for;
 * `npm run soak -- simulation …`, `mutations …`, `avro …`, `protos …` and `tokens …` have flags of their own.
 */
async function main([first = '', ...rest]: readonly string[]): Promise<void> {
  if (!withoutBrokers.includes(first)) return soakBrokers(first === '' ? [] : [first, ...rest]);
  const { main: run }: { main(words: readonly string[]): Promise<number> } = await import(`./${first}.ts`);
  process.exitCode = await run(rest);
}

async function soakBrokers(words: readonly string[]): Promise<void> {
  const at = words.indexOf('--records');
  const records = at < 0 ? 1_000_000 : Number(words[at + 1]);
  const given = words.filter((_, index) => at < 0 || (index !== at && index !== at + 1));
  const asked = given.length === 0 ? [...names, 'cluster-files'] : given;
  const due = asked.flatMap((name) => (name === 'cluster-files' ? clusterFiles : [name]));
  const unknown = due.filter((name) => ![...names, ...clusterFiles].includes(name));
  if (unknown.length > 0 || !(records > 0)) {
    throw new Error(
      `usage: npm run soak -- [${names.join('] [')}] [cluster-files] [--records N] | ${withoutBrokers.join(' … | ')} …`,
    );
  }
  const directory = await mkdtemp(join(tmpdir(), 'weir-soak-'));
  const processes: ProcessId[] = [];
  const end = async (): Promise<void> => {
    await Promise.all(processes.map((id) => stop(id, { graceMs: 0 })));
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('SIGINT', () => void end().then(() => process.exit(130)));
  process.once('SIGTERM', () => void end().then(() => process.exit(143)));
  try {
    const machine = testMachine(new AbortController().signal);
    const java = await findJava(machine);
    if (java === undefined) throw new Error('the soak needs Java');
    const libraries = await resolveLibraries(machine, kafkaVersion, await findProgram(machine, 'mvn'));
    const runtime = { java: java.file, libraries };
    const { brokers, nodes } = await startThree(directory, runtime, () => [...sessions, ...retention]);
    processes.push(...nodes.map((node) => node.process));
    const say = (line: string): void => void process.stdout.write(`${line}\n`);
    for (const name of due) {
      say(clusterFiles.includes(name) ? name : `${name}, ${records} records`);
      const { soak }: { soak(soak: Soak): Promise<void> } = await import(`./${name}.ts`);
      await soak({
        ...{ brokers, records, say: (line) => say(`  ${line}`) },
        kill: (id) => stop(processes[id - 1] as ProcessId, { graceMs: 0 }).then(() => undefined),
        restart: async (id) => {
          processes[id - 1] = await restart(directory, runtime, id);
        },
      });
    }
  } finally {
    await end();
  }
}

await main(process.argv.slice(2));
