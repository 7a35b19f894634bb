import { type Block, type Page, type Step, stepsOf, textOf } from './blocks.ts';
import { type Machine, programsOfShell } from './machine.ts';
import { createValues, type Values } from './placeholders.ts';
import { readShellLine } from './shell-line.ts';

/** How the commands of a page went. */
export interface Replayed {
  /** The page, with what was printed in place of what it shows where the two differ. */
  readonly text: string;
  /** The commands that failed although the page shows no error, with file and line. */
  readonly failures: readonly string[];
  readonly commands: number;
}

/** Called after each command line of a page. */
export type AfterStep = (command: string, machine: Machine) => Promise<void>;

/** Runs the command lines of a page in order; a YAML block that begins with `# NAME.yaml` becomes a file. */
export async function replay(page: Page, machine: Machine, afterStep: AfterStep = async () => {}): Promise<Replayed> {
  const values = createValues();
  const changes: { readonly step: Step; readonly lines: readonly string[] }[] = [];
  const failures: string[] = [];
  let commands = 0;
  for (const block of page.blocks.filter(({ notRun }) => notRun === undefined)) {
    writeFileOf(page, block, machine, values);
    const steps = stepsOf(page, block);
    if (isForeign(steps)) continue;
    for (const step of steps) {
      commands++;
      const shown = page.lines
        .slice(step.outputFrom, step.outputTo)
        .map((line) => `${line}\n`)
        .join('');
      const { text, exitCode } = await machine.runLine(values.actual(step.command), values.actual(shown));
      const isRight = shown !== '' && values.matches(shown, text);
      if (shown !== '' && !isRight) changes.push({ step, lines: values.shown(text).replace(/\n$/, '').split('\n') });
      if (shown === '' && exitCode !== 0) failures.push(`${page.path}:${step.at + 1}: exit code ${exitCode}: ${text}`);
      await afterStep(step.command, machine);
    }
  }
  return { text: changed(page.lines, changes), failures, commands };
}

/** Whether a block is about other programs alone. */
function isForeign(steps: readonly Step[]): boolean {
  const programs = steps.flatMap(({ command }) => readShellLine(command)).map(({ words }) => words[0]);
  return !programs.includes('weir') && programs.some((name) => name !== undefined && !programsOfShell.includes(name));
}

function writeFileOf(page: Page, block: Block, machine: Machine, values: Values): void {
  const text = textOf(page, block);
  const name = block.language === 'yaml' ? /^# (\S+\.yaml)\n/.exec(text)?.[1] : undefined;
  if (name !== undefined) machine.write(name, `${values.actual(text)}\n`);
}

function changed(
  lines: readonly string[],
  changes: readonly { readonly step: Step; readonly lines: readonly string[] }[],
): string {
  const all = [...lines];
  for (const { step, lines: output } of changes.toReversed())
    all.splice(step.outputFrom, step.outputTo - step.outputFrom, ...output);
  return all.join('\n');
}
