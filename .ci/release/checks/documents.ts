import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { run } from '../run.ts';
import { filesOf, sumOf, sumsName } from '../sums.ts';
import { checkingPackages } from '../tools.ts';
import { type Check, ensure } from './checking.ts';

const validate = `
import { readFileSync } from 'node:fs';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
const problem = await validator.validate(readFileSync(process.argv[1], 'utf8'));
if (problem) throw new Error(JSON.stringify(problem));
`;

const components: Check = {
  name: 'SBOM: valid CycloneDX',
  run({ out, version }) {
    const file = join(out, `weir-${version}.cdx.json`);
    run(execPath, ['--input-type=module', '--eval', validate, file], { cwd: join(checkingPackages(), '..') });
    return `${JSON.parse(readFileSync(file, 'utf8')).components.length} components`;
  },
};

const formula: Check = {
  name: 'Homebrew formula: valid Ruby',
  run: ({ out }) => run('ruby', ['-wc', join(out, 'weir.rb')]).trim(),
};

const manifest: Check = {
  name: 'Scoop manifest: names the archive for Windows',
  run({ out, version }) {
    const { architecture, ...scoop } = JSON.parse(readFileSync(join(out, 'weir.json'), 'utf8'));
    const { url, hash } = architecture['64bit'];
    const name = url.slice(url.lastIndexOf('/') + 1);
    ensure(scoop.version === version && hash === sumOf(join(out, name)), `it names ${name} with ${hash}`);
    return name;
  },
};

const sums: Check = {
  name: 'SHA256SUMS: of every file',
  run({ out }) {
    run('sha256sum', ['--check', '--strict', '--quiet', sumsName], { cwd: out });
    const listed = readFileSync(join(out, sumsName), 'utf8').trim().split('\n').length;
    ensure(listed === filesOf(out).length, `it lists ${listed} of ${filesOf(out).length} files`);
    return `${listed} files`;
  },
};

/** What must hold of the files that describe the others; the package managers' exist in a whole release only. */
export function documentChecks(isWhole: boolean): readonly Check[] {
  return [components, sums, ...(isWhole ? [formula, manifest] : [])];
}
