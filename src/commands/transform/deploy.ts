import { StartOffset } from '../../admin/transform-rows.ts';
import { change } from '../../cli/forms/change.ts';
import type { Outcome } from '../../cli/forms/outcome.ts';
import type { Context } from '../../context.ts';
import { stoppedError } from '../../errors.ts';
import { printable } from '../../format/printable.ts';
import { showSize } from '../../format/size.ts';
import { described, listOf, maybe, type RowOf, row, string, truth, whole } from '../../shape/shape.ts';
import { sending } from '../interruption.ts';
import { type DeployPlan, deployFlags, planDeployment } from './deploy-plan.ts';
import { topicsOf } from './transform-name.ts';

/** A transform that is or would be deployed. The values of its variables may be secret. */
const DeployedTransform = row({
  name: string,
  input_topic: string,
  output_topics: listOf(string),
  variables: listOf(string),
  compression: maybe(string),
  offset: maybe(StartOffset),
  file: string,
  size: described(whole, 'size of the module in bytes'),
  replaced: described(truth, 'whether a transform with this name existed before'),
});
type DeployedTransform = RowOf<typeof DeployedTransform>;

/** `transform deploy` */
export const deploy = change({
  summary: 'Deploy a transform, or a new version of one',
  description: `Deploys a WebAssembly module that was built before. What no flag sets comes from transform.yaml of the working
directory, with the keys name, input-topic, output-topics, env, compression and from-offset. The default of --file is
NAME.wasm in the working directory.

A transform with the same name is replaced: its new version continues where the old one was, whatever --from-offset says.
The topics must exist, and the cluster must have data_transforms_enabled set to true.`,
  examples: [
    ['The project of the working directory', 'transform deploy'],
    ['Without a project', 'transform deploy --file redact.wasm --name redact -i orders -o orders-redacted'],
    ['With a variable, from a time on', 'transform deploy --var REGION=eu --from-offset @2026-01-31'],
    ['Show what would be deployed', 'transform deploy --dry-run'],
  ],
  apis: ['admin'],
  flags: deployFlags,
  changes: 'creates',
  noun: 'transform',
  isOne: true,
  item: DeployedTransform,
  async plan(context, values) {
    const plan = await planDeployment(context, values);
    const planned = rowOf(plan, await isDeployed(context, plan.deployment.name));
    if (planned.replaced && plan.deployment.offset !== undefined)
      context.warn('the offset has no effect: a new version continues where the old one was');
    return [{ ...planned, plan }];
  },
  async applyEach(context, { plan: { deployment, module } }) {
    const { name } = deployment;
    const admin = await context.admin();
    sending(context, `deploying the transform "${name}"`, 'weir transform list');
    await admin.deployTransform(deployment, module);
    context.onInterrupt(
      stoppedError(`the transform "${name}" is deployed`, ['see it with: weir transform list'], name),
    );
    return {};
  },
  text: (rows) => rows.map(deployedText).join(''),
});

async function isDeployed({ admin }: Context, name: string): Promise<boolean> {
  return (await (await admin()).transforms()).some((one) => one.name === name);
}

function rowOf({ deployment, file, module }: DeployPlan, replaced: boolean): DeployedTransform {
  const { name, input_topic, output_topics, environment, compression = null, offset = null } = deployment;
  const variables = environment.map(({ key }) => key);
  return { name, input_topic, output_topics, variables, compression, offset, file, size: module.length, replaced };
}

function deployedText(transform: DeployedTransform & Outcome): string {
  const { name, file, size, replaced, dry_run: isDryRun } = transform;
  const verb = replaced ? 'replaced with' : 'deployed from';
  const from = printable(`${file}, ${showSize(size)}`);
  return `Transform ${printable(name)} (${printable(topicsOf(transform))}) ${isDryRun ? 'would be' : 'is'} ${verb} ${from}.\n`;
}
