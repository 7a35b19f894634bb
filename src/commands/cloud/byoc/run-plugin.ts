import type { Cloud } from '../../../cloud/cloud.ts';
import { type PluginCall, pluginArgv } from '../../../cloud/plugin/argv.ts';
import type { Plugin, PluginMachine, WantedPlugin } from '../../../cloud/plugin/plugin.ts';
import type { PluginRelease } from '../../../cloud/plugin/release.ts';
import type { Context } from '../../../context.ts';
import { CliError, type ExitCode, exitCodes, usageError } from '../../../errors.ts';
import { cacheDirectory } from '../../../files/locations.ts';
import type { Signal } from '../../../host.ts';

/** How a run of the plugin ended. */
export interface PluginRun {
  readonly plugin: Plugin;
  /** The plugin's own; 128 and the signal's number when a signal ended it. */
  readonly exitCode: ExitCode;
  /** The first signal that came while it ran. */
  readonly signal: Signal | undefined;
}

/**
 * The directory of the plugins, and the names of this machine.
 * @throws CliError (exit 2) without a home directory
 */
export function pluginMachine({ host }: Context): PluginMachine {
  const cache = cacheDirectory(host);
  if (cache === undefined) {
    throw usageError('unable to find a directory for the plugin: there is no home directory', {
      hints: ['set XDG_CACHE_HOME'],
    });
  }
  const { platform, runtime } = host;
  return { platform, arch: runtime.arch, directory: `${cache}/byoc`, uid: runtime.uid };
}

/** Which plugin a call needs: `validate` alone may do without a cluster. */
export function wantedPlugin({ clusterId }: PluginCall): WantedPlugin {
  return clusterId === undefined ? 'newest' : { clusterId };
}

/** Puts the plugin on this machine, with progress; the download has its own limit. */
export async function install(context: Context, cloud: Cloud, release: PluginRelease): Promise<Plugin> {
  const { installPlugin } = await import('../../../cloud/plugin/plugin.ts');
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

/** How the plugin's output is treated. */
export interface PluginOutput {
  /** Its standard output goes to standard error, so that weir's own result stands alone. */
  readonly toError: boolean;
}

/**
 * Finds, installs and runs the plugin with this process's terminal. Signals go to the plugin; weir outlives it.
 * @throws CliError when it cannot be had or started
 */
export async function runPlugin(context: Context, call: PluginCall, output: PluginOutput): Promise<PluginRun> {
  const { findPlugin } = await import('../../../cloud/plugin/plugin.ts');
  const cloud = await context.cloud();
  const release = await findPlugin(cloud, wantedPlugin(call), pluginMachine(context));
  const plugin = await install(context, cloud, release);
  const argv = pluginArgv(call, await cloud.token());
  // The words are not shown: the token is among them.
  context.step(`running ${plugin.path} ${call.provider} ${call.verb}`);
  const deadline = await context.deadline();
  const { withPrivateCopy } = await import('../../../cloud/plugin/private-copy.ts');
  const { directory } = pluginMachine(context);
  return await deadline.openEnded(() =>
    withPrivateCopy(plugin.path, directory, (file) => spawnPlugin(context, { plugin, file, argv }, output)),
  );
}

async function spawnPlugin(
  context: Context,
  { plugin, file, argv }: { readonly plugin: Plugin; readonly file: string; readonly argv: readonly string[] },
  { toError }: PluginOutput,
): Promise<PluginRun> {
  const { host } = context;
  const sends: ((signal: Signal) => void)[] = [];
  let signal: Signal | undefined;
  const release = context.handSignals((received) => {
    signal ??= received;
    // In a terminal Ctrl-C reaches the plugin without weir; told twice, Terraform would end at once.
    if (received === 'SIGINT' && host.stdin.isTerminal) return;
    for (const send of sends) send(received);
  });
  try {
    const env = await pluginEnvironment(context);
    context.signal.throwIfAborted();
    const { exitCode } = await host.spawn(file, argv, {
      stdio: 'inherit',
      outputToError: toError,
      env,
      onStart: (send) => sends.push(send),
    });
    return { plugin, exitCode, signal };
  } catch (error) {
    throw error instanceof CliError ? error : notStarted(plugin, error);
  } finally {
    release();
  }
}

/** What was thrown has the whole command line in it, and so the token: nothing but its code is told. */
function notStarted({ path }: Plugin, error: unknown): CliError {
  const { code } = error as { code?: unknown };
  const reason = typeof code === 'string' ? `: ${code}` : '';
  return new CliError(exitCodes.failure, `unable to start the plugin ${path}${reason}`, {
    code: 'PLUGIN_NOT_STARTED',
    target: path,
    hints: ['"weir cloud byoc uninstall" removes it; the next call downloads it anew'],
  });
}

const secrets = ['WEIR_CLOUD_CLIENT_SECRET', 'WEIR_CLOUD_TOKEN', 'WEIR_PASS'];

/**
 * The plugin has the caller's environment, for the credentials of the cloud it works in, but none of weir's secrets.
 * Another control plane than the production one is told in the variables that the vendor's own tools set.
 */
async function pluginEnvironment(context: Context): Promise<Readonly<Record<string, string | undefined>>> {
  const config = await context.config();
  const env: Record<string, string | undefined> = Object.fromEntries(secrets.map((name) => [name, undefined]));
  const { host } = context;
  if (config.setting('cloud.legacy_url').source !== 'default' && !host.env.CLOUD_URL) {
    env.CLOUD_URL = `${config.get('cloud.legacy_url')}/api/v1`;
  }
  if (config.setting('cloud.api_url').source !== 'default' && !host.env.RPK_PUBLIC_API_URL) {
    env.RPK_PUBLIC_API_URL = config.get('cloud.api_url');
  }
  return env;
}
