import { describe, expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { resolveReferences } from '../../src/registry/references.ts';
import type { Reference, StoredSchema } from '../../src/registry/rows.ts';

/** Schemas by name; the text of each is its name, and `uses` are names too. */
type Graph = Readonly<Record<string, readonly string[]>>;

const refer = (name: string): Reference => ({ name: `${name}.proto`, subject: name, version: 1 });

async function resolve(graph: Graph, start: string) {
  const fetched: string[] = [];
  const schema = (name: string): StoredSchema => ({
    id: 1,
    type: 'PROTOBUF',
    text: name,
    references: (graph[name] ?? []).map(refer),
  });
  const result = await resolveReferences(schema(start), async ({ subject }) => {
    fetched.push(subject);
    return schema(subject);
  });
  return { order: result.references.map(({ text }) => text), fetched };
}

async function failure(work: Promise<unknown>): Promise<CliError> {
  const error = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CliError);
  return error as CliError;
}

describe('references', () => {
  test('come before what refers to them, each once, and are fetched once', async () => {
    const graph = { top: ['a', 'b'], a: ['c', 'd'], b: ['d'], c: ['d'], d: [] };
    expect(await resolve(graph, 'top')).toEqual({ order: ['d', 'c', 'a', 'b'], fetched: ['a', 'c', 'd', 'b'] });
  });

  test.each([
    ['itself', { top: ['a'], a: ['a'] }, 'version 1 of "a" refers to itself'],
    ['a circle', { top: ['a'], a: ['b'], b: ['a'] }, 'version 1 of "a" refers to itself'],
  ])('to %s are refused', async (_, graph, why) => {
    const error = await failure(resolve(graph, 'top'));
    expect(error.message).toBe(`unable to resolve the references of the schema: ${why}`);
    expect(error).toMatchObject({ code: 'BAD_REFERENCES', exitCode: 1 });
  });

  test('that are absurdly deep are refused', async () => {
    const deep = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`n${at}`, [`n${at + 1}`]]));
    expect((await failure(resolve(deep, 'n0'))).message).toContain('more than 50 deep');
    expect((await resolve(deep, 'n15')).order).toHaveLength(45);
  });

  test('that are absurdly many are refused', async () => {
    const names = Array.from({ length: 1_001 }, (_, at) => `n${at}`);
    expect((await failure(resolve({ top: names }, 'top'))).message).toContain('there are more than 1000');
    expect((await resolve({ top: names.slice(1) }, 'top')).order).toHaveLength(1_000);
  });

  test('of a graph with very many paths are visited once each', async () => {
    const layers = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        [`a${at}`, [`a${at + 1}`, `b${at + 1}`]],
        [`b${at}`, [`a${at + 1}`, `b${at + 1}`]],
      ]).flat() as [string, string[]][],
    );
    expect((await resolve(layers, 'a0')).fetched).toHaveLength(80);
  });

  test('with one name for two texts are refused; the same text twice is one', async () => {
    const schema: StoredSchema = {
      id: 1,
      type: 'AVRO',
      text: '"Top"',
      references: [
        { name: 'ns.Money', subject: 'money', version: 1 },
        { name: 'ns.Money', subject: 'money', version: 2 },
      ],
    };
    const fetch = (texts: readonly string[]) => async (reference: Reference) => ({
      type: 'AVRO' as const,
      text: texts[reference.version - 1] ?? '',
      references: [],
    });
    expect((await failure(resolveReferences(schema, fetch(['a', 'b'])))).message).toContain(
      'the name "ns.Money" means version 1 of "money" and version 2 of "money", which differ',
    );
    expect((await resolveReferences(schema, fetch(['a', 'a']))).references).toEqual([{ name: 'ns.Money', text: 'a' }]);
  });
});
