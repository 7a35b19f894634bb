import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Outcome, temporaryDirectory, type World } from '../../world.ts';
import { type AdminWorld, adminWorld } from '../cluster/admin-world.ts';

/** A module that does nothing. */
export const wasm = Buffer.from('\0asm\x01\0\0\0rest of the module', 'latin1');

/** A project as `transform deploy` finds it in the working directory. */
export const project = `name: redact
description: hides names
language: rust
input-topic: orders
output-topics: [payments]
env:
  REGION: eu
  LEVEL: 3
`;

/** A simulator with topics for transforms, and a directory with a project and its module. */
export interface TransformWorld extends AdminWorld {
  readonly cwd: string;
  /** `weir transform LINE` in that directory. */
  transform(line: string | readonly string[], world?: World): Promise<Outcome>;
}

const topic = (name: string, leaders: readonly number[]) => ({
  ...{ ns: 'kafka', name },
  partitions: leaders.map((leader, id) => ({ id, leader, replicas: [leader], sizeBytes: 0 })),
});

/** Starts one, until the test ends. */
export async function transformWorld(parts: Parameters<typeof adminWorld>[0] = {}): Promise<TransformWorld> {
  const world = await adminWorld({
    ...{ settings: {}, seeds: { config: { data_transforms_enabled: true } } },
    cluster: {
      brokers: [0, 1, 2].map((id) => ({ id, rack: null, alive: true })),
      topics: [topic('orders', [0, 1, 2]), topic('payments', [0]), topic('audit', [1])],
    },
    ...parts,
  });
  const cwd = join(temporaryDirectory(), 'project');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'transform.yaml'), project);
  writeFileSync(join(cwd, 'redact.wasm'), wasm);
  const transform: TransformWorld['transform'] = (line, more) =>
    world.weir(typeof line === 'string' ? `transform ${line}` : ['transform', ...line], { cwd, ...more });
  return { ...world, cwd, transform };
}
