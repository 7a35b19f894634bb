import { command } from '../cli/command.ts';
import { pairs } from '../format/table.ts';
import { row, string } from '../shape/shape.ts';
import { version as weirVersion } from '../version.ts';

/** `weir version` */
export const version = command({
  summary: 'Show the versions of weir, its runtime and the operating system',
  examples: [
    ['For a bug report', 'version'],
    ['The same as data', 'version --format json'],
  ],
  changes: 'reads',
  result: row({ version: string, runtime: string, os: string, arch: string }),
  run: ({ host }) => ({
    version: weirVersion,
    runtime: host.runtime.name,
    os: host.platform,
    arch: host.runtime.arch,
  }),
  show: {
    text: ({ version, runtime, os, arch }, view) =>
      pairs(
        [
          ['Version:', version],
          ['Runtime:', runtime],
          ['OS/Arch:', `${os}/${arch}`],
        ],
        view,
      ),
  },
});
