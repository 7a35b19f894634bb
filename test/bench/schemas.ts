import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Case, compare, layOut } from './compare.ts';
import { verdicts } from './goals.ts';
import type { BenchOptions } from './options.ts';
import { orderOf } from './order-schema.ts';
import { program } from './programs.ts';
import { inWorld, node, type Place, produceFile, requireWeir, weir, withBroker } from './world.ts';

/** Measures printing Avro records as JSON, compared with printing the same bytes undecoded. */
export function run(options: BenchOptions): Promise<string> {
  return inWorld((env) =>
    withRegistry((registry) =>
      withBroker(env, async (brokers) => {
        const place = { env: { ...env, WEIR_REGISTRY_HOSTS: registry }, brokers };
        const topic = `bench-schemas-${process.pid}`;
        const records = Math.ceil(500_000 * options.scale);
        requireWeir(place, 'topic', 'create', topic);
        try {
          fill(place, topic, records);
          const results = await compare(casesOf(place, { topic, records, registry }), options);
          return layOut(results) + verdicts(results);
        } finally {
          requireWeir(place, 'topic', 'delete', topic, '--yes');
        }
      }),
    ),
  );
}

interface Filled {
  readonly topic: string;
  readonly records: number;
  readonly registry: string;
}

function casesOf({ env, brokers }: Place, { topic, records, registry }: Filled): readonly Case[] {
  const reads = (name: string, ...flags: string[]) => ({
    ...{ name, file: node, env },
    args: [weir, 'topic', 'consume', topic, '-o', ':end', '-X', `brokers=${brokers}`, ...flags],
  });
  const decode = '--use-schema-registry=value';
  return [
    {
      name: `${records} Avro records, as JSON`,
      contenders: [reads('weir', decode, '-f', 'json'), reads('weir, undecoded', '-f', 'json')],
      goals: [{ peer: 'weir, undecoded', kind: 'wall', limit: 2 }],
    },
    {
      name: `${records} Avro values, as lines`,
      contenders: [
        reads('weir', decode, '-f', '%v\\n'),
        reads('weir, undecoded', '-f', '%v\\n'),
        {
          name: 'kafkajs with avsc',
          file: node,
          args: [program('kafkajs-avro'), brokers, topic, String(records), registry],
        },
      ],
    },
  ];
}

/** Runs a registry in its own process, because this one only waits for programs. */
export async function withRegistry<T>(work: (url: string) => Promise<T>): Promise<T> {
  const registry = spawn(node, [program('order-registry')], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(registry.stdout, 'data');
    return await work(String(line).trim());
  } finally {
    registry.kill();
  }
}

function fill(place: Place, topic: string, records: number): void {
  const directory = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const path = join(directory, 'records.json');
  const file = openSync(path, 'w');
  for (let at = 0; at < records; at++) writeSync(file, `${JSON.stringify(orderOf(at))}\n`);
  closeSync(file);
  try {
    produceFile(place, openSync(path, 'r'), topic, '--schema-id', '1', '-z', 'none');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
