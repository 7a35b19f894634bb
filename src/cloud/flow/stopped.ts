import { type CliError, stoppedError } from '../../errors.ts';
import { type CreateStep, type DeleteStep, type FlowRecord, nameOfFlow, resumeCommand } from './record.ts';

type Reached = (record: FlowRecord) => string;

const created: Readonly<Record<CreateStep | 'done', Reached>> = {
  create: () => 'the request may or may not have arrived',
  agent: () => 'the control plane is preparing it for its agent',
  apply: () => 'the plugin may not have installed its agent completely',
  operation: () => 'its agent is installed, and the control plane is finishing it',
  read: () => 'it has been created',
  done: () => 'it has been created',
};

const deleted: Readonly<Record<DeleteStep | 'done', Reached>> = {
  delete: () => 'the request may or may not have arrived',
  agent: () => 'the deletion has started, but its agent may still be in your own cloud account',
  destroy: () => 'the plugin may not have removed its agent completely',
  operation: () => 'the control plane is deleting it',
  network: () => 'it has been deleted; the request to delete its network may or may not have arrived',
  'network-operation': () => 'it has been deleted, and the control plane is deleting its network',
  'resource-group': ({ with_network }) =>
    `${with_network ? 'it and its network have' : 'it has'} been deleted; its resource group may or may not be deleted`,
  done: () => 'it has been deleted, with everything that was to be deleted with it',
};

/**
 * Creates the report of a flow that a signal stops: what the flow has reached, and the command that continues it.
 * @param resumeWith the command, if it is not the one for this flow alone
 */
export function stoppedFlow(record: FlowRecord, resumeWith = resumeCommand(record)): CliError {
  const { kind, step, cluster_name, cluster_id } = record;
  const steps: Readonly<Record<string, Reached>> = kind === 'create' ? created : deleted;
  const reached = Object.hasOwn(steps, step) ? steps[step]?.(record) : undefined;
  const doing = kind === 'create' ? 'creating' : 'deleting';
  const id = cluster_id === null ? '' : ` (${cluster_id})`;
  return stoppedError(
    `stopped while ${doing} the cluster "${cluster_name}"${id}: ${reached ?? `it is at step ${step}`}`,
    [`resume with: ${resumeWith}`],
    nameOfFlow(record),
  );
}
