import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Soak } from '../run.ts';
import { converge, weir, whole } from './tools.ts';

const size = 10_000;
const patience = ['-X', 'globals.command_timeout=30m', '-X', 'globals.request_timeout_overhead=5m'];

/**
 * A cluster with 10,000 topics and 10,000 ACLs: diff stays within 10 s and 400 MB, and 1,000 changes of a kind are one request
 * to each broker that has to answer for them.
 */
export async function soak({ brokers, say }: Soak): Promise<void> {
  const before = fileOf(0);
  const flags = [...whole, ...patience];
  const made = await converge(brokers, before, flags);
  say(`apply made ${size} topics and ${size} ACLs in ${made.seconds.toFixed(1)} s, at most ${made.peakMb} MB`);
  const same = await weir(brokers, ['diff', '-', ...flags], before);
  say(`diff of ${size} topics and ${size} ACLs: ${same.seconds.toFixed(1)} s, at most ${same.peakMb} MB`);
  if (same.seconds > 10 || same.peakMb > 400) throw new Error('diff took more than 10 s or 400 MB');

  const directory = await mkdtemp(join(tmpdir(), 'weir-soak-trace-'));
  try {
    const trace = join(directory, 'trace.ndjson');
    const after = fileOf(1000);
    const { exitCode, stderr, seconds, peakMb } = await weir(
      brokers,
      ['apply', '-', '--yes', ...flags, '--trace', trace],
      after,
    );
    if (exitCode !== 0) throw new Error(`apply ended with ${exitCode}: ${stderr}`);
    const requests = (await readFile(trace, 'utf8')).matchAll(/"api":"((?:Create|Delete|Alter|Incremental)\w+)"/g);
    const counts = Map.groupBy(
      [...requests].map(([, api = '']) => api),
      (api) => api,
    );
    say(`1,000 changed configs and 1,000 new ACLs: ${seconds.toFixed(1)} s, at most ${peakMb} MB`);
    say([...counts].map(([api, of]) => `${of.length} ${api}`).join(', '));
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** The file in which the first topics have another config, and an ACL more. */
function fileOf(changed: number): string {
  const names = Array.from({ length: size }, (_, index) => `soak-large-${index}`);
  return stringify({
    weir: 1,
    owns: { topics: ['soak-large-*'] },
    defaults: { topic: { partitions: 1, replicas: 1 } },
    topics: Object.fromEntries(
      names.map((name, index) => [name, { configs: { 'retention.ms': index < changed ? 2000 : 1000 } }]),
    ),
    acls: names.map((topic, index) => ({
      principal: 'soak-large',
      allow: index < changed ? ['read', 'write'] : ['read'],
      topic,
    })),
  });
}
