import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProcessId } from '../../../src/files/process-id.ts';
import { stop } from '../../../src/sandbox/process.ts';
import { restart, startThree } from '../../services/brokers.ts';
import { type Cluster3, services } from '../../services/services.ts';
import { run } from '../../world.ts';

let cluster: Cluster3;
let directory: string;
const processes: ProcessId[] = [];

beforeAll(async () => {
  const { runtime, directory: root } = services();
  directory = join(root, 'produce-restart');
  cluster = await startThree(directory, runtime);
  processes.push(...cluster.nodes.map((node) => node.process));
});

afterAll(async () => {
  await Promise.all(processes.map((id) => stop(id, { graceMs: 0 })));
});

const records = 200_000;
const topic = 'restarted';

function weir(words: readonly string[], world: Parameters<typeof run>[1] = {}) {
  return run(words, { ...world, env: { WEIR_BROKERS: cluster.brokers } });
}

describe('a broker of three that is killed and comes back', () => {
  it('loses nothing, repeats nothing and keeps the order of each partition', { timeout: 170_000 }, async () => {
    const created = await weir(['topic', 'create', topic, '-p', '6', '-r', '3', '-c', 'min.insync.replicas=2']);
    expect(created.stderr).toBe('');
    const stdin = new PassThrough();
    const producing = weir(['topic', 'produce', topic, '-f', '%k %v\\n', '-o', ''], { stdin });
    const reading = weir([
      'topic',
      'consume',
      topic,
      '-n',
      String(records),
      '-f',
      '%p %k\\n',
      '--fetch-max-wait',
      '500ms',
    ]);
    const { runtime } = services();
    for (let index = 0; index < records; index += 1) {
      const line = `${index} ${'v'.repeat(100)}\n`;
      if (!stdin.write(line)) await new Promise((resolve) => stdin.once('drain', resolve));
      // In the middle of the stream, with requests in flight.
      if (index === records / 4) await stop(processes[1] as ProcessId, { graceMs: 0 });
      if (index === records / 2) processes[1] = await restart(directory, runtime, 2);
    }
    stdin.end();
    const produced = await producing;
    expect(produced.exitCode).toBe(0);
    // On a slow machine it takes long enough to say how far it is.
    expect(produced.stderr).toMatch(/^(produce +\d.*\n)*$/);
    const { stdout, exitCode } = await reading;
    expect(exitCode).toBe(0);
    const last = new Map<string, number>();
    const seen = new Set<number>();
    for (const line of stdout.trimEnd().split('\n')) {
      const [partition = '', key = ''] = line.split(' ');
      expect(Number(key)).toBeGreaterThan(last.get(partition) ?? -1);
      last.set(partition, Number(key));
      seen.add(Number(key));
    }
    expect(seen.size).toBe(records);
    const rest = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%k\\n']);
    expect(rest.stdout.trimEnd().split('\n')).toHaveLength(records);
  });

  it.each(['classic', 'consumer'])(
    'does not keep a %s group from reading everything, also when it was the coordinator',
    {
      timeout: 170_000,
    },
    async (protocol) => {
      const { runtime } = services();
      let started = false;
      let faults = Promise.resolve();
      const seen = new Set<string>();
      const member = ['-g', `survivor-${protocol}`, '--group-protocol', protocol];
      const words = ['topic', 'consume', topic, ...member, '-f', '%k\\n', '--fetch-max-wait', '500ms'];
      let stopMember = (): void => undefined;
      const reading = weir([...words, '--fetch-max-bytes', '200000', '--fetch-max-partition-bytes', '50000'], {
        onStart: (kill) => {
          stopMember = () => kill('SIGINT');
        },
        onStdout(text) {
          for (const key of text.split('\n')) if (key !== '') seen.add(key);
          // Every broker once, so that the coordinator and every leader are among them.
          if (!started && seen.size > 5_000) {
            started = true;
            faults = eachBrokerOnce(runtime);
          }
          if (seen.size === records) void faults.then(() => stopMember());
        },
      });
      const { stderr, exitCode } = await reading;
      await faults;
      expect({ stderr, exitCode }).toEqual({ stderr: 'stopping (Ctrl-C again ends at once)\n', exitCode: 130 });
      expect(seen.size).toBe(records);
      const again = await weir([...words, '-n', '1'], { onStart: (kill) => setTimeout(() => kill('SIGINT'), 8_000) });
      expect(again.stdout).toBe('');
    },
  );
});

/** Kills the brokers one after the other; each is back before the next goes. */
async function eachBrokerOnce(runtime: Parameters<typeof restart>[1]): Promise<void> {
  for (const [index, { id }] of cluster.nodes.entries()) {
    await stop(processes[index] as ProcessId, { graceMs: 0 });
    processes[index] = await restart(directory, runtime, id);
    await untilInSync();
  }
}

/** Waits until all three replicas of every partition are in sync. */
async function untilInSync(): Promise<void> {
  for (;;) {
    const { stdout, exitCode } = await weir(['topic', 'describe', topic, '-p', '--format', 'json']);
    const [row] = exitCode === 0 ? (JSON.parse(stdout) as { partitions: { isr?: number[] }[] }[]) : [];
    if (row?.partitions.every(({ isr }) => isr?.length === 3)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
