import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { TestSequencer, TestSpecification, Vitest } from 'vitest/node';

/** The files that take longest, mostly waiting for processes: one that begins last leaves the other workers idle. */
export const longest: readonly string[] = [
  'kafka/failover/three-brokers.test.ts',
  'guides.test.ts',
  'commands/examples.test.ts',
  'commands/topic/reassign.test.ts',
  'kafka/interop/java-members.test.ts',
  'commands/sandbox/security.test.ts',
  'kafka/carry/copy/real-kafka.test.ts',
  'sign-in/cluster/brokers.test.ts',
  'smoke/complete.test.ts',
  'transcripts/cloud.test.ts',
  'commands/security/user/users.test.ts',
  'commands/security/permissions.test.ts',
  'commands/admin/matrix.test.ts',
  'commands/cloud/resume.test.ts',
  'simulation/transactions-against-kafka.test.ts',
  'first-session.test.ts',
  'commands/sandbox/registry.test.ts',
  'commands/topic/consume-ends.test.ts',
  'commands/sandbox/sandbox.test.ts',
  'smoke/process.test.ts',
  'kafka/interop/another-kafka.test.ts',
  'transcripts/topic.test.ts',
  'kafka/interop/random-transactions.test.ts',
  'completions.test.ts',
  'kafka/streams/groups/consumer-membership.test.ts',
  'kafka/streams/produce/recovery.test.ts',
  'sandbox/broker/clients/confluent.test.ts',
  'sandbox/broker/clients/kcat.test.ts',
  'kafka/interop/python.test.ts',
  'kafka/carry/redrive/real-kafka.test.ts',
  'sign-in/cluster/issuer.test.ts',
  'sign-in/cluster/ways.test.ts',
  'commands/topic/records/mapped-schemas.test.ts',
  'interactive-completion.test.ts',
  'smoke/large-topic.test.ts',
  'commands/sandbox/simulated.test.ts',
  'recipes.test.ts',
  'sign-in/secrets/keychain.test.ts',
  'commands/topic/consume-growing.test.ts',
  'kafka/streams/groups/group-topics.test.ts',
  // These start no programs: `npm run test:fast` would take twice as long with them.
  'kafka/hostile-records.test.ts',
  'commands/cloud/documented.test.ts',
  'commands/cloud/at-once.test.ts',
  'simulation/simulation.test.ts',
  'commands/cloud/byoc-terminal.test.ts',
  'kafka/streams/consume/sift.test.ts',
  'commands/cloud/endpoints.test.ts',
  'commands/cluster/storage/storage-waits.test.ts',
  'commands/cloud/choosing.test.ts',
  'commands/cloud/byoc.test.ts',
  'kafka/carry/copy/failures.test.ts',
  'kafka/carry/redrive/failures.test.ts',
  'kafka/streams/produce/endless.test.ts',
  'sandbox/cloud/part.test.ts',
  'commands/cloud/every-command.test.ts',
  'simulation/copying.test.ts',
  'commands/security/role/roles.test.ts',
  'serde/protobuf/hostile.test.ts',
  'kafka/records/batches/batch.test.ts',
  'compile-assembly.test.ts',
  'commands/registry/odd-names.test.ts',
  'kafka/records/batches/compression/codec.test.ts',
  'simulation/recreation.test.ts',
  'kafka/records/batches/compression/zstd.test.ts',
  'commands/registry/subjects.test.ts',
  'simulation/redriving.test.ts',
].map((path) => `${import.meta.dirname.replace(/services$/, '')}${path}`);

for (const file of longest) if (!existsSync(file)) throw new Error(`${file} is gone: remove it from the longest files`);

/** The part of a run after which all of the longest files have begun. */
const longestBegin = 0.8;

/**
 * Begins with the longest files, from the longest to the shortest, and has others between them, in an order that the seed of
 * the run decides: the longest mostly wait, and the processors are idle while every worker has one of them.
 */
export default class LongestFirst implements TestSequencer {
  private readonly seed: number;

  constructor({ config }: Vitest) {
    this.seed = config.sequence.seed;
  }

  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }

  sort(files: TestSpecification[]): TestSpecification[] {
    const rank = ({ moduleId }: TestSpecification): number => longest.indexOf(moduleId);
    const draw = ({ moduleId }: TestSpecification): string =>
      createHash('sha256').update(`${this.seed} ${moduleId}`).digest('hex');
    const long = files.filter((file) => rank(file) >= 0).sort((a, b) => rank(a) - rank(b));
    const others = files
      .filter((file) => rank(file) < 0)
      .map((file) => ({ file, drawn: draw(file) }))
      .sort((a, b) => (a.drawn < b.drawn ? -1 : 1));
    const between = (longestBegin * others.length) / long.length;
    const sorted = [
      ...long.map((file, at) => ({ file, at: at * between })),
      ...others.map(({ file }, at) => ({ file, at })),
    ];
    return sorted.sort((a, b) => a.at - b.at).map(({ file }) => file);
  }
}
