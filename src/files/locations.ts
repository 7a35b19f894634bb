import { isAbsolute, join, resolve } from 'node:path';

/** The parts of a Host that determine where files are. */
interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string | undefined;
  readonly platform: string;
}

/** A file and the flag or variable that names it. */
export interface NamedFile {
  /** Absolute. */
  readonly path: string;
  /** `--config`, `WEIR_CONFIG`, `--broker-config`, `WEIR_BROKER_CONFIG`, or undefined for the default file. */
  readonly origin: string | undefined;
}

type Machine = Pick<World, 'env' | 'home' | 'platform'>;

/** The variable's value; an empty variable counts as not set. */
export function variable(host: Pick<World, 'env'>, name: string): string | undefined {
  const value = host.env[name];
  return value === '' ? undefined : value;
}

/** The default directory of weir's configuration; undefined without a home directory. */
export function configDirectory(host: Machine): string | undefined {
  return directoryOf(host, 'weir', {
    xdg: 'XDG_CONFIG_HOME',
    fallback: ['.config'],
    mac: ['Library', 'Application Support'],
    windows: 'APPDATA',
  });
}

/** The directory for persistent state (tokens, journals, running sandboxes); undefined without a home directory. */
export function stateDirectory(host: Machine): string | undefined {
  return directoryOf(host, 'weir', {
    xdg: 'XDG_STATE_HOME',
    fallback: ['.local', 'state'],
    mac: ['Library', 'Application Support'],
    windows: 'LOCALAPPDATA',
  });
}

/** The directory for data that can be downloaded or computed again; undefined without a home directory. */
export function cacheDirectory(host: Machine): string | undefined {
  return directoryOf(host, 'weir', {
    xdg: 'XDG_CACHE_HOME',
    fallback: ['.cache'],
    mac: ['Library', 'Caches'],
    windows: 'LOCALAPPDATA',
  });
}

/** The file that contains rpk's profiles; undefined without a home directory. */
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

/** An absolute XDG variable takes precedence on every system; a relative one is ignored, as XDG specifies. */
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

/** Makes a typed path absolute: `~/` is the home directory, other paths are relative to the working directory. */
export function absolutePath(host: Pick<World, 'cwd' | 'home'>, path: string): string {
  const expanded = expandHome(host.home, path);
  // Only a relative path needs the working directory, which may have been deleted.
  return isAbsolute(expanded) ? resolve(expanded) : resolve(host.cwd, expanded);
}

/** Replaces `~` or a leading `~/` by the home directory; other paths are unchanged. */
export function expandHome(home: string | undefined, path: string): string {
  return home !== undefined && (path === '~' || path.startsWith('~/')) ? join(home, path.slice(1)) : path;
}
