import { describe, expect, it } from 'vitest';
import { arrayOf, integerSchema, itemErrorSchema, nullable, object, string, wordOf } from '../src/cli/schema.ts';
import { faultsOf } from './conforms.ts';
import { services } from './services/services.ts';
import { run, type World } from './world.ts';

const schema = arrayOf(
  object({ name: string, count: nullable(integerSchema), status: wordOf('OK', 'ERROR') }, ['count']),
);

describe('the check of outputs against schemas', () => {
  it.each<[unknown, string[]]>([
    [[], []],
    [[{ name: 'a', count: 1, status: 'OK' }], []],
    [[{ name: 'a', count: null, status: 'OK' }], []],
    [[{ name: 'a', status: 'ERROR' }], []],
    [{}, ['$: is no array']],
    [[{ status: 'OK' }], ['$[0].name: is missing']],
    [[{ name: 1, status: 'OK' }], ['$[0].name: is no string']],
    [[{ name: 'a', status: 'FINE' }], ['$[0].status: "FINE" is not allowed']],
    [[{ name: 'a', status: 'OK', more: 1 }], ['$[0].more: is not in the schema']],
    [[{ name: 'a', status: 'OK', count: 1.5 }], ['$[0].count: 1.5 is none of the choices']],
  ])('finds in %j the faults %j', (value, faults) => {
    expect(faultsOf(value, schema)).toEqual(faults);
  });

  it('does not pass what it does not understand', () => {
    expect(faultsOf('a', { type: 'string', pattern: 'a' })).toEqual(['$: the schema has unknown keywords pattern']);
  });

  it('knows the error of an item', () => {
    expect(faultsOf(null, itemErrorSchema)).toEqual([]);
    expect(faultsOf({ code: 'X' }, itemErrorSchema)).toHaveLength(1);
  });
});

describe('the json of topic and cluster commands', () => {
  const prefix = `conforms-${process.pid}`;
  const [a, b, missing] = [`${prefix}-a`, `${prefix}-b`, `${prefix}-nope`];

  it.each([
    `topic create ${a} ${b} --dry-run`,
    `topic create ${a} ${b} -p 2`,
    `topic create ${a} ${b} --if-not-exists`,
    `topic create ${a} -r 9`,
    `topic list ${a} ${missing}`,
    `topic list ${a} ${missing} -d`,
    'topic list -i -d',
    `topic describe ${a} ${missing}`,
    `topic describe ${a} --stable`,
    'cluster info',
    'cluster info -c -b',
    `cluster info -d ${a}`,
    `topic delete ${a} ${missing} --dry-run`,
    `topic delete ${a} ${b} ${missing}`,
  ])('of "%s" conforms to its schema', async (line) => {
    const world: World = { env: { WEIR_BROKERS: services().plaintext } };
    const { stdout } = await run(`${line} --format json`, world);
    const ownSchema = JSON.parse((await run(`${line} --format schema`)).stdout);
    expect(faultsOf(JSON.parse(stdout), ownSchema)).toEqual([]);
  });
});
