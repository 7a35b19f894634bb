import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { atEndOfFile } from '../../at-end.ts';
import { runner, weir } from '../../built.ts';
import { clusterBody, type Json, readyCluster, readyNetwork } from '../../sandbox/cloud/plane.ts';
import { splitLine } from '../../world.ts';
import { type CloudPerson, newCloudPerson } from './byoc-world.ts';

/** A weir that runs as a separate process. */
export interface Process {
  readonly child: ChildProcess;
  /** Resolves with the exit code as a shell reports it; its children may still run. */
  readonly ended: Promise<number>;
  stdout(): string;
  stderr(): string;
}

/** A person who starts the built weir, with a simulator that runs 60 times as fast. */
export interface ProcessPerson extends CloudPerson {
  start(line: string, env?: Readonly<Record<string, string>>): Process;
  /** Starts it and waits for its end. */
  finish(line: string, env?: Readonly<Record<string, string>>): Promise<{ exitCode: number } & Outputs>;
  /** The line that creates a cluster in a network that is ready. */
  creation(): Promise<string>;
  /** The line that deletes a cluster that is ready, with all that belongs to it. */
  deletion(): Promise<string>;
  /** Waits until the simulator holds a request to this route; the faults on it are used up then. */
  untilHeld(): Promise<void>;
  /** Waits until the simulator has answered that many requests to a route. */
  untilAnswered(route: string, count: number): Promise<void>;
  /** Waits until the plugin hangs, and returns its process id. */
  untilPluginHangs(): Promise<number>;
  clusters(): Promise<readonly Json[]>;
}

interface Outputs {
  readonly stdout: string;
  readonly stderr: string;
}

const clockRate = 60;

/** Makes a person, whose control plane stops after the test file. */
export async function newPerson(): Promise<ProcessPerson> {
  const me = await newCloudPerson({ clockRate });
  const { plane } = me;
  atEndOfFile(() => plane.stop());
  let count = 0;
  const start = (line: string, env: Readonly<Record<string, string>> = {}): Process => {
    count += 1;
    const [out, err] = [join(me.home, `out-${count}`), join(me.home, `err-${count}`)];
    const child = spawn(runner, [weir, ...splitLine(line)], {
      env: { ...me.env, HOME: me.home, ...env },
      cwd: me.home,
      stdio: ['ignore', openSync(out, 'w'), openSync(err, 'w')],
    });
    const ended = once(child, 'exit').then(
      ([code, signal]) => code ?? 128 + constants.signals[signal as NodeJS.Signals],
    );
    return { child, ended, stdout: () => readFileSync(out, 'utf8'), stderr: () => readFileSync(err, 'utf8') };
  };
  return {
    ...me,
    start,
    async finish(line, env) {
      const process = start(line, env);
      const exitCode = await process.ended;
      return { exitCode, stdout: process.stdout(), stderr: process.stderr() };
    },
    async creation() {
      const { groupId, networkId } = await readyNetwork(plane);
      const { cluster } = clusterBody(groupId, networkId);
      const words = ['name', 'resource_group_id', 'network_id', 'region', 'throughput_tier'] as const;
      const flags = words.map((name) => `--${name.replaceAll('_', '-')} ${cluster[name]}`).join(' ');
      plane.clearJournal();
      return `cloud cluster create ${flags} --cloud-provider gcp --connection-type public --type byoc --zones ${cluster.zones.join(',')} --apply --project-id p1 --format json`;
    },
    async deletion() {
      const { clusterId } = await readyCluster(plane);
      plane.clearJournal();
      return `cloud cluster delete ${clusterId} --destroy --project-id p1 --with-network --with-resource-group --format json --yes`;
    },
    untilHeld: () => until(async () => plane.faults().length === 0),
    untilAnswered: (route, wanted) => until(async () => (await plane.journal(`?route=${route}`)).length >= wanted),
    async untilPluginHangs() {
      await until(async () => me.pluginStarts().some(({ message }) => message === 'hangs'));
      return me.pluginStarts().find(({ message }) => message === 'hangs')?.pid ?? 0;
    },
    clusters: async () => plane.state().clusters,
  };
}

/** Repeats a check until it succeeds; a test that times out names the check. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const giveUpAt = Date.now() + 200_000; !(await isSo()); ) {
    if (Date.now() > giveUpAt) throw new Error(`waited in vain: ${isSo}`);
    await delay(20);
  }
}
