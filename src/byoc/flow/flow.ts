import type { Cluster } from '../../cloud/cloud-rows.ts';
import { CliError, exitCodes, rephrased, stoppedError, stoppedWait } from '../../errors.ts';
import { commandText } from '../../format/shell-word.ts';
import { commandLineOf, type PluginCall } from '../plugin/argv.ts';
import { createSteps } from './create.ts';
import { deleteSteps } from './delete.ts';
import type { Journal } from './journal.ts';
import {
  type CreateStep,
  type DeleteStep,
  type FlowRecord,
  nameOfFlow,
  pluginCallOf,
  resumeCommand,
  withoutSecrets,
} from './record.ts';
import { type FlowChange, FlowOver, type FlowStep, type FlowWorld } from './step.ts';

/** The world in which flows run, with their journal. */
export interface FlowRunner extends FlowWorld {
  readonly journal: Journal;
  /** Called with the record of the flow whenever the journal has it, and with the failure that ends it for good. */
  onReached(state: FlowRecord | CliError): void;
}

/** How a flow ended, or where it stopped. */
export interface FlowOutcome {
  readonly record: FlowRecord;
  /** The cluster of a creation as last read. */
  readonly cluster: Cluster | undefined;
  /** The command line that the user must run before the flow can continue, if it is not finished and that is known. */
  readonly command: string | undefined;
}

/**
 * Starts a flow.
 * @throws CliError; if the flow can be resumed, the hints name the command
 */
export async function beginFlow(record: FlowRecord, world: FlowRunner): Promise<FlowOutcome> {
  const { id, request } = record;
  return await world.journal.hold(id, async (stored) => {
    if (stored !== undefined) throw unfinished(stored);
    return await run(request === null ? record : { ...record, ...withoutSecrets(request) }, world, request);
  });
}

/** Creates the error for a flow that an earlier run started and did not finish. */
export function unfinished(record: FlowRecord): CliError {
  const what = record.kind === 'create' ? 'creation' : 'deletion';
  const resume = resumeCommand(record);
  return new CliError(exitCodes.conflict, `an earlier ${what} of cluster "${record.cluster_name}" is unfinished`, {
    code: 'FLOW_UNFINISHED',
    target: nameOfFlow(record),
    hints: [`finish it with: ${resume}`, `or forget it without undoing anything: ${resume} --forget`],
  });
}

/**
 * Resumes a flow where an earlier run stopped; undefined if another weir has finished it in the meantime.
 * @throws CliError in the same cases as `beginFlow`
 */
export async function resumeFlow(
  record: FlowRecord,
  world: FlowRunner,
  change: Partial<FlowRecord> = {},
): Promise<FlowOutcome | undefined> {
  return await world.journal.hold(record.id, async (stored) => {
    return stored === undefined ? undefined : await run({ ...stored, ...change }, world);
  });
}

/**
 * Records that the user ran the plugin, so that a flow that waits for it continues after that step. The cluster's state
 * may take minutes to show it.
 */
export async function notePluginRun(journal: Journal, apiUrl: string, call: PluginCall): Promise<void> {
  const [kind, steps] = call.verb === 'apply' ? ['create', ['agent', 'apply']] : ['delete', ['agent', 'destroy']];
  const waits = (record: FlowRecord) =>
    record.kind === kind &&
    record.api_url === apiUrl &&
    record.cluster_id === call.clusterId &&
    steps.includes(record.step);
  for (const { id } of (await journal.list()).filter(waits)) {
    await journal.hold(id, async (stored) => {
      if (stored !== undefined && waits(stored)) await journal.write({ ...stored, step: 'operation', begun: false });
    });
  }
}

/** A flow between its steps. */
interface Running {
  record: FlowRecord;
  /** The cluster as the last step that read it found it. */
  cluster: Cluster | undefined;
}

/** Runs the remaining steps; the record of a finished flow is removed. */
async function run(
  begun: FlowRecord,
  world: FlowRunner,
  wholeRequest: FlowRecord['request'] = null,
): Promise<FlowOutcome> {
  const running: Running = { record: begun, cluster: undefined };
  try {
    const pausedFor = await runSteps(running, world, wholeRequest);
    if (pausedFor !== undefined)
      return { ...running, command: pausedFor === null ? undefined : commandLineOf(pausedFor) };
  } catch (error) {
    const { record } = running;
    if (!(error instanceof FlowOver)) throw resumable(error, record, world.resumeWith(record));
    await world.journal.remove(record.id);
    if (error.failure instanceof CliError) world.onReached(error.failure);
    throw error.failure;
  }
  await world.journal.remove(running.record.id);
  return { ...running, command: undefined };
}

/** Records each step before and after it runs, until the flow is done, or a step pauses it: returns what it waits for. */
async function runSteps(
  running: Running,
  world: FlowRunner,
  wholeRequest: FlowRecord['request'],
): Promise<FlowChange['pausedFor']> {
  const reached = async (change: Partial<FlowRecord>): Promise<FlowRecord> => {
    running.record = { ...running.record, ...change };
    await world.journal.write(running.record);
    world.onReached(running.record);
    return running.record;
  };
  let again = running.record.begun;
  while (running.record.step !== 'done') {
    const record = await reached({ begun: true });
    const withSecrets = wholeRequest === null ? record : { ...record, request: wholeRequest, withheld: [] };
    const { next, pausedFor, cluster, ...change } = await stepOf(record)(withSecrets, world, again);
    again = false;
    running.cluster = cluster ?? running.cluster;
    await reached({ ...change, step: next, begun: false });
    if (pausedFor !== undefined) return pausedFor;
  }
  return undefined;
}

function stepOf({ kind, step }: FlowRecord): FlowStep {
  const steps: Readonly<Record<string, FlowStep>> = kind === 'create' ? createSteps : deleteSteps;
  const run = Object.hasOwn(steps, step) ? steps[step] : undefined;
  if (run !== undefined) return run;
  throw new CliError(exitCodes.failure, `unable to resume the flow: unknown step "${step}" in the journal`, {
    code: 'JOURNAL_BROKEN',
    hints: ['resume it with the version of weir that started it'],
  });
}

/** Adds to an error how the flow that it stopped can go on: what to give or to clean up, to resume, or to forget. */
function resumable(error: unknown, record: FlowRecord, resume: string | undefined): unknown {
  if (!(error instanceof CliError) || resume === undefined) return error;
  if (error.hints.some((one) => one.includes(resume))) return error;
  return rephrased(error, error.message, { hints: [...error.hints, ...waysOn(error, record, resume)] });
}

function waysOn(error: CliError, record: FlowRecord, resume: string): readonly string[] {
  const goOn = `resume with: ${resume}${missingFlags(error, record)}`;
  if (error.retryable || error.code === 'INTERRUPTED') return [goOn];
  const forget = `or forget it without undoing anything: ${resume} --forget`;
  const group = record.resource_group_id;
  if (record.step !== 'resource-group' || error.exitCode !== exitCodes.conflict) return [goOn, forget];
  return [
    commandText`see what is left in it with: weir cloud cluster list --resource-group-id ${group}`,
    commandText`and: weir cloud network list --resource-group-id ${group}`,
    `delete that, then ${goOn}`,
    forget,
  ];
}

const placeholders: ReadonlyMap<string | undefined, string> = new Map([
  ['--project-id', 'PROJECT'],
  ['--subscription-id', 'SUBSCRIPTION'],
]);

/** The flags that the plugin needs and that were not given, with a placeholder for their values. */
function missingFlags({ exitCode, target }: CliError, { kind }: FlowRecord): string {
  const value = placeholders.get(target);
  if (exitCode !== exitCodes.usage || value === undefined) return '';
  return `${kind === 'delete' ? ' --destroy' : ''} ${target} ${value}`;
}

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
 * Creates the report of a flow that a signal stops: what the flow has reached, and the commands that continue it.
 * @param hints the commands, if it is not the one that resumes this flow alone
 */
export function stoppedFlow(record: FlowRecord, hints = [`resume with: ${resumeCommand(record)}`]): CliError {
  const { kind, step, cluster_name, cluster_id } = record;
  const steps: Readonly<Record<string, Reached>> = kind === 'create' ? created : deleted;
  const reached = Object.hasOwn(steps, step) ? steps[step]?.(record) : undefined;
  const doing = kind === 'create' ? 'creating' : 'deleting';
  const id = cluster_id === null ? '' : ` (${cluster_id})`;
  return stoppedError(
    `stopped while ${doing} the cluster "${cluster_name}"${id}: ${reached ?? `it is at step ${step}`}`,
    hints,
    nameOfFlow(record),
  );
}

/** Creates the report of a creation that a signal stops and that is not written down: what continues it by hand. */
export function stoppedCreation(record: FlowRecord): CliError {
  const { step, cluster_id: id, operation_id: operation } = record;
  if (id === null || operation === null) return stoppedFlow(record, ['check with: weir cloud cluster list']);
  const wait = commandText`weir cloud operation wait ${operation}`;
  if (step === 'operation') return stoppedWait({ what: `operation ${operation}`, resumeWith: wait });
  const see = commandText`weir cloud cluster get ${id}`;
  if (step !== 'agent' && step !== 'apply') return stoppedFlow(record, [`see it with: ${see}`]);
  const apply = pluginCallOf(record, 'apply');
  return stoppedFlow({ ...record, step: 'agent' }, [
    `see its state with: ${see}`,
    ...(apply === null ? [] : [`when the state is creating-agent, run: ${commandLineOf(apply)}`]),
    `then wait with: ${wait}`,
  ]);
}
