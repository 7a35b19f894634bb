/** A system that has an executable. */
export interface Target {
  readonly name: string;
  /** The first bytes of its programs, in hexadecimal. */
  readonly magic: string;
  /** What its packages call the processor; only Linux has packages. */
  readonly packages?: { readonly deb: string; readonly rpm: string };
}

/** The systems that a release has executables for. */
export const targets: readonly Target[] = [
  { name: 'linux-x64', magic: '7f454c46', packages: { deb: 'amd64', rpm: 'x86_64' } },
  { name: 'linux-arm64', magic: '7f454c46', packages: { deb: 'arm64', rpm: 'aarch64' } },
  { name: 'darwin-arm64', magic: 'cffaedfe' },
  { name: 'darwin-x64', magic: 'cffaedfe' },
  { name: 'windows-x64', magic: '4d5a' },
];

/** Whether programs of this target end in `.exe` and its archive is a zip. */
export function isWindows({ name }: Target): boolean {
  return name.startsWith('windows');
}

/** The name of the program in the archive. */
export function programName(target: Target): string {
  return isWindows(target) ? 'weir.exe' : 'weir';
}

/** The name of the archive of a target. */
export function archiveName(target: Target, version: string): string {
  return `weir-${version}-${target.name}.${isWindows(target) ? 'zip' : 'tar.gz'}`;
}
