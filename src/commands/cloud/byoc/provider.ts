import {
  checkCall,
  commandLineOf,
  type PluginCall,
  type PluginProvider,
  type PluginVerb,
  providerOf,
} from '../../../byoc/plugin/argv.ts';
import { type Command, command, type Flag, flag, type Noun, noun, toggle } from '../../../cli/command.ts';
import { typedWord } from '../../../cloud/api/cloud-words.ts';
import type { Cluster } from '../../../cloud/cloud-rows.ts';
import type { Context } from '../../../context.ts';
import { CliError, type ExitCode, exitCodes, stoppedError, usageError } from '../../../errors.ts';
import { commandText } from '../../../format/shell-word.ts';
import { text } from '../../../kinds.ts';
import { described, maybe, type RowOf, row, type Shape, string, truth, whole, word } from '../../../shape/shape.ts';
import { clusters, findOne } from '../find-id.ts';
import { clusterWord } from '../kinds.ts';
import { failBySignal, pluginMachine, runPlugin, wantedPlugin } from './run-plugin.ts';

/** One run of the plugin. */
const pluginRun = row({
  provider: word('aws', 'azure', 'gcp'),
  verb: word('apply', 'destroy', 'validate'),
  cluster_id: maybe(string),
  version: string,
  command: described(string, 'the command line of the same call'),
  exit_code: described(maybe(whole as Shape<ExitCode>), 'of the plugin; null if it was not run'),
});

/** A run that changes something in the account. */
const changingRun = row({ ...pluginRun.fields, dry_run: truth });

type PluginRow = RowOf<typeof pluginRun> & Partial<RowOf<typeof changingRun>>;

const names: Readonly<Record<PluginProvider, string>> = { aws: 'AWS', azure: 'Azure', gcp: 'Google Cloud' };

/** `cloud byoc aws`, `azure` or `gcp` */
export function providerNoun(provider: PluginProvider): Noun {
  return noun({
    summary: `Run the plugin on ${names[provider]}`,
    commands: {
      apply: pluginCommand(provider, 'apply'),
      destroy: pluginCommand(provider, 'destroy'),
      validate: pluginCommand(provider, 'validate'),
    },
  });
}

const summaries: Readonly<Record<PluginVerb, string>> = {
  apply: 'Install the agent of a BYOC cluster on',
  destroy: 'Remove the agent of a BYOC cluster from',
  validate: 'Check whether a BYOC cluster can be created on',
};

const changes = { apply: 'creates', destroy: 'destroys', validate: 'reads' } as const;

type PluginFlags = Readonly<Record<string, Flag<string | undefined> | Flag<boolean>>>;

function pluginCommand(provider: PluginProvider, verb: PluginVerb): Command {
  return command<PluginRow, Readonly<Record<never, never>>, PluginFlags, PluginCall>({
    summary: `${summaries[verb]} ${names[provider]}`,
    description: describe(provider, verb),
    examples: examplesOf(provider, verb),
    flags: flagsOf(provider, verb),
    changes: changes[verb],
    apis: ['cloud'],
    passThrough: true,
    result: verb === 'validate' ? pluginRun : changingRun,
    async plan(context, values) {
      const call = checkedCall(provider, verb, values);
      const cluster = call.clusterId === undefined ? undefined : await findCluster(context, call.clusterId);
      if (cluster === undefined) return call;
      const request = { ...call, clusterId: cluster.id };
      checkProvider(cluster, request);
      checkState(cluster, request, 'force' in values && values.force === true);
      return request;
    },
    confirm(_context, _values, { clusterId }) {
      return {
        question: `Remove the agent of cluster ${clusterId ?? ''} from your own ${names[provider]} account`,
        name: clusterId ?? provider,
      };
    },
    dryRun: (context, _values, call) => planned(context, call),
    run: (context, _values, call) => perform(context, call),
    show: {
      // The plugin has printed its own output.
      text: (row) => (row.exit_code === null ? `Would run, with the plugin ${row.version}: ${row.command}\n` : ''),
      exitCode: ({ exit_code }) => exit_code ?? exitCodes.ok,
    },
  });
}

/** The values that `run` receives; the flags depend on the provider and the verb. */
interface CallValues {
  readonly clusterId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  /** The words for the plugin itself. */
  readonly rest: readonly string[];
}

function checkedCall(provider: PluginProvider, verb: PluginVerb, values: object): PluginCall {
  const { clusterId, projectId, subscriptionId, rest } = values as CallValues;
  const call: PluginCall = { provider, verb, clusterId, projectId, subscriptionId, rest: withoutSeparator(rest) };
  checkCall(call);
  return call;
}

/**
 * Finds the cluster of a call by its id or name. One that does not exist is reported by the request for its plugin.
 * @throws CliError (exit 6) when several clusters have that name
 */
async function findCluster(context: Context, word: string): Promise<Cluster | undefined> {
  try {
    return await findOne(context, clusters, word);
  } catch (error) {
    if (error instanceof CliError && error.exitCode === exitCodes.notFound) return undefined;
    throw error;
  }
}

/**
 * Checks, before any prompt or download, that the cluster of a call is at the provider of the call.
 * @throws CliError (exit 2) with the command for the provider of the cluster
 */
function checkProvider(cluster: Cluster, { provider, verb, clusterId, rest }: PluginCall): void {
  const actual = providerOf(cluster.cloud_provider);
  if (actual === undefined || actual === provider) return;
  const right = commandLineOf({ provider: actual, verb, clusterId, rest });
  throw usageError(`unable to run ${provider} ${verb}: the cluster "${cluster.name}" (${clusterId}) is on ${actual}`, {
    code: 'WRONG_PROVIDER',
    target: cluster.id,
    hints: [`use: ${right}`],
  });
}

/**
 * Checks that the cluster needs this step: a Dedicated one has no agent, and an agent is removed after its cluster.
 * @throws CliError (exit 6)
 */
function checkState({ id, name, type, state }: Cluster, { provider, verb }: PluginCall, isForced: boolean): void {
  if (verb === 'validate') return;
  const refusal = (reason: string, hints: readonly string[]) =>
    new CliError(exitCodes.conflict, `unable to run ${provider} ${verb}: the cluster "${name}" (${id}) ${reason}`, {
      code: 'WRONG_STATE',
      target: id,
      hints,
    });
  const toDelete = commandText`delete it with: weir cloud cluster delete ${id}`;
  if (type === 'TYPE_DEDICATED') {
    const hint = verb === 'destroy' ? toDelete : commandText`see its state with: weir cloud cluster get ${id}`;
    throw refusal('is Dedicated, which has no agent', [hint]);
  }
  if (verb === 'apply' || isForced || state === 'STATE_DELETING_AGENT') return;
  const now = typedWord('state', state);
  throw refusal(`is in the state ${now}, not deleting-agent`, [
    now === 'deleting' ? commandText`wait for it: weir cloud cluster get ${id}` : toDelete,
    'remove the agent nevertheless with --force',
  ]);
}

/** Removes the "--", which is for weir: after it, the plugin would not accept `--cloud-api-token` as a flag. */
function withoutSeparator(rest: readonly string[]): readonly string[] {
  const at = rest.indexOf('--');
  return at < 0 ? rest : rest.toSpliced(at, 1);
}

async function perform(context: Context, call: PluginCall): Promise<PluginRow> {
  const { format } = context.flags;
  context.onInterrupt(stoppedRun(call, 'before the plugin started'));
  const run = await runPlugin(context, call, {
    toError: format === 'json' || format === 'yaml',
    onStart: () =>
      context.onInterrupt(stoppedRun(call, 'while the plugin was running; it may not have finished its work')),
  });
  if (run.exitCode !== exitCodes.ok) failBySignal(run);
  else {
    context.onInterrupt(undefined);
    const { tellFlows } = await import('./flows.ts');
    await tellFlows(context, call);
  }
  return rowOf(call, run.plugin.version, run.exitCode);
}

/** The report of a signal that stops a run of the plugin. */
function stoppedRun(call: PluginCall, when: string): CliError {
  const { provider, verb, clusterId } = call;
  return stoppedError(`stopped ${when} (${provider} ${verb})`, [`repeat it with: ${commandLineOf(call)}`], clusterId);
}

async function planned(context: Context, call: PluginCall): Promise<PluginRow> {
  const { findPlugin } = await import('../../../byoc/plugin/plugin.ts');
  const { version } = await findPlugin(await context.cloud(), wantedPlugin(call), pluginMachine(context));
  return rowOf(call, version, null);
}

function rowOf(call: PluginCall, version: string, exitCode: ExitCode | null): PluginRow {
  const { provider, verb, clusterId } = call;
  return {
    provider,
    verb,
    cluster_id: clusterId ?? null,
    version,
    command: commandLineOf(call),
    exit_code: exitCode,
    ...(verb !== 'validate' && { dry_run: exitCode === null }),
  };
}

function flagsOf(provider: PluginProvider, verb: PluginVerb): PluginFlags {
  const demanded = demandedFlags(provider, verb);
  const helpOf = (name: string, help: string) => (demanded.includes(name) ? `${help} (required)` : help);
  const which =
    verb === 'validate' ? 'use the plugin of this cluster instead of the newest one' : 'id or name of the cluster';
  const project = helpOf('--project-id', 'project that the cluster runs in');
  const subscription = helpOf('--subscription-id', 'subscription that the cluster runs in');
  return {
    clusterId: flag(clusterWord, { help: helpOf('--cluster-id', which), aliases: ['redpanda-id'] }),
    ...(provider === 'gcp' && { projectId: flag(text, { help: project }) }),
    ...(provider === 'azure' && { subscriptionId: flag(text, { help: subscription }) }),
    ...(verb === 'destroy' && { force: toggle({ help: 'also if the cluster is not in the state deleting-agent' }) }),
  };
}

function describe(provider: PluginProvider, verb: PluginVerb): string {
  return `${purposes[verb]}

Downloads the plugin for the cluster if necessary, verifies it, and runs it with your credentials for ${names[provider]}.
Flags that weir does not know are passed on to the plugin, and so is everything after "--". The exit code is that of the
plugin. While it runs, other users of this machine can see the cloud token on its command line.`;
}

const about = 'A BYOC cluster runs in your own cloud account, where an agent of Redpanda Cloud creates and manages it.';

const purposes: Readonly<Record<PluginVerb, string>> = {
  apply: `${about} This command installs the agent, after the cluster has been created with weir cloud cluster create. weir
cloud cluster list shows the id of the cluster.`,
  destroy: `${about} This command removes the agent, after the cluster has been deleted with weir cloud cluster delete.
weir cloud cluster list shows the id of the cluster.`,
  validate: `${about} This command checks whether your account allows that, and changes nothing.`,
};

function demandedFlags(provider: PluginProvider, verb: PluginVerb): readonly string[] {
  if (verb === 'validate') return [];
  return [
    '--cluster-id',
    ...(provider === 'gcp' ? ['--project-id'] : []),
    ...(provider === 'azure' && verb === 'apply' ? ['--subscription-id'] : []),
  ];
}

function examplesOf(provider: PluginProvider, verb: PluginVerb): readonly (readonly [string, string])[] {
  const values: Readonly<Record<string, string>> = {
    '--cluster-id': 'cjb5vehc4vs19qc11pjg',
    '--project-id': 'my-project',
    '--subscription-id': '60fc0bed-3072-4c53-906a-d130a934d520',
  };
  const words = demandedFlags(provider, verb).map((name) => ` ${name} ${values[name]}`);
  const line = `cloud byoc ${provider} ${verb}${words.join('')}`;
  return [
    [verb === 'validate' ? 'With the newest plugin' : 'For one cluster', line],
    ['With a flag of the plugin itself', `${line} --debug`],
  ];
}
