import { boolean, integer, list, object, oneOf, optional, text } from '../../http/readers.ts';
import { param, type Reply } from '../../http/reply.ts';
import { badRequest } from '../admin-error.ts';
import { effective } from '../config/effective.ts';
import { type AdminRequest, by, done, ok, type Route, readJson, route } from '../request.ts';
import type { Transform } from '../state.ts';
import type { World } from '../world.ts';

/** The routes of WebAssembly transforms. Their logs are records of a Kafka topic and have no route. */
export const transformRoutes: readonly Route[] = [
  route('transforms.list', 'GET /v1/transform', by.user, listAll),
  route('transforms.deploy', 'POST /v1/transform/deploy', by.forwarded, deploy),
  route('transforms.delete', 'DELETE /v1/transform/{name}', by.forwarded, remove),
  route('transforms.change', 'PUT /v1/transform/{name}/meta', by.forwarded, change),
];

/** The codecs of a transform's output. */
const compressions = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;

const variables = list(object({ key: text, value: text }));
const header = object({
  name: text,
  input_topic: text,
  output_topics: list(text),
  environment: optional(variables),
  compression: optional(oneOf(...compressions)),
  offset: optional(object({ format: oneOf('from_start', 'from_end', 'timestamp'), value: integer })),
});
const meta = object({
  is_paused: optional(boolean),
  env: optional(variables),
  compression: optional(oneOf(...compressions)),
});

function checkEnabled({ node }: AdminRequest): void {
  if (effective(node, 'data_transforms_enabled') !== true) throw badRequest('data transforms disabled');
}

function listAll(world: World, request: AdminRequest): Reply {
  checkEnabled(request);
  return ok([...world.state.transforms.values()].map((transform) => show(world, transform)));
}

function show(world: World, transform: Transform) {
  const { name, inputTopic, outputTopics, environment, compression } = transform;
  const input = [...world.state.partitions.values()].filter(({ ns, topic }) => ns === 'kafka' && topic === inputTopic);
  const status = input.map(({ id, leader }) => ({
    node_id: leader ?? -1,
    partition: id,
    status: statusOf(world, transform, leader),
    lag: 0,
  }));
  return { name, input_topic: inputTopic, output_topics: outputTopics, status, environment, compression };
}

function statusOf({ clock, settings }: World, { isPaused, deployedAt }: Transform, leader: number | null): string {
  if (leader === null) return 'unknown';
  return isPaused || clock.now() < deployedAt + settings.transformStartMs ? 'inactive' : 'running';
}

function deploy(world: World, request: AdminRequest): Reply {
  checkEnabled(request);
  const { json, module } = splitUpload(request.bytes);
  const sent = readJson({ bytes: json }, header);
  const { name, input_topic: inputTopic, output_topics: outputTopics } = sent;
  if (name === '') throw badRequest('the transform has no name');
  if (outputTopics.length === 0) throw badRequest('the transform has no output topic');
  for (const topic of [inputTopic, ...outputTopics]) checkTopic(world, topic);
  // The first bytes of every module (WebAssembly Core Specification, section 5.5.16).
  if (!module.subarray(0, 8).equals(Buffer.from('\0asm\x01\0\0\0', 'latin1')))
    throw badRequest('the module is not WebAssembly');
  world.state.transforms.set(name, {
    name,
    inputTopic,
    outputTopics,
    isPaused: false,
    environment: sent.environment ?? [],
    compression: sent.compression ?? 'none',
    deployedAt: world.clock.now(),
  });
  return done;
}

function checkTopic({ state }: World, topic: string): void {
  if (![...state.partitions.values()].some((one) => one.ns === 'kafka' && one.topic === topic))
    throw badRequest(`topic "${topic}" does not exist`);
}

function transformOf({ state }: World, request: AdminRequest): Transform {
  const transform = state.transforms.get(param(request, 'name'));
  if (transform === undefined) throw badRequest(`transform "${param(request, 'name')}" does not exist`);
  return transform;
}

function remove(world: World, request: AdminRequest): Reply {
  checkEnabled(request);
  world.state.transforms.delete(transformOf(world, request).name);
  return done;
}

function change(world: World, request: AdminRequest): Reply {
  checkEnabled(request);
  const transform = transformOf(world, request);
  const { is_paused: isPaused, env, compression } = readJson(request, meta);
  world.state.transforms.set(transform.name, {
    ...transform,
    isPaused: isPaused ?? transform.isPaused,
    environment: env ?? transform.environment,
    compression: compression ?? transform.compression,
    deployedAt: isPaused === false && transform.isPaused ? world.clock.now() : transform.deployedAt,
  });
  return done;
}

/**
 * Splits the body of a deployment: a JSON object, immediately followed by the module.
 * @throws AdminError 400 when it does not begin with an object
 */
function splitUpload(bytes: Buffer): { readonly json: Buffer; readonly module: Buffer } {
  const end = endOfObject(bytes);
  if (end === undefined) throw badRequest('the body does not begin with a JSON object');
  return { json: bytes.subarray(0, end), module: bytes.subarray(end) };
}

const [quote, backslash, open, close] = [0x22, 0x5c, 0x7b, 0x7d];

function endOfObject(bytes: Buffer): number | undefined {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === open) depth += 1;
    else if (byte === close && depth === 1) return at + 1;
    else if (byte === close) depth -= 1;
    if (depth <= 0) return undefined;
  }
  return undefined;
}

function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
