import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fromBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { execa } from 'execa';
import { readFiles } from '../../src/serde/protobuf/files.ts';
import type { ReferencedSchema } from '../../src/serde/schema.ts';
import { dataFacts } from '../serde/protobuf/data-facts.ts';

const usage = 'usage: npm run soak -- protos [--protoc PROGRAM] DIRECTORY…';
/** The number of files that protoc gets at once. */
const batch = 64;

/** What protoc makes of a file: its descriptor, or why it refuses it. */
type Verdict = FileDescriptorProto | string;

/**
 * `npm run soak -- protos …`: compiles every .proto file below directories, which are also where imports are looked up,
 * and compares with protoc. Fails for a file that only weir refuses, and for a descriptor that is not protoc's. Returns
 * the exit code.
 */
export async function main(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { protoc: { type: 'string', default: 'protoc' } },
    allowPositionals: true,
  });
  if (positionals.length === 0) throw new Error(usage);
  let faults = 0;
  for (const root of positionals) {
    const roots = [root, ...positionals.filter((other) => other !== root)];
    const listed = await readdir(root, { recursive: true });
    const files = listed.filter((name) => name.endsWith('.proto')).sort();
    const verdicts = await askProtoc(values.protoc, roots, files);
    faults += await compare(roots, files, verdicts);
  }
  return faults === 0 ? 0 : 1;
}

async function compare(
  roots: readonly string[],
  files: readonly string[],
  verdicts: ReadonlyMap<string, Verdict>,
): Promise<number> {
  const count = { accepted: 0, 'refused by both': 0, 'only weir refuses': 0, 'only protoc refuses': 0, differ: 0 };
  const texts = createTexts(roots);
  for (const name of files) {
    const theirs = verdicts.get(name) ?? 'nothing';
    const ours = await compile(texts, name);
    const accepts = typeof theirs !== 'string';
    if (typeof ours === 'string') {
      count[accepts ? 'only weir refuses' : 'refused by both']++;
      if (accepts) say(`  ${name}: only weir refuses it: ${ours}`);
    } else if (!accepts) {
      count['only protoc refuses']++;
      say(`  ${name}: only protoc refuses it: ${theirs}`);
    } else {
      count.accepted++;
      const [one, other] = [dataFacts(ours), dataFacts(theirs)];
      const at = one.findIndex((line, index) => line !== other[index]);
      if (at < 0 && one.length === other.length) continue;
      count.differ++;
      say(`  ${name}: ${one.at(at) ?? 'nothing'}\n  ${' '.repeat(name.length)}  protoc: ${other.at(at) ?? 'nothing'}`);
    }
  }
  const counts = Object.entries(count).map(([what, times]) => `${times} ${what}`);
  say(`${roots[0]}: ${files.length} files, ${counts.join(', ')}`);
  return count['only weir refuses'] + count.differ;
}

/** Reads files below the first root that has them; undefined if none has. */
function createTexts(roots: readonly string[]): (name: string) => Promise<string | undefined> {
  const known = new Map<string, string | undefined>();
  return async (name) => {
    if (known.has(name)) return known.get(name);
    let text: string | undefined;
    for (const root of roots) text ??= await readFile(join(root, name), 'utf8').catch(() => undefined);
    known.set(name, text);
    return text;
  };
}

async function compile(
  texts: (name: string) => Promise<string | undefined>,
  name: string,
): Promise<FileDescriptorProto | string> {
  const references = new Map<string, ReferencedSchema>();
  const collect = async (text: string): Promise<void> => {
    for (const [, path = ''] of text.matchAll(/\bimport\s+(?:public\s+|weak\s+|option\s+)?["']([^"']+)["']/g)) {
      if (references.has(path)) continue;
      const imported = await texts(path);
      if (imported === undefined) continue;
      references.set(path, { name: path, text: imported });
      await collect(imported);
    }
  };
  const text = (await texts(name)) ?? '';
  await collect(text);
  try {
    const { registry } = readFiles({ type: 'PROTOBUF', text, references: [...references.values()] });
    return registry.getFile('')?.proto ?? 'nothing';
  } catch (error) {
    return String(error);
  }
}

/** Asks about many files at once, and if protoc refuses, about halves of them, down to single files. */
async function askProtoc(
  protoc: string,
  roots: readonly string[],
  files: readonly string[],
): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  const out = join(tmpdir(), `weir-protos-${process.pid}.bin`);
  const ask = async (names: readonly string[]): Promise<void> => {
    const paths = roots.map((root) => `-I${root}`);
    const { exitCode, stderr } = await execa(protoc, [...paths, '-o', out, ...names], { reject: false });
    if (exitCode === 0) {
      const set = fromBinary(FileDescriptorSetSchema, await readFile(out));
      for (const file of set.file) verdicts.set(file.name, file);
    } else if (names.length === 1) {
      const lines = stderr.split('\n').filter((line) => !line.includes('warning: '));
      verdicts.set(names[0] ?? '', lines[0] ?? 'refused');
    } else {
      const half = Math.ceil(names.length / 2);
      await ask(names.slice(0, half));
      await ask(names.slice(half));
    }
  };
  try {
    for (let at = 0; at < files.length; at += batch) await ask(files.slice(at, at + batch));
  } finally {
    await rm(out, { force: true });
  }
  return verdicts;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
