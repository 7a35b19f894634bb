import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Layout } from '../../src/kafka/protocol/wire/api.ts';

const root = join(import.meta.dirname, '../../src/kafka/protocol/wire/apis');
const files = globSync('*.ts', { cwd: root }).toSorted();
const modules = await Promise.all(files.map((file) => import(join(root, file)) as Promise<Record<string, unknown>>));

/** The layouts of all APIs that weir knows. */
export const layouts: readonly Layout[] = modules.flatMap((one) => Object.values(one).filter(isLayout));

function isLayout(value: unknown): value is Layout {
  return typeof value === 'object' && value !== null && 'describe' in value;
}
