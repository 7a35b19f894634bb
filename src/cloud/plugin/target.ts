/** The system that a plugin runs on. */
export interface PluginTarget {
  /** The operating system in install packs: `linux`, `darwin` or `windows`. */
  readonly os: string;
  /** `amd64` or `arm64`. */
  readonly arch: string;
}

const systems: Readonly<Record<string, string>> = { win32: 'windows' };
const processors: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** Converts Node's names of a platform and an architecture to those of install packs, which are Go's. */
export function pluginTarget(platform: string, arch: string): PluginTarget {
  return { os: systems[platform] ?? platform, arch: processors[arch] ?? arch };
}

/** The name of the artifact for a system, for example `byoc-linux-amd64`. */
export function artifactName({ os, arch }: PluginTarget): string {
  return `byoc-${os}-${arch}`;
}
