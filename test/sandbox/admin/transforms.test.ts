import { expect, test } from 'vitest';
import { errorOf, startSimulator } from './simulator.ts';

const wasm = Buffer.from('\0asm\x01\0\0\0rest of the module', 'latin1');
const header = { name: 'upper', input_topic: 'orders', output_topics: ['payments'] };
const upload = (fields: object, module = wasm) => Buffer.concat([Buffer.from(JSON.stringify(fields)), module]);
const enabled = { seeds: { config: { data_transforms_enabled: true } } };

test('a transform is deployed, starts after a while, is paused, resumed and deleted', async () => {
  const { ok, switches } = await startSimulator(enabled);
  const statuses = async () =>
    (await ok('GET /v1/transform')).flatMap((one: { status: readonly { status: string }[] }) =>
      one.status.map(({ status }) => status),
    );
  const environment = [{ key: 'A{"', value: '}b\\"' }];
  await ok('POST /v1/transform/deploy', { node: 1, body: upload({ ...header, environment, compression: 'zstd' }) });
  expect(await ok('GET /v1/transform')).toMatchObject([{ ...header, environment, compression: 'zstd' }]);
  expect(await statuses()).toEqual(['inactive', 'inactive', 'inactive']);
  await switches.advance(1_000);
  expect(await statuses()).toEqual(['running', 'running', 'running']);
  await ok('PUT /v1/transform/upper/meta', { body: { is_paused: true } });
  expect(await statuses()).toEqual(['inactive', 'inactive', 'inactive']);
  await ok('PUT /v1/transform/upper/meta', { body: { is_paused: false, env: [], compression: 'none' } });
  await switches.advance(1_000);
  expect(await statuses()).toEqual(['running', 'running', 'running']);
  expect(await ok('GET /v1/transform')).toMatchObject([{ compression: 'none' }]);
  await ok('DELETE /v1/transform/upper');
  expect(await ok('GET /v1/transform')).toEqual([]);
});

test('a processor whose partition has no leader has an unknown state', async () => {
  const { ok } = await startSimulator(enabled);
  await ok('POST /v1/transform/deploy', { body: upload({ ...header, input_topic: 'single' }) });
  await ok('POST /v1/cluster/partitions/kafka/single', { body: { disabled: true } });
  expect((await ok('GET /v1/transform'))[0].status).toEqual([{ node_id: -1, partition: 0, status: 'unknown', lag: 0 }]);
});

test.each([
  [upload({ ...header, name: '' }), /name/],
  [upload({ ...header, input_topic: 'none' }), /"none"/],
  [upload({ ...header, output_topics: [] }), /output/],
  [upload({ ...header, output_topics: ['none'] }), /"none"/],
  [upload({ ...header, more: 1 }), /more/],
  [upload({ ...header, compression: 'zip' }), /compression/],
  [upload(header, Buffer.from('no module')), /WebAssembly/],
  [upload(header, Buffer.alloc(0)), /WebAssembly/],
  [Buffer.from('{"name":'), /JSON object/],
  [wasm, /JSON object/],
  [Buffer.alloc(0), /JSON object/],
])('deployment %# is refused', async (body, message) => {
  const { call, ok } = await startSimulator(enabled);
  expect(await call('POST /v1/transform/deploy', { body })).toMatchObject(errorOf(400, message));
  expect(await ok('GET /v1/transform')).toEqual([]);
});

test('nothing is deployed while transforms are disabled, and what does not exist is not changed', async () => {
  const { call } = await startSimulator();
  expect(await call('POST /v1/transform/deploy', { body: upload(header) })).toMatchObject(errorOf(400, /disabled/));
  expect(await call('GET /v1/transform')).toMatchObject(errorOf(400, /disabled/));
  expect((await call('DELETE /v1/transform/none')).status).toBe(400);
  expect((await call('PUT /v1/transform/none/meta', { body: { is_paused: true } })).status).toBe(400);
});
