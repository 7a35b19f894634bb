import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import '../../../services/services.ts';
import { run, temporaryDirectory } from '../../../world.ts';
import { adminWorld } from '../limited-world.ts';

const client = `quota-file-${process.pid}`;

const quota = (name: string, type: string, values: Readonly<Record<string, string>>) => ({
  entity: [{ name, type }],
  values: Object.entries(values).map(([key, value]) => ({ key, value })),
});

// All imports here fail or are dry runs: quotas.test.ts sets the quotas of the broker.
describe('cluster quotas import', () => {
  it.each([
    ['quotas: 5', 'quotas is not a list'],
    ['quotas: [5]', 'quotas[0] is not an object'],
    ['quotas: [{entity: []}]', 'quotas[0].entity is empty'],
    ['quotas: [{entity: [{type: user}]}]', 'quotas[0].entity[0].name is not text'],
    [
      'quotas: [{entity: [{type: user, name: a}], values: [{key: b, value: c}]}]',
      'quotas[0].values[0].value is not a number',
    ],
    [
      'quotas: [{entity: [{type: user, name: a}], values: []}, {entity: [{type: user, name: a}], values: []}]',
      'quotas[1] has the same entity as one above',
    ],
    [
      'quotas: [{entity: [{type: user, name: a}, {type: user, name: b}], values: [{key: c, value: 1}]}]',
      'quotas[0].entity[1] has the same type as one above',
    ],
    [
      'quotas: [{entity: [{type: user, name: a}], values: [{key: b, value: 1}, {key: b, value: 2}]}]',
      'quotas[0].values[1] has the same key as one above',
    ],
    [
      'quotas: [{entity: [{type: user, name: a}], values: [{key: b, value: "1e999"}]}]',
      'quotas[0].values[0].value is too large',
    ],
  ])('refuses %s', async (from, message) => {
    const world = { env: { WEIR_BROKERS: '127.0.0.1:1' } };
    const { stdout, stderr, exitCode } = await run(['cluster', 'quotas', 'import', '--from', from], world);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(`unable to use the text of --from: ${message}`);
  });

  it('reports the error of the right entity when two look the same', async () => {
    const same = { entity: [{ name: 'a,client-id=b', type: 'user' }], values: [{ key: 'frob', value: '1' }] };
    const other = [
      { name: 'a', type: 'user' },
      { name: 'b', type: 'client-id' },
    ];
    const quotas = [same, { entity: other, values: [{ key: 'request_percentage', value: '90001' }] }];
    const { stdout, exitCode } = await run(
      ['cluster', 'quotas', 'import', '--no-headers', '--dry-run', '--from', JSON.stringify({ quotas })],
      adminWorld(),
    );
    expect(stdout).toMatch(/^user=a,client-id=b +frob +- +1 +INVALID_REQUEST: /m);
    expect(stdout).toMatch(/^client-id=b,user=a +request_percentage +- +90001 +OK /m);
    expect(exitCode).toBe(1);
  });

  it('reads a backup of thousands of entities', async () => {
    const cwd = temporaryDirectory();
    const names = Array.from({ length: 3000 }, (_, at) => `${client}-${at}`);
    const quotas = names.map((name) => quota(name, 'user', { producer_byte_rate: '200000' }));
    writeFileSync(join(cwd, 'quotas.json'), JSON.stringify({ quotas }, undefined, 2));
    const { stdout, stderr, exitCode } = await run('cluster quotas import --from quotas.json --dry-run --no-headers', {
      ...adminWorld(),
      cwd,
    });
    expect({ stderr, exitCode }).toEqual({ stderr: 'dry run: nothing was changed\n', exitCode: 0 });
    // Other test files may have quotas on the same brokers, which the import would delete.
    expect(stdout.match(new RegExp(`^user=${client}-\\d+ .* OK `, 'gm'))).toHaveLength(3000);
  });
});
