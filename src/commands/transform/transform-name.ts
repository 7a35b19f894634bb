import type { Transform } from '../../admin/transform-rows.ts';
import type { Context } from '../../context.ts';
import { notFoundError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { anyName, type Kind } from '../../kinds.ts';

/** The name of a new transform. */
export const newTransformName: Kind<string> = { ...anyName, name: 'transform', hint: 'NAME' };

/** The name of a deployed transform. */
export const transformName: Kind<string> = { ...newTransformName, completes: 'transform' };

/** Returns a deployed transform. @throws CliError (exit 3) naming those that there are */
export async function deployedTransform({ admin }: Pick<Context, 'admin'>, name: string): Promise<Transform> {
  const all = await (await admin()).transforms();
  const transform = all.find((one) => one.name === name);
  if (transform !== undefined) return transform;
  const names = all.map((one) => excerpt(one.name)).join(', ');
  throw notFoundError(`the cluster has no transform "${name}"${names === '' ? ': it has none' : `, only ${names}`}`, {
    code: 'TRANSFORM_NOT_FOUND',
    target: name,
    hints: ['see the transforms with: weir transform list'],
  });
}

/** Its topics, for example `orders → payments, audit`. */
export function topicsOf({
  input_topic: input,
  output_topics: outputs,
}: Pick<Transform, 'input_topic' | 'output_topics'>): string {
  return `${input} → ${outputs.join(', ')}`;
}
