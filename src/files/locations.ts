import { isAbsolute, join, resolve } from 'node:path';

/** What of the outside world says where files lie; a Host has it. */
interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string | undefined;
  readonly platform: string;
}

type Machine = Pick<World, 'env' | 'home' | 'platform'>;

/** The variable's value; set but empty counts as not set. */
export function variable(host: Pick<World, 'env'>, name: string): string | undefined {
  const value = host.env[name];
  return value === '' ? undefined : value;
}

/** Where weir's configuration lies by default; undefined when there is no home directory. */
export function configDirectory(host: Machine): string | undefined {
  return directoryOf(host, 'weir', {
    xdg: 'XDG_CONFIG_HOME',
    fallback: ['.config'],
    mac: ['Library', 'Application Support'],
    windows: 'APPDATA',
  });
}

/** Where weir keeps what it must remember (tokens, journals, running sandboxes); undefined without a home. */
export function stateDirectory(host: Machine): string | undefined {
  return directoryOf(host, 'weir', {
    xdg: 'XDG_STATE_HOME',
    fallback: ['.local', 'state'],
    mac: ['Library', 'Application Support'],
    windows: 'LOCALAPPDATA',
  });
}

/** Where weir keeps what it could fetch or compute again; undefined without a home. */
export function cacheDirectory(host: Machine): string | undefined {
  return directoryOf(host, 'weir', {
    xdg: 'XDG_CACHE_HOME',
    fallback: ['.cache'],
    mac: ['Library', 'Caches'],
    windows: 'LOCALAPPDATA',
  });
}

/** Where rpk keeps its own profiles; undefined without a home. */
export function rpkFile(host: Machine): string | undefined {
  const directory = directoryOf(host, 'rpk', {
    xdg: 'XDG_CONFIG_HOME',
    fallback: ['.config'],
    mac: ['Library', 'Application Support'],
    windows: 'APPDATA',
  });
  return directory && join(directory, 'rpk.yaml');
}

interface Places {
  readonly xdg: string;
  readonly fallback: readonly string[];
  readonly mac: readonly string[];
  readonly windows: string;
}

/** An absolute XDG variable wins on every system; a relative one is ignored, as its specification asks. */
function directoryOf(host: Machine, product: string, places: Places): string | undefined {
  const xdg = variable(host, places.xdg);
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, product);
  if (host.platform === 'win32') {
    const base = variable(host, places.windows);
    return base === undefined ? undefined : join(base, product);
  }
  if (host.home === undefined || host.home === '') return undefined;
  return join(host.home, ...(host.platform === 'darwin' ? places.mac : places.fallback), product);
}

/** A path as typed, made absolute: `~/` is the home directory, the rest is relative to the working directory. */
export function absolutePath(host: Pick<World, 'cwd' | 'home'>, path: string): string {
  const expanded = expandHome(host.home, path);
  // Only a relative path needs the working directory, which may have been deleted.
  return isAbsolute(expanded) ? resolve(expanded) : resolve(host.cwd, expanded);
}

/** `~/x` below the home directory; any other path unchanged. */
export function expandHome(home: string | undefined, path: string): string {
  return home !== undefined && (path === '~' || path.startsWith('~/')) ? join(home, path.slice(1)) : path;
}
