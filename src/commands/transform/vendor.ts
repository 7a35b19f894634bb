import { command } from '../../cli/command.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { row } from '../../shape/shape.ts';

/** `transform init` */
export const init = ofVendor('init', 'my-project', 'Not part of weir: create a project with rpk transform init');

/** `transform build` */
export const build = ofVendor('build', '-- --release', 'Not part of weir: build a project with rpk transform build');

/** A command that needs the compilers and templates of the vendor, and only says so. */
function ofVendor(verb: 'init' | 'build', words: string, summary: string) {
  return command({
    summary,
    description: `Projects of transforms are created and compiled with the tool chain of the vendor: rpk transform init and rpk transform
build, which need no connection to a cluster. weir deploys the module that they make with transform deploy. Any other
way to build a WebAssembly module for this platform works as well.`,
    examples: [
      [`What to use instead`, `transform ${verb}`],
      ['The same, with the words of the vendor', `transform ${verb} ${words}`],
    ],
    passThrough: true,
    changes: 'reads',
    result: row({}),
    run() {
      throw new CliError(exitCodes.usage, `weir does not ${verb === 'init' ? 'create' : verb} transform projects`, {
        code: 'NOT_SUPPORTED',
        target: `transform ${verb}`,
        hints: [
          `use the tool chain of the vendor: rpk transform ${verb}`,
          'deploy the module with: weir transform deploy',
        ],
      });
    },
    show: { text: () => '' },
  });
}
