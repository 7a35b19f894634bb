import { withHints } from '../errors.ts';
import { byName } from '../format/order.ts';
import { pathOf } from '../net/json-api/call.ts';
import { hasStatus } from '../net/json-api/error.ts';
import { listOf, sorted } from '../shape/shape.ts';
import { type Api, calls } from './client/api.ts';
import { type Deployment, Transform } from './transform-rows.ts';

const readTransforms = calls.get('read the transforms', pathOf`/v1/transform`, sorted(listOf(Transform), byName), {
  form: 'list of transforms',
});

/** The calls about transforms. */
export function createTransformCalls({ call }: Pick<Api, 'call'>) {
  const api: Pick<Api, 'call'> = { call: (one) => call(one).catch(withAdvice) };
  const transforms = () => api.call(readTransforms);
  return {
    /** The transforms, sorted by name. */
    transforms,
    /**
     * Deploys a transform, or a new version of one with the same name, which continues where the old one was.
     * @param module the WebAssembly module
     */
    deployTransform: (deployment: Deployment, module: Uint8Array) =>
      api.call(
        calls.post(`deploy the transform "${deployment.name}"`, pathOf`/v1/transform/deploy`, {
          // A repeated one replaces the same module by itself: the position is kept, and an offset has no effect then.
          repeats: true,
          secrets: deployment.environment.map(({ value }) => value),
          body: Buffer.concat([Buffer.from(JSON.stringify(deployment)), module]),
        }),
      ),
    /** Deletes a transform with its position in the input. */
    deleteTransform: (name: string) =>
      api.call(
        calls.delete(`delete the transform "${name}"`, pathOf`/v1/transform/${name}`, {
          repeats: true,
          isDone: async () => (await transforms()).every((one) => one.name !== name),
        }),
      ),
    /** Pauses or resumes a transform. */
    setTransformPaused: (name: string, isPaused: boolean) =>
      api.call(
        calls.put(`${isPaused ? 'pause' : 'resume'} the transform "${name}"`, pathOf`/v1/transform/${name}/meta`, {
          body: { is_paused: isPaused },
          repeats: true,
        }),
      ),
  };
}

function withAdvice(error: unknown): never {
  if (!hasStatus(error, 400) || !/transforms? (is |are )?disabled/i.test(error.message)) throw error;
  throw withHints(error, ['enable them with: weir cluster config set data_transforms_enabled true']);
}
