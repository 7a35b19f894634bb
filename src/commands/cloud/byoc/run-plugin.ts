import { type PluginCall, pluginArgv } from '../../../byoc/plugin/argv.ts';
import type { Plugin, PluginMachine, WantedPlugin } from '../../../byoc/plugin/plugin.ts';
import type { PluginRelease } from '../../../byoc/plugin/release.ts';
import { endedBy } from '../../../cli/interruption.ts';
import type { Cloud } from '../../../cloud/open.ts';
import { homeDirectory, withoutSecrets } from '../../../config/child-process.ts';
import { checkProgram } from '../../../config/programs.ts';
import type { Context } from '../../../context.ts';
import { CliError, type ExitCode, exitCodes, rephrased, usageError } from '../../../errors.ts';
import { cacheDirectory } from '../../../files/locations.ts';
import type { Signal } from '../../../host/host.ts';

/** The outcome of a run of the plugin. */
export interface PluginRun {
  readonly plugin: Plugin;
  /** The plugin's exit code, or 128 plus the signal's number if a signal ended it. */
  readonly exitCode: ExitCode;
  /** The first signal that weir received while the plugin ran. */
  readonly signal: Signal | undefined;
}

/**
 * Throws if a signal arrived while the plugin ran, because the signal was for weir as well.
 * @throws CliError with the plugin's exit code, or that of the signal if the plugin succeeded
 */
export function failBySignal({ signal, exitCode }: PluginRun): void {
  if (signal === undefined) return;
  const error = endedBy(signal);
  throw exitCode === exitCodes.ok ? error : rephrased(error, error.message, { exitCode });
}

/**
 * The directory of the plugins, and the platform of this machine.
 * @throws CliError (exit 2) without a home directory
 */
export function pluginMachine({ host }: Context): PluginMachine {
  const cache = cacheDirectory(host);
  if (cache === undefined) {
    throw usageError('unable to find a directory for the plugin: the home directory is unknown', {
      hints: ['set XDG_CACHE_HOME'],
    });
  }
  const { platform, runtime } = host;
  return { platform, arch: runtime.arch, directory: `${cache}/byoc`, uid: runtime.uid };
}

/** The plugin that a call needs; only `validate` may have no cluster. */
export function wantedPlugin({ clusterId }: PluginCall): WantedPlugin {
  return clusterId === undefined ? 'newest' : { clusterId };
}

/**
 * Ensures that the plugin may be run, which the control plane names.
 * @throws CliError if its address is from a broker configuration file, or from a profile file that others can write
 */
export async function mayRunPlugin(context: Context): Promise<void> {
  const config = await context.config();
  for (const key of ['cloud.api_url', 'cloud.legacy_url'] as const)
    await checkProgram(context.host, config, key, 'the plugin of a control plane');
}

/** Installs the plugin on this machine and shows progress; the download has its own time limit. */
export async function install(context: Context, cloud: Cloud, release: PluginRelease): Promise<Plugin> {
  const { installPlugin } = await import('../../../byoc/plugin/plugin.ts');
  const progress = context.progress(`downloading the plugin ${release.version}`);
  try {
    const deadline = await context.deadline();
    const machine = pluginMachine(context);
    return await deadline.openEnded(() =>
      installPlugin(cloud, release, machine, (state) => progress.report({ ...state, unit: 'bytes' })),
    );
  } finally {
    progress.end();
  }
}

/** How the output of the plugin is handled. */
export interface PluginOutput {
  /** Redirects its standard output to standard error, so that standard output has only weir's own result. */
  readonly toError: boolean;
  /** Called when the plugin is installed and about to start. */
  readonly onStart?: () => void;
}

/**
 * Finds, installs and runs the plugin on this terminal. Signals are passed to the plugin; weir waits for it.
 * @throws CliError when the plugin cannot be installed or started, or (exit 6) while another weir runs it for the cluster
 */
export async function runPlugin(context: Context, call: PluginCall, output: PluginOutput): Promise<PluginRun> {
  await mayRunPlugin(context);
  const { findPlugin } = await import('../../../byoc/plugin/plugin.ts');
  const cloud = await context.cloud();
  const release = await findPlugin(cloud, wantedPlugin(call), pluginMachine(context));
  const plugin = await install(context, cloud, release);
  const argv = pluginArgv(call, await cloud.token());
  const hasOthers = call.rest.length > 0;
  // The arguments are not shown, because they contain the token.
  context.step(`running ${plugin.path} ${call.provider} ${call.verb}`);
  const deadline = await context.deadline();
  const { withPrivateCopy } = await import('../../../byoc/plugin/private-copy.ts');
  const { directory } = pluginMachine(context);
  const run = () =>
    deadline.openEnded(() =>
      withPrivateCopy(plugin.path, directory, (file) =>
        spawnPlugin(context, { plugin, file, argv, hasOthers }, output),
      ),
    );
  return await alone(context, call, run);
}

/** Waits while another weir on this machine applies or destroys the same cluster: both would change the same resources. */
async function alone<T>(context: Context, { verb, clusterId }: PluginCall, run: () => Promise<T>): Promise<T> {
  if (verb === 'validate' || clusterId === undefined) return await run();
  const { withFlowLock: holding } = await import('./flow-lock.ts');
  const what = `the plugin for cluster ${clusterId}`;
  return await holding(context, { id: `plugin-${encodeURIComponent(clusterId)}`, what }, run);
}

interface PluginStart {
  readonly plugin: Plugin;
  readonly file: string;
  readonly argv: readonly string[];
  /** Whether some of the arguments are not weir's. */
  readonly hasOthers: boolean;
}

async function spawnPlugin(
  context: Context,
  { plugin, file, argv, hasOthers }: PluginStart,
  { toError, onStart }: PluginOutput,
): Promise<PluginRun> {
  const { host } = context;
  const sends: ((signal: Signal) => void)[] = [];
  let signal: Signal | undefined;
  const release = context.handSignals((received) => {
    signal ??= received;
    // On a terminal, Ctrl-C reaches the plugin directly; a second signal would make Terraform end at once.
    if (received === 'SIGINT' && host.stdin.isTerminal) return;
    for (const send of sends) send(received);
  });
  const releaseStop = context.onStop(() => {
    for (const send of sends) send('SIGTERM');
    return undefined;
  });
  try {
    const env = await pluginEnvironment(context);
    context.signal.throwIfAborted();
    onStart?.();
    const { exitCode } = await host.spawn(file, argv, {
      stdio: 'inherit',
      outputToError: toError,
      // The plugin runs the tools of the clouds. Only arguments that it gets unchanged may name files.
      ...(hasOthers ? {} : await homeDirectory(host)),
      env,
      onStart: (send) => sends.push(send),
    });
    return { plugin, exitCode, signal };
  } catch (error) {
    throw error instanceof CliError ? error : notStarted(plugin, error);
  } finally {
    release();
    releaseStop();
  }
}

/** The error for a failed start. The cause contains the command line with the token, so only its code is reported. */
function notStarted({ path }: Plugin, error: unknown): CliError {
  const { code } = error as { code?: unknown };
  const reason = typeof code === 'string' ? `: ${code}` : '';
  return new CliError(exitCodes.failure, `unable to start the plugin ${path}${reason}`, {
    code: 'PLUGIN_NOT_STARTED',
    target: path,
    hints: ['remove it with "weir cloud byoc uninstall"; the next call downloads it again'],
  });
}

/**
 * The environment of the plugin: that of the caller, for the credentials of the cloud, without weir's secrets. The
 * address of another control plane than the production one is set in the variables that the vendor's own tools use.
 */
async function pluginEnvironment(context: Context): Promise<Readonly<Record<string, string | undefined>>> {
  const config = await context.config();
  const env: Record<string, string | undefined> = { ...withoutSecrets };
  const { host } = context;
  if (config.setting('cloud.legacy_url').source !== 'default' && !host.env.CLOUD_URL) {
    env.CLOUD_URL = `${config.get('cloud.legacy_url')}/api/v1`;
  }
  if (config.setting('cloud.api_url').source !== 'default' && !host.env.RPK_PUBLIC_API_URL) {
    env.RPK_PUBLIC_API_URL = config.get('cloud.api_url');
  }
  return env;
}
