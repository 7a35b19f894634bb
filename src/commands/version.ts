import { getCommand } from '../cli/forms/read.ts';
import { pairs } from '../format/table.ts';
import { row, string } from '../shape/shape.ts';
import { version as weirVersion } from '../version.ts';

/** `weir version` */
export const version = getCommand({
  summary: 'Show the versions of weir, its runtime and the operating system',
  examples: [
    ['For a bug report', 'version'],
    ['The same as data', 'version --format json'],
  ],
  row: row({ version: string, runtime: string, os: string, arch: string }),
  read: ({ host }) => ({
    version: weirVersion,
    runtime: host.runtime.name,
    os: host.platform,
    arch: host.runtime.arch,
  }),
  text: ({ version, runtime, os, arch }, view) =>
    pairs(
      [
        ['Version:', version],
        ['Runtime:', runtime],
        ['OS/Arch:', `${os}/${arch}`],
      ],
      view,
    ),
});
