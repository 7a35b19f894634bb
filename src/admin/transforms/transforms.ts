import { withHints } from '../../errors.ts';
import type { Fields } from '../../net/json.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import type { Api } from '../client/api.ts';
import { itemsOf, listIn, needNumber, needText, numberOr, textOrNull, textsIn } from '../client/read.ts';
import type { Transform, TransformCalls, TransformPartition } from './transform-rows.ts';

/** The calls about transforms. */
export function openTransformCalls({ call }: Pick<Api, 'call'>): TransformCalls {
  const api: Pick<Api, 'call'> = { call: (one) => call(one).catch(withAdvice) };
  const transforms = () =>
    api.call({ doing: 'read the transforms', method: 'GET', path: '/v1/transform', read: readTransforms });
  return {
    transforms,
    deployTransform: (deployment, module) =>
      api.call({
        doing: `deploy the transform "${deployment.name}"`,
        method: 'POST',
        path: '/v1/transform/deploy',
        // A repeated one replaces the same module by itself: the position is kept, and an offset has no effect then.
        repeats: true,
        body: Buffer.concat([Buffer.from(JSON.stringify(deployment)), module]),
        read: () => undefined,
      }),
    deleteTransform: (name) =>
      api.call({
        doing: `delete the transform "${name}"`,
        method: 'DELETE',
        path: pathOf`/v1/transform/${name}`,
        repeats: true,
        isDone: async () => (await transforms()).every((one) => one.name !== name),
        read: () => undefined,
      }),
    setTransformPaused: (name, isPaused) =>
      api.call({
        doing: `${isPaused ? 'pause' : 'resume'} the transform "${name}"`,
        method: 'PUT',
        path: pathOf`/v1/transform/${name}/meta`,
        body: { is_paused: isPaused },
        repeats: true,
        read: () => undefined,
      }),
  };
}

function withAdvice(error: unknown): never {
  if (!hasStatus(error, 400) || !/transforms? (is |are )?disabled/i.test(error.message)) throw error;
  throw withHints(error, ['enable them with: weir cluster config set data_transforms_enabled true']);
}

function readTransforms(body: unknown, what: string): readonly Transform[] {
  return itemsOf(body, what, 'list of transforms')
    .map((fields): Transform => {
      return {
        name: needText(fields, 'name', what),
        input_topic: needText(fields, 'input_topic', what),
        output_topics: textsIn(fields.output_topics),
        environment: listIn(fields, 'environment', what).map((one) => ({
          key: needText(one, 'key', what),
          value: needText(one, 'value', what),
        })),
        compression: textOrNull(fields.compression) ?? 'none',
        partitions: listIn(fields, 'status', what)
          .map((one) => readPartition(one, what))
          .sort((a, b) => a.partition - b.partition),
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readPartition(fields: Fields, what: string): TransformPartition {
  const node = numberOr(fields.node_id, -1);
  return {
    partition: needNumber(fields, 'partition', what),
    node_id: node < 0 ? null : node,
    status: needText(fields, 'status', what),
    lag: numberOr(fields.lag, 0),
  };
}
